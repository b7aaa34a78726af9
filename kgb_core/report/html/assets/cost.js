// What a right kernel cost, where the authors of a pack tell.

function costView(report) {
  const told = report.packs.filter((pack) => pack.tokens !== undefined || pack.cost !== undefined || pack.seconds !== undefined);
  return [
    h("h1", {}, "Cost"), section("Packs", packTable(report)),
    told.length ? section("An operator with a right kernel", successTable(report), quiet("All that was spent on the pack, failures too, over the operators with a right kernel on the chip. Of interrupted runs, and of runs of a part of the suite, nothing is said. Intervals: 95 %, from Wilson's interval of the success rate."))
      : quiet("No pack says what it cost: tokens, cost and seconds in its pack.toml would be shown here."),
  ];
}

function packTable(report) {
  const head = ["Pack", "Method", "Model", ...["Tokens", "Cost", "Time", "Attempts"].map((text) => ({text, number: true})), "Licence", "Author"];
  const rows = report.packs.map((pack) => [pack.name, said(pack.method), said(pack.model), number(said(amount(pack.tokens))),
    number(said(dollars(pack.cost))), number(said(pack.seconds === undefined ? "" : duration(pack.seconds * 1e9))), number(said(amount(pack.attempts))), said(pack.licence), said(pack.author)]);
  return table(head, rows, {label: "Each pack"});
}

function said(value) {
  return value || h("span", {class: "quiet"}, "not said");
}

function dollars(value) {
  return typeof value === "number" ? `$${amount(value)}` : "";
}

function successTable(report) {
  const scores = report.scores.filter((score) => score.tokens || score.cost || score.seconds);
  const rows = scores.map((score) => [scoreName(report, score), number(`${score.accuracy.operators.count}/${score.accuracy.operators.total}`),
    ...perSuccess(score.tokens, amount), ...perSuccess(score.cost, dollars), ...perSuccess(score.seconds, (value) => duration(value * 1e9))]);
  const head = ["Chip", {text: "Right operators", number: true}, {text: "Tokens each", number: true}, "95 %", {text: "Cost each", number: true}, "95 %", {text: "Time each", number: true}, "95 %"];
  return table(head, rows, {label: "Cost of a right kernel"});
}

function perSuccess(found, format) {
  if (!found) return [h("td", {class: "n quiet"}, "not said"), ""];
  if (found.value === null) return [h("td", {class: "n quiet"}, "none is right"), ""];
  return [number(format(rounded(found.value))), between(found.interval, (value) => format(rounded(value)))];
}

function rounded(value) {
  return Number(value.toPrecision(4));
}
