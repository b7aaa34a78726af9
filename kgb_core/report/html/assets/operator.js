// One operator: what it is, and what its candidates did on every chip.

async function operatorView(report, name, query) {
  const place = report.operators.findIndex((operator) => operator.name === name);
  if (place < 0) return absent("operator", name);
  const detail = {cases: [], kernels: [], ...await record(`operator-${place}`)};
  const operator = report.operators[place];
  return [
    crumbs(h("a", {href: "#/matrix"}, "Matrix"), operator.source), h("h1", {class: "code"}, name),
    h("p", {class: "quiet"}, [operator.kind, counted(detail.kernels.length, "kernel"), counted(detail.cases.length, "case")].filter(Boolean).join(" · ")),
    signature(detail), kernelSection(report, detail, query), failureSection(report, detail), timingSection(report, detail), caseSection(report, detail),
  ];
}

function signature(detail) {
  if (!detail.signature) return quiet("It was not installed where this report was made, so its signature is not known.");
  return h("div", {class: "signature"}, h("pre", {}, detail.signature), h("p", {}, detail.semantics ?? ""));
}

function kernelSection(report, detail, query) {
  if (!detail.kernels.length) return section("Kernels", quiet("Nobody submitted one. Nothing was measured."));
  const chips = report.chips.map((chip, number) => ({...chip, number}));
  const rows = detail.kernels.map((kernel) => [kernelLink(report, detail.name, kernel, kernelName(detail, kernel)), ...chips.map((chip) => kernelCell(kernel.chips.find((each) => each.chip === chip.number), chip.id === query.chip))]);
  return section("Kernels by chip", table(["Kernel", ...chips.map((chip) => chip.label)], rows, {label: "Each kernel on each chip", class: "kernels"}));
}

/** The name, with the beginning of the hash where two have the same name. */
function kernelName(detail, kernel) {
  const alike = detail.kernels.filter((each) => each.name === kernel.name);
  return alike.length > 1 ? `${kernel.name} ${kernel.sha256.slice(0, 8)}` : kernel.name;
}

function kernelCell(found, marked) {
  if (!found) return h("td", {class: `quiet${marked ? " marked" : ""}`}, "· not measured");
  const counts = `${found.passed}/${found.counted}${found.missing ? `, ${found.missing} missing` : ""}`;
  return h("td", {class: marked ? "marked" : ""}, verdictTag(found.verdict), " ", h("span", {class: "count"}, counts),
    found.right && found.speedup !== undefined ? h("div", {class: "small"}, `${times(found.speedup)} `, h("span", {class: "quiet"}, between(found.interval, (value) => significant(value)))) : null);
}

function failureSection(report, detail) {
  const groups = new Map();
  for (const kernel of detail.kernels) for (const found of kernel.chips) for (const each of found.observations ?? []) {
    if (each.verdict === "passed" || (familyOf(each.verdict) === "not_the_candidates" && !each.message)) continue;
    const key = `${found.chip} ${each.verdict} ${firstLine(each.message)}`;
    const group = groups.get(key) ?? {chip: found.chip, each, kernels: []};
    group.kernels.push(kernel);
    groups.set(key, group);
  }
  if (!groups.size) return null;
  const lines = [...groups.values()].sort((one, other) => byGravity(one.each.verdict, other.each.verdict)).map(({chip, each, kernels}) => [verdictTag(each.verdict), chipLink(report, chip), h("span", {}, firstLine(each.message) || "no message", h("div", {class: "quiet small code"}, detail.cases[each.case].label)),
    h("span", {}, kernelLink(report, detail.name, kernels[0]), kernels.length > 1 ? ` and ${kernels.length - 1} more` : "")]);
  return section("What went wrong", table(["Verdict", "Chip", "First message", "Kernel"], lines, {label: "Errors"}));
}

function firstLine(text) {
  return (text ?? "").split("\n").find((line) => line.trim()) ?? "";
}

/** The fastest right candidate of each chip; its times stand for the chip. */
function fastestOnChips(detail) {
  const best = new Map();
  for (const kernel of detail.kernels) for (const found of kernel.chips) {
    if (!found.timings?.length) continue;
    const rank = found.right ? found.speedup ?? 0 : -1;
    if (!best.has(found.chip) || rank > best.get(found.chip).rank) best.set(found.chip, {kernel, found, rank});
  }
  return best;
}

function timingSection(report, detail) {
  const best = fastestOnChips(detail);
  if (!best.size) return detail.kernels.length ? section("Times", quiet("Nothing was timed.")) : null;
  const entries = [...best].flatMap(([chip, {kernel, found}]) => found.timings.map((timing) => ({
    chip: report.chips[chip].label, label: `${detail.cases[timing.case].label}${detail.kernels.length > 1 ? ` (${kernelName(detail, kernel)})` : ""}`, timing})));
  return section("Times", detail.kernels.length > 1 && quiet("Of the fastest right kernel on each chip."), timingTable(entries), samplesChart(entries),
    quiet("Share of the roofline: the least time that the chip's peaks allow over the time taken; the tick is the native operator."));
}

function caseSection(report, detail) {
  if (!detail.cases.length) return null;
  const rows = detail.cases.map((each, place) => [h("span", {class: "code small"}, each.label), each.purpose,
    ...report.chips.map((_, chip) => caseCell(detail, place, chip))]);
  return section("Cases", h("details", {open: detail.cases.length <= 150}, h("summary", {}, counted(detail.cases.length, "case")), table(["Arguments", "For", ...report.chips.map((chip) => chip.label)], rows, {label: "Verdict of each case"})));
}

function caseCell(detail, place, chip) {
  const letters = detail.kernels.map((kernel) => kernel.chips.find((each) => each.chip === chip)?.verdicts[place] ?? ".").filter((letter) => letter !== ".");
  const names = letters.map((letter) => verdictsByLetter.get(letter).name);
  if (!names.length) return h("td", {class: "quiet"}, "·");
  if (names.length === 1) return h("td", {}, names[0] === "passed" ? h("span", {class: "sign f-passed", title: "passed"}, "✓") : verdictTag(names[0]));
  const passed = names.filter((name) => name === "passed").length;
  return h("td", {}, h("span", {class: `sign f-${passed ? "passed" : familyOf(names[0])}`}, passed ? "✓" : glyph(names[0])), ` ${passed}/${names.length}`);
}

function absent(what, name) {
  return [h("h1", {}, `No such ${what}`), quiet(`This report has no ${what} ${name}.`), h("p", {}, h("a", {href: "#/"}, "To the overview"))];
}
