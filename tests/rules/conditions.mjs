// [conditions] gives {rule, read}: the rule, and the conditions that are read from it; [null, rule] only reads;
// [null, code, names] gives the unknown name.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const load = (name) => import(pathToFileURL(join(process.argv[2], "conditions", name)));
const { readConditions, writeConditions } = await load("condition_code.js");
const { findUnknownName } = await load("unknown_names.js");
const { fitsKind, fitsValue, listOperators, operatorLabel } = await load("operators.js");

function answer([conditions, code, names, caret]) {
  if (names) return findUnknownName(code, names, caret);
  if (!conditions) return readConditions(code);
  const rule = writeConditions(conditions);
  return { rule, read: readConditions(rule) };
}

const KINDS = { operators: (kind) => listOperators({ kind }), fits: ([row, kind]) => fitsKind(row, kind) && fitsValue(row, kind) };

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const [[key, value]] = Array.isArray(request) ? [[]] : Object.entries(request);
  console.log(JSON.stringify((key ? KINDS[key](value) : answer(request)) ?? null));
}
