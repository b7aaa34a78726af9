// Times of one operator or candidate: a table of medians, and the raw samples as a chart.

/** entries: [{chip, label, timing}], one a timed case; without a chip where all are of one. */
function timingTable(entries) {
  const chips = entries.some((entry) => entry.chip);
  const head = [chips && "Chip", "Case", {text: "Kernel", number: true}, "95 % of the median", {text: "Native", number: true}, "Speedup", "Share of the roofline", ""].filter(Boolean);
  return table(head, entries.map(({chip, label, timing}) => [chip, h("span", {class: "small"}, label), number(duration(timing.candidate.median)), h("td", {class: "range"}, between(timing.candidate.interval, duration)),
    number(duration(timing.baseline.median)), timing.invalid ? h("td", {class: "quiet"}, "not believed") : speedup(timing.speedup, timing.interval), roofline(timing), timingNote(timing)].filter((cell) => cell !== undefined)), {label: "Times of each case"});
}

function roofline(timing) {
  if (typeof timing.floor !== "number" || !(timing.candidate.median > 0)) return h("td", {class: "quiet"}, "no peak is known");
  const reached = timing.floor / timing.candidate.median;
  const native = timing.baseline.median > 0 ? timing.floor / timing.baseline.median : 0;
  return h("td", {class: "measure", title: `at least ${duration(timing.floor)} by ${timing.floor_source ?? "its peaks"}`},
    h("span", {class: "bar roof", "aria-hidden": "true"}, h("i", {style: {left: 0, width: `${Math.min(100, 100 * reached)}%`}}), h("b", {style: {left: `${Math.min(100, 100 * native)}%`}})),
    h("span", {class: "value"}, percent(reached)), h("span", {class: "range"}, `native ${percent(native)}`));
}

function timingNote(timing) {
  return [timing.invalid && `not believed: ${timing.invalid}`, timing.overhead_bound && "launch-bound", timing.bimodal && "two modes", timing.method !== "events" && `by ${timing.method}`].filter(Boolean).join("; ");
}

/** Raw samples of every entry, kernel beside native, with median and interval. */
function samplesChart(entries) {
  const shown = entries.filter(({timing}) => timing.candidate.samples?.length);
  if (!shown.length) return quiet("The raw times are in the bundle: of so many, this page keeps those of the fastest right kernels.");
  const picker = h("select", {"aria-label": "Case"}, shown.map((entry, place) => h("option", {value: place}, entry.chip ? `${entry.chip}: ${entry.label}` : entry.label)));
  const place = h("div", {});
  const show = () => replace(place, chart("Raw times of kernel and native operator", (palette) => samplesPlot(shown[Number(picker.value)].timing, palette), 260), sampleNote(shown[Number(picker.value)].timing));
  picker.addEventListener("change", show);
  show();
  return h("div", {}, h("label", {class: "pick"}, "Raw times of ", picker), place);
}

function samplesPlot(timing, palette) {
  const sides = [["native", timing.baseline, palette.lines[1], "square"], ["kernel", timing.candidate, palette.lines[0], "circle"]];
  const points = sides.map(([name, side, color, symbol], place) => ({
    name, x: side.samples ?? [], y: (side.samples ?? []).map((_, each) => place + (((each * 37) % 41) / 41 - 0.5) * 0.5), mode: "markers",
    marker: {color, symbol, size: 6, opacity: 0.55}, hovertemplate: "%{x:,} ns<extra>%{fullData.name}</extra>",
  }));
  const medians = sides.map(([name, side, color], place) => ({
    name: `${name}, median`, x: [side.median], y: [place + 0.38], mode: "markers", marker: {color, symbol: "diamond", size: 10}, showlegend: false,
    error_x: {type: "data", symmetric: false, array: [side.interval.high - side.median], arrayminus: [side.median - side.interval.low], color, thickness: 2, width: 5},
    hovertemplate: "median %{x:,} ns<extra>%{fullData.name}</extra>",
  }));
  const floor = typeof timing.floor === "number" ? [{type: "line", x0: timing.floor, x1: timing.floor, y0: -0.5, y1: 1.6, line: {color: palette.muted, dash: "dot", width: 1.5}}] : [];
  return {data: [...points, ...medians], layout: {shapes: floor, showlegend: false,
    xaxis: {title: {text: "ns on the device"}, rangemode: "tozero", tickformat: ",", nticks: 6}, yaxis: {tickvals: [0, 1], ticktext: ["native", "kernel"], range: [-0.5, 1.6], showgrid: false, zeroline: false}}};
}

function sampleNote(timing) {
  const floor = typeof timing.floor === "number" ? ` Dotted: the roofline floor, ${duration(timing.floor)}${timing.floor_source ? `, by ${timing.floor_source}` : ""}.` : "";
  return quiet(`${timing.candidate.count} samples each, nothing left out. Diamonds: medians with their 95 % intervals.${floor}`);
}
