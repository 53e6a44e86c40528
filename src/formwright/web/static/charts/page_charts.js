// Draws the charts of a page when they come into view, in the colors of the page, and offers them for download.

import { chartConfig, chartHeight } from "./chart_config.js";
import { readNumbers, sumUpOthers, writeCsv } from "./chart_data.js";
import { SvgContext } from "./svg_context.js";

const EXPORT_WIDTH = 960;
const PRINT_WIDTH = 680;
const TITLE = 60;
const SERIES = [1, 2, 3, 4, 5, 6];

const root = document.documentElement;
const drawn = new Map();
const views = new IntersectionObserver(drawVisible, { rootMargin: "200px" });
const themes = new MutationObserver(redraw);
let library;
let loaded = null;

// All heights before the first change of the page: after each change, reading a style would compute all styles again.
const heights = [...document.querySelectorAll("figure[data-chart]")].map((figure) => [figure, heightOf(figure)]);
for (const [figure, height] of heights) prepare(figure, height);
themes.observe(root, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("beforeprint", drawForPrint);
addEventListener("afterprint", redraw);

function loadLibrary() {
  return (library ??= import("chart.js/auto").then((module) => (loaded = module)));
}

// The place of the chart has its height from the beginning, so nothing moves when it is drawn. The library is loaded at once,
// because a page can be printed before its charts were in view.
function prepare(figure, height) {
  figure.querySelector("figcaption .menu").hidden = false;
  figure.addEventListener(
    "click",
    ({ target }) => target.dataset?.download && download(figure, target.dataset.download),
  );
  if (!height) return;
  const place = figure.querySelector(".chart-canvas");
  place.style.height = `${height}px`;
  place.hidden = false;
  views.observe(figure);
  loadLibrary();
}

// 0 if there is nothing to draw.
function heightOf(figure) {
  const numbers = numbersOf(figure);
  return numbers.series.some(({ values }) => values.some(Boolean)) ? chartHeight(numbers, options(figure)) : 0;
}

async function drawVisible(entries) {
  const figures = entries.filter((entry) => entry.isIntersecting).map(({ target }) => target);
  if (!figures.length) return;
  await loadLibrary();
  for (const figure of figures) {
    views.unobserve(figure);
    if (!drawn.has(figure)) draw(figure);
  }
}

function redraw() {
  for (const figure of drawn.keys()) draw(figure);
}

// Charts that were never in view are printed, too.
function drawForPrint() {
  if (!loaded) return;
  const colors = lightColors();
  const figures = document.querySelectorAll("figure[data-chart]:has(.chart-canvas:not([hidden]))");
  for (const figure of figures) draw(figure, { colors, width: PRINT_WIDTH });
}

function draw(figure, { colors = currentColors(), width } = {}) {
  drawn.get(figure)?.destroy();
  const place = figure.querySelector(".chart-canvas");
  const config = chartConfig(numbersOf(figure), { ...options(figure), colors, width: width ?? place.clientWidth });
  const chart = new loaded.Chart(place.firstElementChild, config);
  if (width) chart.resize(width, place.clientHeight);
  drawn.set(figure, chart);
  figure.dataset.ready = colors.text;
}

function options(figure) {
  const { chart: kind, stacked } = figure.dataset;
  return { kind, stacked: stacked !== undefined, rtl: getComputedStyle(figure).direction === "rtl" };
}

function numbersOf(figure) {
  const numbers = readNumbers(figure.querySelector("table"));
  return figure.dataset.chart === "bars" ? sumUpOthers(numbers, Number(figure.dataset.rows)) : numbers;
}

function currentColors() {
  const style = getComputedStyle(root);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: color("text"),
    quiet: color("quiet"),
    line: color("line"),
    surface: color("surface"),
    series: SERIES.map((number) => color(`chart-${number}`)),
  };
}

// Paper and documents are white.
function lightColors() {
  const { theme } = root.dataset;
  root.dataset.theme = "light";
  const colors = currentColors();
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  themes.takeRecords();
  return colors;
}

async function download(figure, format) {
  figure.querySelector("figcaption .menu").open = false;
  const blob = format === "csv" ? csvFile(figure) : await pictureFile(figure, format);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${figure.id}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function csvFile(figure) {
  return new Blob([writeCsv(figure.querySelector("table"))], { type: "text/csv;charset=utf-8" });
}

async function pictureFile(figure, format) {
  const { BasicPlatform, Chart } = await loadLibrary();
  const numbers = numbersOf(figure);
  const height = chartHeight(numbers, options(figure)) + TITLE;
  const target = format === "svg" ? new SvgContext(EXPORT_WIDTH, height, root.lang) : canvas(EXPORT_WIDTH, height);
  const colors = lightColors();
  const title = figure.querySelector("figcaption > :first-child").textContent;
  const config = chartConfig(numbers, { ...options(figure), colors, width: EXPORT_WIDTH, title });
  config.platform = BasicPlatform;
  Object.assign(config.options, { responsive: false, devicePixelRatio: format === "svg" ? 1 : 2 });
  config.plugins.push(background(colors.surface));
  const chart = new Chart(format === "svg" ? target.canvas : target, config);
  if (format === "svg") return new Blob([target.toString()], { type: "image/svg+xml" });
  const blob = await new Promise((done) => target.toBlob(done, "image/png"));
  chart.destroy();
  return blob;
}

function canvas(width, height) {
  return Object.assign(document.createElement("canvas"), { width, height });
}

function background(color) {
  return {
    id: "background",
    beforeDraw({ ctx, width, height }) {
      ctx.save();
      ctx.fillStyle = color;
      ctx.fillRect(0, 0, width, height);
      ctx.restore();
    },
  };
}
