// Compile-only results: nothing was launched.

function compiledView(report) {
  const {targets, cells} = report.compiled;
  if (!targets.length) return [h("h1", {}, "Compiled only"), quiet("No compile-only results were given.")];
  const byKernel = Map.groupBy ? Map.groupBy(cells, (cell) => `${cell.operator} ${cell.kernel}`) : grouped(cells);
  const rows = [...byKernel.values()].map((group) => [h("span", {}, operatorOrName(report, group[0].operator), " ", h("span", {class: "quiet"}, group[0].kernel)),
    ...targets.map((_, target) => compiledCell(group.find((cell) => cell.target === target)))]);
  return [h("h1", {}, "Compiled only"),
    h("p", {class: "notice"}, "These kernels were compiled and not run. A kernel that compiles may still be wrong or fail to launch, so nothing here counts as right."),
    compiledSums(targets, cells), table(["Kernel", ...targets], rows, {label: "Compile-only results"})];
}

function grouped(cells) {
  const groups = new Map();
  for (const cell of cells) {
    const key = `${cell.operator} ${cell.kernel}`;
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return groups;
}

function operatorOrName(report, name) {
  return report.operators.some((operator) => operator.name === name) ? operatorLink(name) : h("span", {class: "code"}, name);
}

function compiledSums(targets, cells) {
  return h("ul", {class: "plain"}, targets.map((name, target) => {
    const these = cells.filter((cell) => cell.target === target);
    return h("li", {}, h("b", {}, name), ` ${these.filter((cell) => cell.status === "compiled").length} of ${counted(these.length, "kernel")} compiled`);
  }));
}

function compiledCell(cell) {
  if (!cell) return h("td", {class: "quiet"}, "not tried");
  const compiled = cell.status === "compiled";
  return h("td", {class: "compiled"}, h("span", {class: cell.ok ? "" : "bad"}, h("b", {"aria-hidden": "true"}, cell.ok ? (compiled ? "○ " : "– ") : "# "), compiled ? cell.stage : cell.status),
    cell.message ? h("div", {class: "quiet small"}, cell.message) : null);
}
