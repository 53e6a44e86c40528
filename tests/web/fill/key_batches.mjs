// Returns the batches of the keys on each line.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { keyBatches } = await import(pathToFileURL(join(process.argv[2], "fill", "key_batches.js")));

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify([...keyBatches(JSON.parse(line))]));
