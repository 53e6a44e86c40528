// The configuration of Chart.js for the kinds of charts that we have.

const FONT = {
  size: 13,
  family: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
};
const ROW_HEIGHT_PX = 30;
const BAR_HEIGHT_PX = 18;
const COLUMN_CHART_HEIGHT_PX = 260;
const CHART_STYLES = {
  bars: { type: "bar", style: () => ({ categoryPercentage: 0.8, barPercentage: 0.9, maxBarThickness: 24 }) },
  columns: { type: "bar", style: () => ({ categoryPercentage: 0.98, barPercentage: 0.98, maxBarThickness: 160 }) },
  line: { type: "line", style: (values) => ({ borderWidth: 2, pointRadius: values.length > 60 ? 0 : 3, tension: 0 }) },
};

// How high a chart is drawn, in pixels.
export function computeChartHeight({ labels, series }, { kind, stacked }) {
  const legend = series.length > 1 ? 40 : 0;
  if (kind !== "bars") return COLUMN_CHART_HEIGHT_PX + legend;
  const row = stacked ? ROW_HEIGHT_PX : Math.max(ROW_HEIGHT_PX, series.length * BAR_HEIGHT_PX + 10);
  const axis = series.length > 1 ? 32 : 8;
  return labels.length * row + axis + legend;
}

/**
 * `colors` are those of the color scheme. `width` is that of the whole chart, `rtl` whether the page runs from right to left.
 * @returns {any} the configuration for Chart.js
 */
export function createChartConfig(numbers, { kind, stacked, colors, width, rtl, title = "" }) {
  const bars = kind === "bars";
  const single = numbers.series.length === 1;
  const endTexts = bars && single ? formatValues(numbers.series[0]) : numbers.notes;
  const measure = createTextMeasure();
  const edge = title ? 16 : 0;
  const reserve = endTexts ? Math.max(...endTexts.map(measure)) + 12 : 0;
  return {
    type: CHART_STYLES[kind].type,
    data: {
      labels: numbers.labels,
      datasets: numbers.series.map((one, at) => createDataset(one, at, { kind, stacked, colors })),
    },
    options: {
      indexAxis: bars ? "y" : "x",
      animation: false,
      maintainAspectRatio: false,
      locale: document.documentElement.lang,
      color: colors.text,
      font: FONT,
      interaction: { mode: "index", axis: bars ? "y" : "x", intersect: false },
      layout: { padding: { left: edge, right: edge, bottom: edge, top: 4, [rtl ? "left" : "right"]: edge + reserve } },
      scales: bars
        ? createBarScales({ stacked, colors, rtl, showAxis: !endTexts, width, measure })
        : createColumnScales({ stacked, colors, rtl }),
      plugins: {
        title: {
          display: Boolean(title),
          text: title,
          color: colors.text,
          font: { ...FONT, size: 16 },
          align: "start",
        },
        legend: {
          display: !single,
          rtl,
          align: "start",
          labels: { color: colors.text, font: FONT, boxWidth: 14, boxHeight: 14, generateLabels: createLegendLabels },
        },
        tooltip: { rtl, titleFont: FONT, bodyFont: FONT, callbacks: { label: createTooltipLabel(numbers) } },
      },
    },
    plugins: endTexts ? [createEndTextPlugin(endTexts, numbers.series, colors, rtl)] : [],
  };
}

function createDataset({ name, values }, at, { kind, stacked, colors }) {
  const color = colors.series[at % colors.series.length];
  const shared = { label: name, data: values, backgroundColor: color, borderColor: color };
  // A line between stacked parts, for those who can't tell the colors apart.
  const parts =
    stacked && CHART_STYLES[kind].type === "bar"
      ? { borderColor: colors.surface, borderWidth: 1, borderSkipped: false }
      : {};
  return { ...shared, ...CHART_STYLES[kind].style(values), ...parts };
}

