// What was observed of a candidate: the first record of each verdict, with its evidence.

function observation(cases, found) {
  const evidence = found.evidence ?? {};
  return h("article", {class: "observation"},
    h("h3", {}, verdictTag(found.verdict), " ", h("span", {class: "code small"}, cases[found.case].label)),
    found.message ? h("pre", {class: "message"}, found.message) : null,
    facts([...errorFacts(found.errors), ...evidenceFacts(evidence), ...toleranceFacts(found.tolerance)]),
    logPart("Traceback", evidence.traceback, true), logPart("Printed", evidence.output, false));
}

function errorFacts(errors) {
  if (!errors) return [];
  const worst = errors.got ? `got ${errors.got}, want ${errors.want ?? ""} at (${(errors.worst_index ?? []).join(", ")})` : "";
  return [
    {name: "largest error", value: `${significant(errors.max_abs)} absolute, ${significant(errors.max_rel)} relative, ${significant(errors.max_ulp)} ulp`},
    {name: "worst", value: worst},
    {name: "bound", value: `needs ${significant(errors.scale)} times the bound${errors.native_scale === undefined ? "" : `; the native operator ${significant(errors.native_scale)}`}`},
  ];
}

function evidenceFacts(evidence) {
  const listed = (values) => (values ?? []).join(", ");
  return [
    {name: "launches", value: evidence.calls ? `${counted(evidence.launches ?? 0, "Triton launch", "Triton launches")} in ${counted(evidence.calls, "call")}` : ""},
    {name: "kernels", value: listed(evidence.kernels)},
    {name: "dispatched", value: Object.entries(evidence.aten ?? {}).map(([name, count]) => `${name} ×${count}`).join(", ")},
    {name: "native work", value: listed(evidence.foreign)}, {name: "changed inputs", value: listed(evidence.mutated)},
    {name: "out of bounds", value: listed(evidence.guards)}, {name: "shares memory with", value: listed(evidence.aliases)},
    {name: "in the source", value: (evidence.findings ?? []).map((finding) => `line ${finding.line}: ${finding.text}`).join("; ")},
    {name: "ended by", value: evidence.exit ?? ""},
  ];
}

function toleranceFacts(tolerance) {
  if (!tolerance) return [];
  return [{name: "tolerance", value: `by ${tolerance.source ?? "core"}: ${tolerance.reason ?? "no reason given"}`}];
}

function logPart(title, text, open) {
  return text ? h("details", {open}, h("summary", {}, title), h("pre", {}, text)) : null;
}

/** Verdicts of every case, one sign each; the same line on every chip. */
function caseSigns(detail, found) {
  return h("span", {class: "signs"}, [...found.verdicts].map((letter, place) => {
    const verdict = verdictsByLetter.get(letter)?.name;
    return h("span", {class: `sign f-${familyOf(verdict)}`, title: `${detail.cases[place].label}: ${verdict ?? UNKNOWN}`}, glyph(verdict));
  }));
}
