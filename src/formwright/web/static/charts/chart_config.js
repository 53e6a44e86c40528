// The configuration of Chart.js for the kinds of charts that we have.

const FONT = {
  size: 13,
  family: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
};
const ROW = 30;
const BAR = 18;
const COLUMNS = 260;
const LOOKS = {
  bars: { type: "bar", style: () => ({ categoryPercentage: 0.8, barPercentage: 0.9, maxBarThickness: 24 }) },
  columns: { type: "bar", style: () => ({ categoryPercentage: 0.98, barPercentage: 0.98, maxBarThickness: 160 }) },
  line: { type: "line", style: (values) => ({ borderWidth: 2, pointRadius: values.length > 60 ? 0 : 3, tension: 0 }) },
};

// How high a chart is drawn, in pixels.
export function chartHeight({ labels, series }, { kind, stacked }) {
  const legend = series.length > 1 ? 40 : 0;
  if (kind !== "bars") return COLUMNS + legend;
  const row = stacked ? ROW : Math.max(ROW, series.length * BAR + 10);
  const axis = series.length > 1 ? 32 : 8;
  return labels.length * row + axis + legend;
}

// `colors` are those of the color scheme. `width` is that of the whole chart, `rtl` whether the page runs from right to left.
export function chartConfig(numbers, { kind, stacked, colors, width, rtl, title = "" }) {
  const bars = kind === "bars";
  const single = numbers.series.length === 1;
  const valueLabels = bars && single;
  const measure = textMeasure();
  const edge = title ? 16 : 0;
  const reserve = valueLabels ? Math.max(...valueTexts(numbers.series[0]).map(measure)) + 12 : 0;
  return {
    type: LOOKS[kind].type,
    data: {
      labels: numbers.labels,
      datasets: numbers.series.map((one, at) => dataset(one, at, { kind, stacked, colors })),
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
        ? barScales({ stacked, colors, rtl, valueLabels, width, measure })
        : columnScales({ stacked, colors, rtl }),
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
          labels: { color: colors.text, font: FONT, boxWidth: 14, boxHeight: 14, generateLabels },
        },
        tooltip: { rtl, titleFont: FONT, bodyFont: FONT, callbacks: { label: tooltipLabel(numbers) } },
      },
    },
    plugins: valueLabels ? [valueLabelPlugin(numbers.series[0], colors, rtl)] : [],
  };
}

function dataset({ name, values }, at, { kind, stacked, colors }) {
  const color = colors.series[at % colors.series.length];
  const shared = { label: name, data: values, backgroundColor: color, borderColor: color };
  // A line between stacked parts, for those who can't tell the colors apart.
  const parts =
    stacked && LOOKS[kind].type === "bar" ? { borderColor: colors.surface, borderWidth: 1, borderSkipped: false } : {};
  return { ...shared, ...LOOKS[kind].style(values), ...parts };
}

function barScales({ stacked, colors, rtl, valueLabels, width, measure }) {
  const most = Math.max(90, width * 0.38);
  const ticks = {
    color: colors.text,
    font: FONT,
    autoSkip: false,
    crossAlign: "far",
    callback(index) {
      return isolate(shorten(this.getLabelForValue(index), most, measure));
    },
  };
  return {
    x: { stacked, reverse: rtl, beginAtZero: true, display: !valueLabels, ...numberAxis(colors) },
    y: { stacked, position: rtl ? "right" : "left", ticks, grid: { display: false }, border: { color: colors.line } },
  };
}

function columnScales({ stacked, colors, rtl }) {
  const ticks = {
    color: colors.quiet,
    font: FONT,
    maxRotation: 0,
    autoSkipPadding: 12,
    callback(index) {
      return isolate(this.getLabelForValue(index));
    },
  };
  return {
    x: { stacked, reverse: rtl, ticks, grid: { display: false }, border: { color: colors.line } },
    y: { stacked, position: rtl ? "right" : "left", beginAtZero: true, ...numberAxis(colors) },
  };
}

function numberAxis(colors) {
  return {
    ticks: { color: colors.quiet, font: FONT, precision: 0, maxTicksLimit: 6 },
    grid: { color: colors.line },
    border: { display: false },
  };
}

function generateLabels(chart) {
  const most = chart.width * 0.8;
  const measure = textMeasure();
  return chart.data.datasets.map((one, at) => ({
    text: isolate(shorten(one.label, most - 40, measure)),
    fillStyle: one.backgroundColor,
    strokeStyle: one.backgroundColor,
    fontColor: chart.options.color,
    datasetIndex: at,
    hidden: !chart.isDatasetVisible(at),
  }));
}

function tooltipLabel({ series }) {
  return ({ datasetIndex, dataIndex }) => {
    const one = series[datasetIndex];
    const name = series.length > 1 ? `${isolate(one.name)}: ` : "";
    return name + valueTexts(one)[dataIndex];
  };
}

function valueTexts({ texts, shares }) {
  return texts.map((text, at) => (shares?.[at] == null ? text : `${text} · ${percent(shares[at])}`));
}

// As `format_share` writes them in the table.
function percent(share) {
  if (share > 0 && share < 0.005) return "<1%";
  if (share >= 0.995 && share < 1) return ">99%";
  return `${Math.round(share * 100)}%`;
}

// Writes the number at the end of each bar.
function valueLabelPlugin(series, colors, rtl) {
  const texts = valueTexts(series);
  return {
    id: "valueLabels",
    afterDatasetsDraw(chart) {
      const { ctx } = chart;
      ctx.save();
      ctx.fillStyle = colors.text;
      ctx.font = `${FONT.size}px ${FONT.family}`;
      ctx.textAlign = rtl ? "right" : "left";
      ctx.textBaseline = "middle";
      const start = chart.scales.x.getPixelForValue(0);
      const place = (bar, at) => (series.values[at] === null ? start : bar.x) + (rtl ? -6 : 6);
      chart.getDatasetMeta(0).data.forEach((bar, at) => ctx.fillText(texts[at], place(bar, at), bar.y));
      ctx.restore();
    },
  };
}

function textMeasure() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${FONT.size}px ${FONT.family}`;
  return (text) => context.measureText(text).width;
}

// Cuts a label that is wider than `most` pixels. Tooltip and table have all of it.
function shorten(label, most, measure) {
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
function isolate(text) {
  return `\u2068${text}\u2069`;
}
