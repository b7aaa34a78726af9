// Pieces that several views share.

/** A share of a total: an interval on a scale from 0 to 100 %, and the numbers. */
function share(found, absent = UNKNOWN) {
  if (!found || found.share === null || found.share === undefined) return h("td", {class: "quiet"}, absent);
  return h("td", {class: "measure"}, bar(found.interval, found.share, (value) => 100 * value),
    h("span", {class: "value"}, percent(found.share)),
    h("span", {class: "count"}, `${found.count}/${found.total}`),
    h("span", {class: "range"}, between(found.interval, (value) => (100 * value).toFixed(0))));
}

/** A speedup on a logarithmic scale from 1/8 to 8, with 1 in the middle. */
function speedup(value, interval) {
  if (value === null || value === undefined) return h("td", {class: "quiet"}, UNKNOWN);
  const place = (each) => 50 + (50 * Math.log2(Math.min(8, Math.max(0.125, each)))) / 3;
  return h("td", {class: "measure"}, bar(interval, value, place, true), h("span", {class: "value"}, times(value)),
    h("span", {class: "range"}, between(interval, (each) => significant(each))));
}

function bar(interval, value, place, middle = false) {
  const low = place(interval?.low ?? value);
  const high = place(interval?.high ?? value);
  return h("span", {class: middle ? "bar middle" : "bar", "aria-hidden": "true"},
    h("i", {style: {left: `${low}%`, width: `${Math.max(0, high - low)}%`}}), h("b", {style: {left: `${place(value)}%`}}));
}

function packTitle(pack) {
  return [pack.name, pack.model, pack.method].filter(Boolean).join(" · ");
}

function chipLink(report, chip) {
  return h("a", {href: `#/chip/${report.chips[chip].id}`}, report.chips[chip].label);
}

/** The source in front of the name is apart, so that a small screen can leave it out. */
function operatorLink(name) {
  const [source, rest] = name.includes("::") ? [name.slice(0, name.indexOf("::") + 2), name.slice(name.indexOf("::") + 2)] : ["", name];
  return h("a", {class: "code", href: `#/operator/${encodeURIComponent(name)}`, title: name}, source && h("span", {class: "source-name"}, source), rest);
}

function kernelLink(report, operator, kernel, text) {
  const address = [operator, report.packs[kernel.pack].name, kernel.name, kernel.sha256.slice(0, 12)];
  return h("a", {class: "code", href: `#/kernel/${address.map(encodeURIComponent).join("/")}`}, text ?? kernel.name);
}

function crumbs(...links) {
  return h("p", {class: "crumbs"}, links.flatMap((link, place) => (place ? [" / ", link] : [link])));
}
