import { changing } from "./changing.js";

for (const section of document.querySelectorAll("[data-changes]")) changing(section);
