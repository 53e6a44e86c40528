// `<button data-print>` prints the page.

import { queryAll } from "./dom.js";

for (const button of queryAll("[data-print]")) button.addEventListener("click", () => print());
