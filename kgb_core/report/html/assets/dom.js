// Elements from data. Text becomes text nodes, never markup: what a candidate printed can't become an element.

/** h("a", {href: "#/", class: "x"}, "text", child, [children]) */
function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function replace(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

/** A table that scrolls in itself where it is wider than the page. */
function table(head, rows, properties) {
  const header = h("thead", {}, h("tr", {}, head.map((cell) => heading(cell))));
  const body = h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, place) => tableCell(cell, place)))));
  return h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": properties?.label ?? "Table"},
    h("table", properties?.class ? {class: properties.class} : {}, header, body));
}

function heading(cell) {
  const {text, number} = typeof cell === "object" ? cell : {text: cell};
  return h("th", {scope: "col", class: number ? "n" : null}, text);
}

function tableCell(cell, place) {
  if (cell instanceof HTMLTableCellElement) return cell;
  return h(place === 0 ? "th" : "td", place === 0 ? {scope: "row"} : {}, cell);
}

function number(text) {
  return h("td", {class: "n"}, text);
}

function section(title, ...children) {
  const id = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return h("section", {"aria-labelledby": id}, h("h2", {id}, title), children);
}

function quiet(text) {
  return h("p", {class: "quiet"}, text);
}

function facts(list) {
  return h("dl", {class: "facts"}, list.filter((each) => each.value !== "" && each.value !== null && each.value !== undefined)
    .map((each) => h("div", {}, h("dt", {}, each.name), h("dd", {}, each.value))));
}
