// Answers each line of JSON, [name, ...arguments], with what that function of the page's number reader returns.

import { createInterface } from "node:readline";

const fill = (name) => import(`${process.argv[2]}/fill/${name}`);
const functions = { ...(await fill("numbers.js")), ...(await fill("answer_conversion.js")) };

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  console.log(JSON.stringify(functions[name](...given) ?? null));
}
