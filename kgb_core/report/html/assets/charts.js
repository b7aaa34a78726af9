// Charts by plotly, unpacked when the first one comes into view. Colours come from the style sheet.

const drawn = new Map();
let library;

function plotly() {
  library ??= blob("charts").then((source) => {
    const script = document.createElement("script");
    script.textContent = source;
    document.head.append(script);
    script.remove();
    return window.Plotly ?? window.moduleName;
  });
  return library;
}

/** A place for a chart; it is drawn when it is seen, and again when the colours change. */
function chart(label, make, height = 320) {
  const place = h("div", {class: "chart", role: "img", "aria-label": label, style: {height: `${height}px`}});
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    drawn.set(place, make);
    draw(place, make);
  }, {rootMargin: "2000px"});
  watcher.observe(place);
  return place;
}

async function draw(place, make) {
  const library = await plotly();
  const {data, layout} = make(colours());
  await library.react(place, data, framed(layout), {displayModeBar: false, responsive: true});
  place.dataset.drawn = "";
}

function redraw() {
  for (const [place, make] of drawn) {
    if (place.isConnected) draw(place, make);
    else drawn.delete(place);
  }
}

function colours() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(name).trim();
  const lines = [1, 2, 3, 4, 5, 6, 7].map((number) => get(`--line-${number}`));
  return {ink: get("--ink"), muted: get("--muted"), rule: get("--rule"), lines};
}

function framed(layout) {
  const {ink, muted, rule} = colours();
  const axis = {gridcolor: rule, linecolor: rule, zerolinecolor: rule, tickcolor: rule, tickfont: {color: muted}, automargin: true, fixedrange: true};
  return {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: {color: ink, family: "system-ui, sans-serif", size: 13},
    margin: {l: 10, r: 10, t: 10, b: 44}, hoverlabel: {font: {family: "system-ui, sans-serif"}},
    legend: {orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: {size: 12}}, dragmode: false,
    ...layout,
    xaxis: {...axis, ...layout.xaxis}, yaxis: {...axis, ...layout.yaxis},
  };
}

const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const MARKS = ["circle", "square", "diamond", "triangle-up", "x", "cross", "star"];