function createBarScales({ stacked, colors, rtl, showAxis, width, measure }) {
  const most = Math.max(90, width * 0.38);
  const ticks = {
    color: colors.text,
    font: FONT,
    autoSkip: false,
    crossAlign: "far",
    callback(index) {
      return isolateDirection(shortenLabel(this.getLabelForValue(index), most, measure));
    },
  };
  return {
    x: { stacked, reverse: rtl, beginAtZero: true, display: showAxis, ...createNumberAxis(colors) },
    y: { stacked, position: rtl ? "right" : "left", ticks, grid: { display: false }, border: { color: colors.line } },
  };
}

function createColumnScales({ stacked, colors, rtl }) {
  const ticks = {
    color: colors.quiet,
    font: FONT,
    maxRotation: 0,
    autoSkipPadding: 12,
    callback(index) {
      return isolateDirection(this.getLabelForValue(index));
    },
  };
  return {
    x: { stacked, reverse: rtl, ticks, grid: { display: false }, border: { color: colors.line } },
    y: { stacked, position: rtl ? "right" : "left", beginAtZero: true, ...createNumberAxis(colors) },
  };
}

function createNumberAxis(colors) {
  return {
    ticks: { color: colors.quiet, font: FONT, precision: 0, maxTicksLimit: 6 },
    grid: { color: colors.line },
    border: { display: false },
  };
}

function createLegendLabels(chart) {
  const most = chart.width * 0.8;
  const measure = createTextMeasure();
  return chart.data.datasets.map((one, at) => ({
    text: isolateDirection(shortenLabel(one.label, most - 40, measure)),
    fillStyle: one.backgroundColor,
    strokeStyle: one.backgroundColor,
    fontColor: chart.options.color,
    datasetIndex: at,
    hidden: !chart.isDatasetVisible(at),
  }));
}

function createTooltipLabel({ series }) {
  return ({ datasetIndex, dataIndex }) => {
    const one = series[datasetIndex];
    const name = series.length > 1 ? `${isolateDirection(one.name)}: ` : "";
    return name + formatValues(one)[dataIndex];
  };
}

function formatValues({ texts, shares }) {
  return texts.map((text, at) => (shares?.[at] == null ? text : `${text} · ${formatShare(shares[at])}`));
}

// As `format_share` writes them in the table.
function formatShare(share) {
  if (share > 0 && share < 0.005) return "<1%";
  if (share >= 0.995 && share < 1) return ">99%";
  return `${Math.round(share * 100)}%`;
}

// Writes a text at the end of each bar; of stacked ones, at the end of the longest one, so that they can be compared.
function createEndTextPlugin(texts, series, colors, rtl) {
  return {
    id: "endTexts",
    afterDatasetsDraw(chart) {
      const { ctx, chartArea } = chart;
      ctx.save();
      ctx.fillStyle = colors.text;
      ctx.font = `${FONT.size}px ${FONT.family}`;
      ctx.textAlign = rtl ? "right" : "left";
      ctx.textBaseline = "middle";
      const start = chart.scales.x.getPixelForValue(0);
      const end = (bar, at) => (series[0].values[at] === null ? start : bar.x);
      const stackEnd = rtl ? chartArea.left : chartArea.right;
      const place = (bar, at) => (series.length > 1 ? stackEnd : end(bar, at)) + (rtl ? -6 : 6);
      for (const [at, bar] of chart.getDatasetMeta(0).data.entries()) ctx.fillText(texts[at], place(bar, at), bar.y);
      ctx.restore();
    },
  };
}

function createTextMeasure() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${FONT.size}px ${FONT.family}`;
  return (text) => context.measureText(text).width;
}

// Cuts a label that is wider than `most` pixels. Tooltip and table have all of it.
function shortenLabel(label, most, measure) {
  const text = label.replace(/\s+/g, " ").trim();
  if (measure(text) <= most) return text;
  const letters = [...new Intl.Segmenter().segment(text.slice(0, 200))].map((one) => one.segment);
  let [from, to] = [0, letters.length];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (measure(`${letters.slice(0, middle).join("")}…`) <= most) from = middle;
    else to = middle - 1;
  }
  return `${letters.slice(0, from).join("").trimEnd()}…`;
}

// A label of the other direction leaves that of the chart alone (Unicode: first strong isolate).
function isolateDirection(text) {
  return `\u2068${text}\u2069`;
}
