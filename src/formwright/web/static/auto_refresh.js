// Sections of the page that are about to change are reloaded until they have.

import { queryAll } from "./dom.js";
import { pollSection } from "./polling.js";

for (const section of queryAll("[data-changes]")) pollSection(section);
