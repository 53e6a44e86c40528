import { changing } from "./polling.js";

for (const section of document.querySelectorAll("[data-changes]")) changing(section);
