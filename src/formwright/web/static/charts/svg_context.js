// A drawing context that writes SVG: the part of CanvasRenderingContext2D that Chart.js uses for our charts. Libraries that
// do this parse fonts through the attribute `style`, which our Content-Security-Policy forbids.

const STATE = [
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
const ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
// By how much of its size a text is lowered, because not all programs know `dominant-baseline`.
const LOWERED = { top: 0.8, hanging: 0.8, middle: 0.35, alphabetic: 0, bottom: -0.2, ideographic: -0.2 };

export class SvgContext {
  constructor(width, height, language) {
    this.canvas = { width, height, getContext: () => this };
    this.language = language;
    this.measure = document.createElement("canvas").getContext("2d");
    Object.assign(this, {
      fillStyle: "#000",
      strokeStyle: "#000",
      lineWidth: 1,
      font: "12px sans-serif",
      textAlign: "start",
    });
    Object.assign(this, {
      textBaseline: "alphabetic",
      direction: "ltr",
      lineCap: "butt",
      lineJoin: "miter",
      globalAlpha: 1,
    });
    this.matrix = new DOMMatrix();
    this.dash = [];
    this.stack = [];
    this.path = "";
    this.parts = [];
  }

  save() {
    this.stack.push([this.matrix, this.dash, STATE.map((name) => this[name])]);
  }

  restore() {
    if (!this.stack.length) return;
    const [matrix, dash, values] = this.stack.pop();
    Object.assign(this, { matrix, dash });
    STATE.forEach((name, at) => (this[name] = values[at]));
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
    this.path += `M${this.point(x, y)}`;
  }

  lineTo(x, y) {
    this.path += `${this.path ? "L" : "M"}${this.point(x, y)}`;
  }

  bezierCurveTo(x1, y1, x2, y2, x, y) {
    this.path += `C${this.point(x1, y1)} ${this.point(x2, y2)} ${this.point(x, y)}`;
  }

  rect(x, y, width, height) {
    this.path += `M${this.point(x, y)}L${this.point(x + width, y)}L${this.point(x + width, y + height)}L${this.point(x, y + height)}Z`;
  }

  // Points and the corners of bars.
  arc(x, y, radius, from, to, counterclockwise = false) {
    const at = (angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    this.lineTo(...at(from));
    const turn = counterclockwise ? from - to : to - from;
    const sweep = counterclockwise ? 0 : 1;
    const step = (angle, large) =>
      (this.path += `A${round(radius)} ${round(radius)} 0 ${large} ${sweep} ${this.point(...at(angle))}`);
    if (turn >= 2 * Math.PI - 1e-6) {
      step(from + Math.PI, 0);
      step(from, 0);
    } else step(to, turn > Math.PI ? 1 : 0);
  }

  fill() {
    this.add("path", { d: this.path, fill: this.fillStyle });
  }

  stroke() {
    if (this.lineWidth > 0) this.add("path", { d: this.path, fill: "none", ...this.line() });
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
    const turned = b || c ? { transform: `matrix(${[a, b, c, d, e, f].map(round).join(" ")})` } : {};
    const place = b || c ? { x, y } : { x: a * x + e, y: d * y + f };
    const anchor = this.direction === "rtl" ? flip(this.textAlign) : this.textAlign;
    this.add(
      "text",
      {
        ...turned,
        x: round(place.x),
        y: round(place.y + LOWERED[this.textBaseline] * size),
        fill: this.fillStyle,
        "font-family": family,
        "font-size": size,
        "font-weight": weight,
        "text-anchor": ANCHORS[anchor],
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
    return `<?xml version="1.0" encoding="UTF-8"?>\n<svg${attributes(root)}>\n${this.parts.join("\n")}\n</svg>\n`;
  }

  line() {
    const dash = this.dash.length ? { "stroke-dasharray": this.dash.join(" ") } : {};
    return {
      stroke: this.strokeStyle,
      "stroke-width": round(this.lineWidth),
      "stroke-linejoin": this.lineJoin,
      ...dash,
    };
  }

  add(name, values, text = "") {
    const alpha = this.globalAlpha < 1 ? { opacity: this.globalAlpha } : {};
    if (name !== "path" || values.d)
      this.parts.push(`<${name}${attributes({ ...values, ...alpha })}>${escape(text)}</${name}>`);
  }

  point(x, y) {
    const { a, b, c, d, e, f } = this.matrix;
    return `${round(a * x + c * y + e)} ${round(b * x + d * y + f)}`;
  }
}

function flip(align) {
  return { start: "right", end: "left" }[align] ?? align;
}

function round(value) {
  return Math.round(value * 100) / 100;
}

function attributes(values) {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(value)}"`)
    .join("");
}

// XML has no control characters, not even escaped.
function escape(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // eslint-disable-next-line no-control-regex
  return String(text)
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (one) => names[one]);
}
