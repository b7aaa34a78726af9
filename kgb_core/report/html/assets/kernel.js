// One candidate: its source, what was observed of it on each chip, and its times.

async function kernelView(report, [operator, pack, name, sha]) {
  const place = report.operators.findIndex((each) => each.name === operator);
  if (place < 0) return absent("operator", operator);
  const detail = {cases: [], kernels: [], ...await record(`operator-${place}`)};
  const kernel = detail.kernels.find((each) => report.packs[each.pack].name === pack && each.name === name && each.sha256.startsWith(sha));
  if (!kernel) return absent("kernel", `${pack}/${name}`);
  return [
    crumbs(h("a", {href: "#/matrix"}, "Matrix"), operatorLink(operator)), h("h1", {class: "code"}, name),
    facts([{name: "pack", value: packTitle(report.packs[kernel.pack])}, {name: "sha256", value: h("span", {class: "code"}, kernel.sha256)}]),
    kernel.chips.map((found) => onChip(report, detail, found)), sourceSection(detail.sources[detail.kernels.indexOf(kernel)]),
  ];
}

function onChip(report, detail, found) {
  const entries = (found.timings ?? []).map((timing) => ({label: detail.cases[timing.case].label, timing}));
  const counts = `${found.passed} of ${counted(found.counted, "case")} passed${found.missing ? `, ${found.missing} not run` : ""}${found.views ? `, ${found.views} answered with a view` : ""}`;
  return section(report.chips[found.chip].label, h("p", {}, verdictTag(found.verdict), ` ${counts} · `, h("a", {href: `#/chip/${report.chips[found.chip].id}`}, "about the chip")), h("p", {}, caseSigns(detail, found)),
    [...found.observations ?? []].sort((one, other) => byGravity(one.verdict, other.verdict)).map((each) => observation(detail.cases, each)), remarks(detail, found),
    entries.length ? [timingTable(entries), samplesChart(entries)] : null);
}

function remarks(detail, found) {
  if (!found.remarks?.length) return null;
  const lines = found.remarks.map((each) => [h("span", {class: "code small"}, detail.cases[each.case].label), each.message]);
  const more = found.unsaid ? quiet(`${counted(found.unsaid, "case")} more in the bundle.`) : null;
  return h("details", {}, h("summary", {}, `${counted(found.remarks.length, "other case")} that did not pass`), table(["Case", "Message"], lines, {label: "Other cases"}), more);
}

function sourceSection({text, tokens}) {
  if (text === null) return section("Source", quiet("No bundle that was given has it."));
  return section("Source", h("pre", {class: "source", tabindex: 0, "aria-label": "Source"}, h("code", {}, coloured(text, tokens ?? [0, text.length]))));
}

/** Lengths count code points, as Python's do. */
function coloured(text, tokens) {
  const characters = [...text];
  const parts = [];
  for (let place = 0, start = 0; place < tokens.length; place += 2) {
    const part = characters.slice(start, start + tokens[place + 1]).join("");
    parts.push(tokens[place] ? h("span", {class: `t${tokens[place]}`}, part) : part);
    start += tokens[place + 1];
  }
  return parts;
}
