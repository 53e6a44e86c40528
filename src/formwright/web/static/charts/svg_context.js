// A drawing context that writes SVG: the part of CanvasRenderingContext2D that Chart.js uses for our charts. Libraries that
// do this parse fonts through the attribute `style`, which our Content-Security-Policy forbids.

const SAVED_PROPERTIES = [
  "fillStyle",
  "strokeStyle",
  "lineWidth",
  "font",
  "textAlign",
  "textBaseline",
  "direction",
  "lineCap",
  "lineJoin",
  "globalAlpha",
];
const TEXT_ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
// By how much of its size a text is lowered, because not all programs know `dominant-baseline`.
const BASELINE_SHIFTS = { top: 0.8, hanging: 0.8, middle: 0.35, alphabetic: 0, bottom: -0.2, ideographic: -0.2 };

export class SvgContext {
  constructor(width, height, language) {
    this.canvas = { width, height, getContext: () => this };
    this.language = language;
    this.measure = document.createElement("canvas").getContext("2d");
    this.fillStyle = "#000";
    this.strokeStyle = "#000";
    this.lineWidth = 1;
    this.font = "12px sans-serif";
    this.textAlign = "start";
    this.textBaseline = "alphabetic";
    this.direction = "ltr";
    this.lineCap = "butt";
    this.lineJoin = "miter";
    this.globalAlpha = 1;
    this.matrix = new DOMMatrix();
    this.dash = [];
    this.stack = [];
    this.path = "";
    this.parts = [];
  }

  save() {
    this.stack.push([this.matrix, this.dash, SAVED_PROPERTIES.map((name) => this[name])]);
  }

  restore() {
    if (!this.stack.length) return;
    const [matrix, dash, values] = this.stack.pop();
    Object.assign(this, { matrix, dash });
    for (const [at, name] of SAVED_PROPERTIES.entries()) this[name] = values[at];
  }

  setTransform(...values) {
    this.matrix = new DOMMatrix(values.length ? values : undefined);
  }

  resetTransform() {
    this.matrix = new DOMMatrix();
  }

  translate(x, y) {
    this.matrix = this.matrix.translate(x, y);
  }

  rotate(radians) {
    this.matrix = this.matrix.rotate((radians * 180) / Math.PI);
  }

  scale(x, y) {
    this.matrix = this.matrix.scale(x, y);
  }

  setLineDash(dash) {
    this.dash = dash;
  }

  beginPath() {
    this.path = "";
  }

  closePath() {
    this.path += "Z";
  }

  moveTo(x, y) {
    this.path += `M${this.formatPoint(x, y)}`;
  }

  lineTo(x, y) {
    this.path += `${this.path ? "L" : "M"}${this.formatPoint(x, y)}`;
  }

  bezierCurveTo(x1, y1, x2, y2, x, y) {
    this.path += `C${this.formatPoint(x1, y1)} ${this.formatPoint(x2, y2)} ${this.formatPoint(x, y)}`;
  }

  rect(x, y, width, height) {
    this.path += `M${this.formatPoint(x, y)}L${this.formatPoint(x + width, y)}L${this.formatPoint(x + width, y + height)}L${this.formatPoint(x, y + height)}Z`;
  }

  // Points and the corners of bars.
  arc(x, y, radius, from, to, counterclockwise = false) {
    const at = (angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    this.lineTo(...at(from));
    const turn = counterclockwise ? from - to : to - from;
    const sweep = counterclockwise ? 0 : 1;
    const addArc = (angle, large) => {
      this.path += `A${roundNumber(radius)} ${roundNumber(radius)} 0 ${large} ${sweep} ${this.formatPoint(...at(angle))}`;
    };
    if (turn >= 2 * Math.PI - 1e-6) {
      addArc(from + Math.PI, 0);
      addArc(from, 0);
    } else addArc(to, turn > Math.PI ? 1 : 0);
  }

  fill() {
    this.addElement("path", { d: this.path, fill: this.fillStyle });
  }

  stroke() {
    if (this.lineWidth > 0) this.addElement("path", { d: this.path, fill: "none", ...this.listStrokeAttributes() });
  }

  fillRect(x, y, width, height) {
    const path = this.path;
    this.path = "";
    this.rect(x, y, width, height);
    this.fill();
    this.path = path;
  }

  fillText(text, x, y) {
    const parts = /(?:(bold|[1-9]00) )?([\d.]+)px (.+)$/.exec(this.font);
    const [weight, size, family] = [parts[1] ?? "normal", Number(parts[2]), parts[3]];
    const { a, b, c, d, e, f } = this.matrix;
    const turned = b || c ? { transform: `matrix(${[a, b, c, d, e, f].map(roundNumber).join(" ")})` } : {};
    const place = b || c ? { x, y } : { x: a * x + e, y: d * y + f };
    const anchor = this.direction === "rtl" ? mirrorAlignment(this.textAlign) : this.textAlign;
    this.addElement(
      "text",
      {
        ...turned,
        x: roundNumber(place.x),
        y: roundNumber(place.y + BASELINE_SHIFTS[this.textBaseline] * size),
        fill: this.fillStyle,
        "font-family": family,
        "font-size": size,
        "font-weight": weight,
        "text-anchor": TEXT_ANCHORS[anchor],
      },
      text,
    );
  }

  measureText(text) {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }

  clearRect() {
    this.parts = [];
  }

  // Nothing that we draw crosses the edge of its chart.
  clip() {}

  // The drawing as a document of its own.
  toString() {
    const { width, height } = this.canvas;
    const root = {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      "xml:lang": this.language,
    };
    return `<?xml version="1.0" encoding="UTF-8"?>\n<svg${formatAttributes(root)}>\n${this.parts.join("\n")}\n</svg>\n`;
  }

  listStrokeAttributes() {
    const dash = this.dash.length ? { "stroke-dasharray": this.dash.join(" ") } : {};
    return {
      stroke: this.strokeStyle,
      "stroke-width": roundNumber(this.lineWidth),
      "stroke-linejoin": this.lineJoin,
      ...dash,
    };
  }

  addElement(name, values, text = "") {
    const alpha = this.globalAlpha < 1 ? { opacity: this.globalAlpha } : {};
    if (name !== "path" || values.d)
      this.parts.push(`<${name}${formatAttributes({ ...values, ...alpha })}>${escapeXml(text)}</${name}>`);
  }

  formatPoint(x, y) {
    const { a, b, c, d, e, f } = this.matrix;
    return `${roundNumber(a * x + c * y + e)} ${roundNumber(b * x + d * y + f)}`;
  }
}

function mirrorAlignment(align) {
  return { start: "right", end: "left" }[align] ?? align;
}

function roundNumber(value) {
  return Math.round(value * 100) / 100;
}

function formatAttributes(values) {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no control characters, not even escaped.
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

function escapeXml(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return String(text)
    .replace(NOT_IN_XML, "")
    .replace(/[&<>"]/g, (character) => names[character]);
}
