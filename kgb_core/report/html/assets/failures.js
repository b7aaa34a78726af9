// What goes wrong, by chip: how often each verdict was given.

function failuresView(report) {
  const names = [...verdictsByName.keys()].filter((name) => report.chips.some((chip) => chip.taxonomy.some((each) => each.verdict === name)));
  return [
    h("h1", {}, "What goes wrong"), quiet("Each judged case has one verdict. Kernels are counted under the gravest of theirs; the word leads to the operators."),
    section("Kernels", taxonomyTable(report, names, "kernels")), section("Cases", taxonomyTable(report, names, "cases")), legend(),
  ];
}

function taxonomyTable(report, names, field) {
  const counts = new Map(report.chips.flatMap((chip, place) => chip.taxonomy.map((each) => [`${place} ${each.verdict}`, each[field]])));
  const totals = report.chips.map((_, chip) => names.reduce((sum, name) => sum + (counts.get(`${chip} ${name}`) ?? 0), 0));
  const used = names.filter((name) => report.chips.some((_, chip) => counts.get(`${chip} ${name}`)));
  const rows = used.map((name) => [h("a", {class: "bare", href: `#/matrix?verdict=${name === "passed" ? "right" : name}`}, verdictTag(name)),
    ...report.chips.map((_, chip) => countCell(counts.get(`${chip} ${name}`) ?? 0, totals[chip], name))]);
  return table(["Verdict", ...report.chips.map((chip) => ({text: chip.label, number: true}))], rows, {label: `${field} by verdict and chip`});
}

function countCell(count, total, name) {
  if (!count) return h("td", {class: "n quiet"}, "0");
  return h("td", {class: "n filled"}, h("i", {class: `f-${familyOf(name)}`, "aria-hidden": "true", style: {width: `${(100 * count) / total}%`}}), h("span", {}, amount(count)));
}
