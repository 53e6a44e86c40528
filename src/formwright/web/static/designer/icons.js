// An icon for each type, as paths in a 16 × 16 square.

const SPACE = "http://www.w3.org/2000/svg";
const PATHS = {
  text: "M3 4h10M8 4v9M6 13h4",
  textarea: "M2 4h12M2 8h12M2 12h7",
  email: "M2 4h12v8H2zM2 4l6 5 6-5",
  phone: "M4 2h3l1 4-2 1a8 8 0 0 0 3 3l1-2 4 1v3c-6 2-12-4-10-10z",
  url: "M6 10l4-4M7 4l1-1a3.5 3.5 0 0 1 5 5l-1 1M9 12l-1 1a3.5 3.5 0 0 1-5-5l1-1",
  integer: "M6 2L4 14M12 2l-2 12M2 6h12M2 10h12",
  decimal: "M2 12V5L1 6M6 12h.5M9 5h4v7H9z",
  rating: "M8 2l2 4 4 .6-3 3 .8 4.4L8 12l-3.8 2 .8-4.4-3-3L6 6z",
  ranking: "M2 3h1v3M2 9h2l-2 3h2M7 4h7M7 11h5",
  likert: "M2 8h12M3 8v1M8 8v1M13 8v1M5 5l3 3 3-3",
  consent: "M2 3h12v10H2zM5 8l2 2 4-4",
  period: "M2 4h12v9H2zM2 7h12M5 2v3M11 2v3M5 10h6",
  matrix: "M2 3h12v10H2zM2 6.5h12M6 3v10M10 3v10",
  nps: "M2 12a6 6 0 0 1 12 0M8 12l3-4",
  slider: "M2 8h5M11 8h3M9 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  boolean: "M2 8l3 3 5-6M11 11l3-3M11 8l3 3",
  choice: "M4 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM4 9.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM9 4.5h5M9 11.5h5",
  choices: "M2 3h4v4H2zM2 9.5h4v4H2zM9 5h5M9 11.5h5",
  lookup: "M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2zM11 11l3 3",
  lookups: "M2 3h4M2 7h2M2 11h3M10 3a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12.5 9l2 2.5",
  date: "M2 4h12v10H2zM2 7h12M5 2v3M11 2v3",
  time: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5v3l2 2",
  datetime: "M2 3h9v4M2 6h7M2 3v10h4M11 8a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM11 10v1h1",
  audio: "M6 3a2 2 0 0 1 4 0v5a2 2 0 0 1-4 0zM3 8a5 5 0 0 0 10 0M8 13v2",
  video: "M2 4h8v8H2zM10 7l4-2v6l-4-2",
  photo: "M2 5h3l1-2h4l1 2h3v8H2zM8 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  signature: "M2 13h12M3 10c2-9 5-9 4-4s1 5 2 3 2-1 4-1",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  line: "M3 13l3-6 4 3 3-7",
  area: "M3 12l1-8 8-1 2 7-5 3z",
  location: "M8 14c-3-4-4-5-4-7a4 4 0 0 1 8 0c0 2-1 3-4 7zM8 6v1",
  barcode: "M2 3v10M5 3v10M7 3v10M10 3v10M12 3v10M14 3v10",
  note: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7v4M8 5v.5",
  section: "M2 3h12M4 7h10M4 10h10M4 13h10",
  repeat: "M3 7a5 5 0 0 1 9-2M12 2v3H9M13 9a5 5 0 0 1-9 2M4 14v-3h3",
};

export function icon(type) {
  const drawing = document.createElementNS(SPACE, "svg");
  drawing.setAttribute("viewBox", "0 0 16 16");
  drawing.setAttribute("class", "icon");
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SPACE, "path");
  path.setAttribute("d", PATHS[type] ?? PATHS.text);
  drawing.append(path);
  return drawing;
}
