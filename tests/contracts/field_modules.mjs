// Answers each line with the names of the field types that the pages' modules have.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { TYPES } = await import(pathToFileURL(join(process.argv[2], "fields", "types.js")));

for await (const _ of createInterface({ input: process.stdin })) console.log(JSON.stringify(Object.keys(TYPES)));
