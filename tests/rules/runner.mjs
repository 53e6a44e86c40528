// Evaluates rules by the page's own module: [text, types, answers] gives {works, names, value, holds}, line by line.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { compile } = await import(pathToFileURL(join(process.argv[2], "fill", "rules.js")));

for await (const line of createInterface({ input: process.stdin })) {
  const [text, types, answers] = JSON.parse(line);
  const rule = compile(text, types);
  const found = { works: rule.works, names: rule.names.sort(), value: rule.value(answers), holds: rule.holds(answers) };
  console.log(JSON.stringify(found));
}
