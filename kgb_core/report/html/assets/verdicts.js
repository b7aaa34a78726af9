// How a verdict looks: a glyph and a colour for its family, never the colour alone.

const FAMILIES = {
  passed: {glyph: "✓", word: "right"},
  values: {glyph: "≠", word: "wrong answer"},
  honesty: {glyph: "!", word: "not honest"},
  interface: {glyph: "?", word: "no usable function"},
  build: {glyph: "#", word: "does not compile"},
  run: {glyph: "×", word: "fails when run"},
  not_the_candidates: {glyph: "–", word: "not the kernel's fault"},
  none: {glyph: "·", word: "not measured"},
};

const verdictsByName = new Map();
const verdictsByLetter = new Map();

function learnVerdicts(list) {
  for (const verdict of list) {
    verdictsByName.set(verdict.name, verdict);
    verdictsByLetter.set(verdict.letter, verdict);
  }
}

function familyOf(name) {
  return verdictsByName.get(name)?.family ?? "none";
}

const GRAVEST = ["honesty", "run", "build", "values", "interface", "none", "not_the_candidates", "passed"];

/** Those verdicts first that a reader must hear of before the others. */
function byGravity(one, other) {
  return GRAVEST.indexOf(familyOf(one)) - GRAVEST.indexOf(familyOf(other));
}

function glyph(name) {
  return FAMILIES[familyOf(name)].glyph;
}

/** A verdict as a word with its glyph. */
function verdictTag(name) {
  const family = familyOf(name);
  return h("span", {class: `tag f-${family}`}, h("b", {"aria-hidden": "true"}, FAMILIES[family].glyph), " ", name ?? UNKNOWN);
}

function legend(names = Object.keys(FAMILIES)) {
  return h("ul", {class: "legend", "aria-label": "Signs"}, names.map((family) => h("li", {},
    h("span", {class: `sign f-${family}`}, FAMILIES[family].glyph), FAMILIES[family].word)));
}
