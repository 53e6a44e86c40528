// Matches texts as the page does: [pattern, texts] gives {seconds of processor time, whether each matched, the pattern's size},
// line by line.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { loadPatternEngine, matches, patternSize } = await import(pathToFileURL(join(process.argv[2], "fill", "patterns.js")));
await loadPatternEngine();

for await (const line of createInterface({ input: process.stdin })) {
  const [pattern, texts] = JSON.parse(line);
  const began = process.cpuUsage();
  const matched = texts.map((text) => matches(pattern, text));
  const seconds = process.cpuUsage(began).user / 1_000_000;
  console.log(JSON.stringify({ seconds, matched, size: patternSize(pattern) }));
}
