// From the address to a view. Views are functions of the report; nothing else is kept.

const VIEWS = [["", "Overview"], ["matrix", "Matrix"], ["failures", "Failures"], ["portability", "Portability"], ["cost", "Cost"], ["compiled", "Compiled only"], ["chips", "Chips"]];
const THEMES = ["auto", "light", "dark"];
const main = document.getElementById("main");
let overview;
let wantedView = 0;
let matrixAddress = "#/matrix";
let returning = "";

function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return {parts: path.split("/").map(decoded), query: Object.fromEntries(new URLSearchParams(query))};
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function view({parts: [name, ...rest], query}) {
  switch (name) {
    case "": return overviewView(overview);
    case "matrix": return matrixView(overview, query);
    case "failures": return failuresView(overview);
    case "portability": return portabilityView(overview);
    case "cost": return costView(overview);
    case "compiled": return compiledView(overview);
    case "chips": return chipsView(overview);
    case "chip": return chipView(overview, rest[0]);
    case "operator": return operatorView(overview, rest[0], query);
    case "kernel": return kernelView(overview, rest);
    default: return absent("page", name);
  }
}

async function navigate(event) {
  const number = ++wantedView;
  const before = event?.oldURL?.split("#")[1] ?? "";
  if (before.startsWith("/matrix")) matrixAddress = `#${before}`;
  const wanted = address();
  const content = await view(wanted);
  if (number !== wantedView) return;
  replace(main, content);
  markNav(wanted.parts[0]);
  focusOn(wanted.parts[0], number);
  document.title = `${main.querySelector("h1")?.textContent ?? "KGB"} · KGB`;
  main.dataset.view = location.hash;
}

/** Back in the matrix the focus is where it was; else it goes to the head of the new view. */
function focusOn(name, number) {
  scrollTo(0, 0);
  const left = name === "matrix" && returning && [...main.querySelectorAll(".matrix td a")].find((link) => link.getAttribute("href").startsWith(returning));
  returning = "";
  if (left) left.focus();
  else if (number > 1) main.focus({preventScroll: true});
}

function markNav(name) {
  const shown = VIEWS.filter(([view]) => view !== "compiled" || overview.compiled.targets.length);
  const current = {operator: "matrix", kernel: "matrix", chip: "chips"}[name] ?? name;
  replace(document.getElementById("nav"), shown.map(([view, title]) => h("a", {href: `#/${view}`, "aria-current": view === current ? "page" : null}, title)));
}

function stored(value) {
  // A page opened from a file may not store anything; then the choice lasts as long as the page.
  try {
    if (value) localStorage.setItem("kgb-theme", value);
    return localStorage.getItem("kgb-theme");
  } catch {
    return value;
  }
}

function setTheme(theme) {
  const button = document.getElementById("theme");
  document.documentElement.dataset.theme = theme;
  button.textContent = {auto: "◐ auto", light: "○ light", dark: "● dark"}[theme];
  button.setAttribute("aria-label", `Colours: ${theme}. Change`);
  redraw();
}

function nextTheme() {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  stored(next);
  setTheme(next);
}

function onKey(event) {
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key === "/" && !typing) return goSearch(event);
  if (event.key !== "Escape") return;
  if (typing?.value && typing.id === "q") {
    typing.value = "";
    typing.dispatchEvent(new Event("input"));
  } else goUp(address().parts);
}

/** From a kernel to its operator, from there to the matrix as it was, from a chip to the chips. */
function goUp([name, operator]) {
  if (name === "kernel") location.hash = `#/operator/${encodeURIComponent(operator)}`;
  if (name === "chip") location.hash = "#/chips";
  if (name !== "operator") return;
  returning = `#/operator/${encodeURIComponent(operator)}`;
  location.hash = matrixAddress;
}

async function goSearch(event) {
  event.preventDefault();
  if (address().parts[0] !== "matrix") {
    history.pushState(null, "", "#/matrix");
    await navigate();
  }
  document.getElementById("q").focus();
}

/** Scores with the numbers of their pack and chip in them. */
function arranged(found) {
  return {...found, scores: found.scores.map(({pack, chip, score}) => ({...score, pack, chip}))};
}

async function start() {
  if (typeof DecompressionStream === "undefined") {
    replace(main, h("p", {class: "banner"}, "This browser is too old for this page: it can't unpack the data. One from 2023 or later can."));
    return;
  }
  learnVerdicts(await record("verdicts"));
  overview = arranged(await record("overview"));
  setTheme(stored() ?? "auto");
  document.getElementById("theme").addEventListener("click", nextTheme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("hashchange", navigate);
  addEventListener("keydown", onKey);
  await navigate();
  performance.mark("ready");
}

await start();
