// Icons, which are paths in a 16 × 16 square.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

export function createIcon(path) {
  const drawing = document.createElementNS(SVG_NAMESPACE, "svg");
  drawing.setAttribute("viewBox", "0 0 16 16");
  drawing.setAttribute("class", "icon");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG_NAMESPACE, "path");
  line.setAttribute("d", path);
  drawing.append(line);
  return drawing;
}
