// Answers each line with what the pages' modules have of each field type.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { FIELD_TYPES } = await import(pathToFileURL(join(process.argv[2], "fields", "types.js")));

const described = Object.fromEntries(Object.entries(FIELD_TYPES).map(([name, type]) => [name, Object.keys(type)]));

for await (const _ of createInterface({ input: process.stdin })) console.log(JSON.stringify(described));
