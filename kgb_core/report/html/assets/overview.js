// The first view: how much is right and how fast, on each chip.

function overviewView(report) {
  return [
    h("h1", {}, "What is right, and how fast"), summaryLine(report), notices(report),
    section("By chip", scoreTable(report), scoreNote()),
    fastSection(report), sharesSection(report), attemptsSection(report), coverageSection(report), externalSection(report),
  ];
}

function summaryLine(report) {
  const kernels = report.operators.reduce((sum, operator) => sum + operator.kernels, 0);
  const parts = [report.suites.map((suite) => `suite ${suite}`).join(", "), counted(report.chips.length, "chip"),
    counted(report.operators.length, "operator"), counted(kernels, "kernel"), counted(report.records, "judged case"), `kgb ${report.version}`];
  return h("p", {class: "quiet"}, parts.filter(Boolean).join(" · "));
}

function notices(report) {
  return report.notices.map((notice) => h("p", {class: "notice"}, notice));
}

function scoreTable(report) {
  const several = report.packs.length > 1;
  const suite = report.scores.some((score) => score.accuracy.suite);
  const head = ["Chip", several && "Pack", "Right operators", suite && "Of the whole suite", "Speedup", {text: "Timed", number: true}, "If failures fall back", "Without launch-bound", ""];
  const rows = report.scores.map((score) => [
    h("th", {scope: "row"}, chipLink(report, score.chip)),
    several && h("td", {}, packTitle(report.packs[score.pack])),
    share(score.accuracy.operators), suite && share(score.accuracy.suite, "not known here"), ...speedCells(report, score), h("td", {class: "quiet"}, leftOut(score)),
  ].filter(Boolean));
  return table(head.filter((each) => each !== false), rows, {label: "Scores by chip", class: "scores"});
}

function speedCells(report, score) {
  const reason = report.chips[score.chip].untimed;
  if (!score.speedup.wanted) return [h("td", {class: "quiet", colspan: 4}, reason ? `not timed: ${reason}` : "not timed")];
  return [
    speedup(score.speedup.value, score.speedup.interval), number(`${score.speedup.matched}/${score.speedup.wanted}`),
    score.speedup.matched === score.speedup.wanted ? same("nothing failed") : speedup(score.speedup.penalised, score.speedup.penalised_interval),
    score.overhead_free.wanted === score.speedup.wanted ? same("none is") : speedup(score.overhead_free.value, score.overhead_free.interval),
  ];
}

function same(why) {
  return h("td", {class: "quiet"}, `the same: ${why}`);
}

function leftOut(score) {
  const parts = [];
  const {unfinished, left_out: out} = score.accuracy;
  if (unfinished.length) parts.push(`${counted(unfinished.length, "operator")} not finished`);
  if (out.length) parts.push(`${counted(out.length, "operator")} can't be judged there`);
  return parts.join("; ");
}

function scoreNote() {
  return quiet("An operator is right where one of its kernels passed every case that counts. Speedup: geometric mean over operators of native time " +
    "over kernel time, fastest right kernel each; it covers only those that were timed. Thick bars are 95 % intervals: Wilson for shares, BCa bootstrap over operators for speedups.");
}

function fastSection(report) {
  const scores = report.scores.filter((score) => score.fast.length);
  if (!scores.length) return section("Faster than p times native", quiet("No kernel was timed."));
  const steps = scores[0].fast.map((point) => point.p);
  const rows = scores.map((score) => [scoreName(report, score),
    ...score.fast.map((point) => number(point.problems.share === null ? "" : percent(point.problems.share)))]);
  return section("Faster than p times native", chart("Share of operators that are right and faster than p", (palette) => fastCurve(report, scores, palette), legendHeight(scores.length)),
    h("details", {}, h("summary", {}, "As a table"), table(["p", ...steps.map((step) => ({text: String(step), number: true}))], rows, {label: "fast_p"})),
    quiet("fast_p: the share of the operators of which a time is asked that are right and more than p times as fast as the native operator."));
}

function scoreName(report, score) {
  const pack = report.packs.length > 1 ? `, ${report.packs[score.pack].name}` : "";
  return report.chips[score.chip].label + pack;
}

function fastCurve(report, scores, palette) {
  const data = scores.map((score, place) => ({
    name: scoreName(report, score), mode: "lines+markers", x: score.fast.map((point) => String(point.p)), y: score.fast.map((point) => 100 * (point.problems.share ?? 0)),
    line: {color: palette.lines[place % palette.lines.length], dash: DASHES[Math.floor(place / palette.lines.length) % DASHES.length], width: 2},
    marker: {symbol: MARKS[place % MARKS.length], size: 7},
    hovertemplate: "p = %{x}<br>%{y:.1f} %<extra>%{fullData.name}</extra>",
  }));
  return {data: data.map(plainName), layout: {xaxis: {title: {text: "p"}, type: "category"}, yaxis: {range: [0, 103], ticksuffix: " %"}, showlegend: true}};
}

/** On a small screen each line of the chart has a line of its own in the legend. */
function legendHeight(count) {
  return innerWidth < 640 ? 280 + 26 * count : 340;
}

/** plotly reads some tags in names; ours have none. */
function plainName(trace) {
  return {...trace, name: trace.name.replaceAll("<", "‹").replaceAll(">", "›")};
}

function sharesSection(report) {
  const groups = ["sources", "kinds"].map((field) => sharesTable(report, field)).filter(Boolean);
  return groups.length ? section("By source and kind", groups) : null;
}

function sharesTable(report, field) {
  const names = [...new Set(report.scores.flatMap((score) => score.accuracy[field].map((each) => each.name)))].sort();
  if (!names.length) return null;
  const rows = report.scores.map((score) => [scoreName(report, score), ...names.map((name) => share(score.accuracy[field].find((each) => each.name === name)?.operators))]);
  return table([field === "sources" ? "Source" : "Kind", ...names], rows, {label: `Right operators by ${field}`});
}

function attemptsSection(report) {
  const scores = report.scores.filter((score) => score.attempts.length);
  if (!scores.length) return null;
  const ks = [...new Set(scores.flatMap((score) => score.attempts.map((each) => each.k)))].sort((a, b) => a - b);
  const rows = scores.map((score) => [scoreName(report, score), ...ks.map((k) => {
    const found = score.attempts.find((each) => each.k === k);
    return number(found && found.value !== null ? `${percent(found.value)}  (${counted(found.problems, "operator")})` : UNKNOWN);
  })]);
  return section("With several attempts", table(["", ...ks.map((k) => ({text: `pass@${k}`, number: true}))], rows, {label: "pass@k"}));
}

function coverageSection(report) {
  const absent = report.operators.filter((operator) => !operator.kernels);
  const total = report.operators.length;
  if (!absent.length) return null;
  return section("Without a kernel", quiet(`${counted(total - absent.length, "operator")} of ${total} in the suite have a kernel. For the others nobody submitted one; they are in no score.`),
    h("details", {}, h("summary", {}, counted(absent.length, "operator")), h("p", {class: "names"}, absent.flatMap((operator) => [operatorLink(operator.name), " "]))));
}

function externalSection(report) {
  if (!report.external?.length) return null;
  const rows = report.external.map((row) => [row.method, row.chip, number(percent(row.accuracy)), number(times(row.speedup)), row.source, row.note ?? ""]);
  return section("Published by others", quiet("Not measured here, and in none of the scores above."),
    table(["Method", "Chip", {text: "Accuracy", number: true}, {text: "Speedup", number: true}, "Source", "Note"], rows, {label: "Published figures"}));
}
