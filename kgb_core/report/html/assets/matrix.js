// The matrix of operators and chips, with filters that live in the address.

const NO_FILTER = {q: "", source: "", kind: "", verdict: "", chip: "", pack: "-1"};

function matrixView(report, query) {
  const wanted = {...NO_FILTER, ...query};
  const count = h("p", {class: "quiet", role: "status"});
  const place = h("div", {});
  const show = () => { remember(wanted); fillMatrix(report, wanted, place, count); };
  const view = [h("h1", {}, "Operators and chips"), filters(report, wanted, show), count, legend(), place];
  fillMatrix(report, wanted, place, count);
  return view;
}

function remember(wanted) {
  const kept = Object.entries(wanted).filter(([name, value]) => value !== NO_FILTER[name]);
  const query = new URLSearchParams(kept).toString();
  history.replaceState(null, "", `#/matrix${query ? `?${query}` : ""}`);
}

function filters(report, wanted, show) {
  const change = (name) => (event) => { wanted[name] = event.target.value; show(); };
  const search = h("input", {type: "search", id: "q", placeholder: "Operator", "aria-label": "Search operators", value: wanted.q, autocomplete: "off", oninput: change("q")});
  return h("form", {class: "filters", role: "search", onsubmit: (event) => event.preventDefault()},
    search,
    choice("Source", "source", unique(report.operators.map((each) => each.source)), wanted, change),
    choice("Kind", "kind", unique(report.operators.map((each) => each.kind)), wanted, change),
    choice("Verdict", "verdict", ["right", "not right", "not measured", ...unique(report.cells.flatMap((cell) => cell.verdicts ?? []).filter((name) => name !== "passed"))], wanted, change),
    choice("Chip", "chip", report.chips.map((chip) => [chip.id, chip.label]), wanted, change),
    report.packs.length > 1 && choice("Pack", "pack", report.packs.map((pack, number) => [String(number), pack.name]), wanted, change, "-1"),
    h("button", {type: "button", onclick: () => { location.hash = "#/matrix"; if (location.hash === "#/matrix") navigate(); }}, "Clear"));
}

function unique(values) {
  return [...new Set(values.filter(Boolean))].sort();
}

function choice(label, name, values, wanted, change, none = "") {
  const options = [[none, `${label}: all`], ...values.map((value) => (Array.isArray(value) ? value : [value, value]))];
  return h("select", {name, "aria-label": label, onchange: change(name)},
    options.map(([value, text]) => h("option", {value, selected: value === wanted[name]}, text)));
}

function fillMatrix(report, wanted, place, count) {
  const chips = report.chips.map((chip, number) => ({...chip, number})).filter((chip) => !wanted.chip || chip.id === wanted.chip);
  const cells = new Map(report.cells.filter((cell) => String(cell.pack) === wanted.pack).map((cell) => [`${cell.operator} ${cell.chip}`, cell]));
  const rows = report.operators.map((operator, number) => ({...operator, number, cells: chips.map((chip) => cells.get(`${number} ${chip.number}`))}))
    .filter((row) => matches(row, wanted));
  count.textContent = `${rows.length} of ${counted(report.operators.length, "operator")}`;
  replace(place, rows.length ? matrixTable(chips, rows) : quiet("No operator fits."));
}

function matches(row, wanted) {
  if (wanted.q && !row.name.toLowerCase().includes(wanted.q.trim().toLowerCase())) return false;
  if (wanted.source && row.source !== wanted.source) return false;
  if (wanted.kind && row.kind !== wanted.kind) return false;
  return !wanted.verdict || row.cells.some((cell) => cellFits(cell, wanted.verdict));
}

function cellFits(cell, wanted) {
  if (wanted === "right") return cell?.verdict === "passed";
  if (wanted === "not measured") return !cell?.verdict;
  if (wanted === "not right") return Boolean(cell?.verdict) && cell.verdict !== "passed" && familyOf(cell.verdict) !== "not_the_candidates";
  return Boolean(cell?.verdicts?.includes(wanted));
}

function matrixTable(chips, rows) {
  const head = h("tr", {role: "row"}, h("th", {scope: "col", role: "columnheader"}, "Operator"),
    chips.map((chip) => h("th", {scope: "col", role: "columnheader", title: `${chip.label}, ${chip.device}, run ${chip.run}`}, h("a", {href: `#/chip/${chip.id}`}, chip.label))));
  const body = rows.map((row, line) => h("tr", {role: "row"},
    h("th", {scope: "row", role: "rowheader"}, operatorLink(row.name)),
    row.cells.map((cell, column) => matrixCell(row, chips[column], cell, line === 0 && column === 0))));
  const grid = h("table", {class: "matrix", role: "grid", "aria-label": "Operators and chips; arrow keys move", onkeydown: moveInMatrix, onfocusin: roveInMatrix},
    h("thead", {}, head), h("tbody", {}, body));
  return h("div", {class: "scroll matrix-frame"}, grid);
}

function matrixCell(row, chip, cell, first) {
  const family = familyOf(cell?.verdict);
  const several = cell && cell.judged > 1 ? `${cell.right}/${cell.judged}` : "";
  const words = [cell?.verdict ?? UNKNOWN, several && `${cell.right} of ${cell.judged} kernels right`, cell?.speedup && `${times(cell.speedup)} as fast`, cell?.missing && `${cell.missing} cases missing`];
  return h("td", {role: "gridcell", class: `f-${family} ${heat(cell)}`},
    h("a", {href: `#/operator/${encodeURIComponent(row.name)}?chip=${chip.id}`, tabindex: first ? 0 : -1, "aria-label": `${row.name} on ${chip.label}: ${words.filter(Boolean).join(", ")}`, title: words.filter(Boolean).join(", ")},
      h("b", {"aria-hidden": "true"}, FAMILIES[family].glyph), several && h("span", {}, several), cell?.speedup ? h("span", {}, times(cell.speedup)) : null));
}

function heat(cell) {
  if (cell?.verdict !== "passed" || !cell.speedup) return "";
  return `heat-${[0.8, 1, 1.25, 2].filter((limit) => cell.speedup >= limit).length}`;
}

function roveInMatrix(event) {
  if (!event.target.closest("td")) return;
  for (const link of event.currentTarget.querySelectorAll("td a[tabindex='0']")) link.tabIndex = -1;
  event.target.closest("a").tabIndex = 0;
}

const MOVES = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [-10, 0], PageDown: [10, 0], Home: [0, -Infinity], End: [0, Infinity]};

function moveInMatrix(event) {
  const move = MOVES[event.key];
  const cell = event.target.closest("td");
  if (!move || !cell) return;
  event.preventDefault();
  const lines = [...event.currentTarget.tBodies[0].rows];
  const line = lines[clamp(cell.parentElement.sectionRowIndex + move[0], 0, lines.length - 1)];
  line.cells[clamp(cell.cellIndex + move[1], 1, line.cells.length - 1)].querySelector("a").focus();
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}
