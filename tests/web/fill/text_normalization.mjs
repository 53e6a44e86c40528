// Answers each line of JSON, {call, given}: a function of the page's folding, and a list of what it is called with.

import { createInterface } from "node:readline";

const folding = await import(`${process.argv[2]}/fill/text_normalization.js`);
const found = (cells, text) => folding.splitWords(text).every((word) => folding.toSearchText(cells).includes(folding.toNeedle(word)));
const calls = { ...folding, found: ([cells, text]) => found(cells, text) };

for await (const line of createInterface({ input: process.stdin })) {
  const { call, given } = JSON.parse(line);
  console.log(JSON.stringify(given.map((one) => calls[call](one))));
}
