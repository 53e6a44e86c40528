// Draws the charts of a page when they come into view, in the colors of the page, and offers them for download.

import { createElement, query, queryAll } from "../dom.js";
import { computeChartHeight, createChartConfig } from "./chart_config.js";
import { combineOtherRows, formatCsv, readChartData } from "./chart_data.js";
import { SvgContext } from "./svg_context.js";

const EXPORT_WIDTH_PX = 960;
const PRINT_WIDTH_PX = 680;
const TITLE_HEIGHT_PX = 60;
const SERIES_NUMBERS = [1, 2, 3, 4, 5, 6];

const root = document.documentElement;
const chartsByFigure = new Map();
const visibilityObserver = new IntersectionObserver(drawVisibleCharts, { rootMargin: "200px" });
const themeObserver = new MutationObserver(redrawCharts);
/** @type {Promise<typeof import("chart.js/auto")> | null} */
let loading = null;
/** @type {typeof import("chart.js/auto") | null} */
let library = null;

// All heights before the first change of the page: after each change, reading a style would compute all styles again.
const heights = new Map(queryAll("figure[data-chart]").map((figure) => [figure, measureHeight(figure)]));
for (const [figure, height] of heights) prepareFigure(figure, height);
themeObserver.observe(root, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawCharts);
addEventListener("beforeprint", drawPrintCharts);
addEventListener("afterprint", redrawCharts);

function loadLibrary() {
  loading ??= import("chart.js/auto").then((module) => {
    library = module;
    return module;
  });
  return loading;
}

// The place of the chart has its height from the beginning, so nothing moves when it is drawn. The library is loaded at once,
// because a page can be printed before its charts were in view.
function prepareFigure(figure, height) {
  query("figcaption .menu", HTMLElement, figure).hidden = false;
  figure.addEventListener(
    "click",
    ({ target }) => target.dataset?.download && download(figure, target.dataset.download),
  );
  if (!height) return;
  const place = query(".chart-canvas", HTMLElement, figure);
  place.style.height = `${height}px`;
  place.hidden = false;
  visibilityObserver.observe(figure);
  loadLibrary();
}

// 0 if there is nothing to draw.
function measureHeight(figure) {
  const numbers = readFigureData(figure);
  return numbers.series.some(({ values }) => values.some(Boolean))
    ? computeChartHeight(numbers, readOptions(figure))
    : 0;
}

async function drawVisibleCharts(entries) {
  const figures = entries.filter((entry) => entry.isIntersecting).map(({ target }) => target);
  if (!figures.length) return;
  await loadLibrary();
  for (const figure of figures) {
    visibilityObserver.unobserve(figure);
    if (!chartsByFigure.has(figure)) drawChart(figure);
  }
}

function redrawCharts() {
  for (const figure of chartsByFigure.keys()) drawChart(figure);
}

// Charts that were never in view are printed, too.
function drawPrintCharts() {
  if (!library) return;
  const colors = readLightColors();
  const figures = document.querySelectorAll("figure[data-chart]:has(.chart-canvas:not([hidden]))");
  for (const figure of figures) drawChart(figure, { colors, width: PRINT_WIDTH_PX });
}

function drawChart(figure, /** @type {{colors?: any, width?: number}} */ { colors = readColors(), width } = {}) {
  chartsByFigure.get(figure)?.destroy();
  const place = figure.querySelector(".chart-canvas");
  const config = createChartConfig(readFigureData(figure), {
    ...readOptions(figure),
    colors,
    width: width ?? place.clientWidth,
  });
  const chart = new library.Chart(place.firstElementChild, config);
  if (width) chart.resize(width, place.clientHeight);
  chartsByFigure.set(figure, chart);
  figure.dataset.ready = colors.text;
}

function readOptions(figure) {
  const { chart: kind, stacked } = figure.dataset;
  return { kind, stacked: stacked !== undefined, rtl: getComputedStyle(figure).direction === "rtl" };
}

function readFigureData(figure) {
  const numbers = readChartData(figure.querySelector("table"));
  return figure.dataset.chart === "bars" ? combineOtherRows(numbers, Number(figure.dataset.rows)) : numbers;
}

function readColors() {
  const style = getComputedStyle(root);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: color("text"),
    quiet: color("quiet"),
    line: color("line"),
    surface: color("surface"),
    series: SERIES_NUMBERS.map((number) => color(`chart-${number}`)),
  };
}

// Paper and documents are white.
function readLightColors() {
  const { theme } = root.dataset;
  root.dataset.theme = "light";
  const colors = readColors();
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  themeObserver.takeRecords();
  return colors;
}

async function download(figure, format) {
  query("figcaption .menu", HTMLDetailsElement, figure).open = false;
  const blob = format === "csv" ? createCsvBlob(figure) : await createPictureBlob(figure, format);
  const link = createElement("a", { href: URL.createObjectURL(blob), download: `${figure.id}.${format}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function createCsvBlob(figure) {
  return new Blob([formatCsv(figure.querySelector("table"))], { type: "text/csv;charset=utf-8" });
}

async function createPictureBlob(figure, format) {
  const { BasicPlatform, Chart } = await loadLibrary();
  const numbers = readFigureData(figure);
  const height = computeChartHeight(numbers, readOptions(figure)) + TITLE_HEIGHT_PX;
  const colors = readLightColors();
  const title = figure.querySelector("figcaption > :first-child").textContent;
  const config = createChartConfig(numbers, { ...readOptions(figure), colors, width: EXPORT_WIDTH_PX, title });
  config.platform = BasicPlatform;
  Object.assign(config.options, { responsive: false, devicePixelRatio: format === "svg" ? 1 : 2 });
  config.plugins.push(createBackgroundPlugin(colors.surface));
  if (format === "svg") {
    const context = new SvgContext(EXPORT_WIDTH_PX, height, root.lang);
    new Chart(/** @type {any} */ (context.canvas), config);
    return new Blob([context.toString()], { type: "image/svg+xml" });
  }
  const canvas = createElement("canvas", { width: EXPORT_WIDTH_PX, height });
  const chart = new Chart(canvas, config);
  /** @type {Blob} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  chart.destroy();
  return blob;
}

function createBackgroundPlugin(color) {
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
