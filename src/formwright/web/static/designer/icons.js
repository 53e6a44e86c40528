// Icons, which are paths in a 16 × 16 square.

const SPACE = "http://www.w3.org/2000/svg";

export function icon(path) {
  const drawing = document.createElementNS(SPACE, "svg");
  drawing.setAttribute("viewBox", "0 0 16 16");
  drawing.setAttribute("class", "icon");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SPACE, "path");
  line.setAttribute("d", path);
  drawing.append(line);
  return drawing;
}
