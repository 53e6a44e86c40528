// Matches texts as the page does: [pattern, texts] gives [milliseconds of processor time, whether each matched], line by line.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { regex } = await import(pathToFileURL(join(process.argv[2], "fill", "functions.js")));

for await (const line of createInterface({ input: process.stdin })) {
  const [pattern, texts] = JSON.parse(line);
  const began = process.cpuUsage();
  const matched = texts.map((text) => regex(pattern).test(text));
  console.log(JSON.stringify([process.cpuUsage(began).user / 1000, matched]));
}
