// Runs functions of the designer's modules of cascades and of options as text: [name, ...arguments] gives the result.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const designer = (name) => import(pathToFileURL(join(process.argv[2], "designer", name)));
const cascade = await designer("cascade.js");
const names = await designer("field_names.js");
const text = await designer("option_text.js");
const tree = await designer("field_tree.js");

function changeNodes(fields, change) {
  return tree.serializeNodes(change(tree.parseNodes(fields)));
}

const FUNCTIONS = {
  write: cascade.writeCascade,
  remove: cascade.removeCascade,
  read(field) {
    const found = cascade.readCascade(field);
    return found && { parent: found.parent, shownFor: field.options.map((one) => cascade.readShownFor(one, found)) };
  },
  rename: (fields, name, from, to) => changeNodes(fields, (nodes) => cascade.renameShownFor(nodes, name, from, to)),
  adapt: (fields, parent) => changeNodes(fields, (nodes) => cascade.adaptDependents(nodes, parent)),
  renameField: (field, from, to) => names.renameReferences(field, from, to, true),
  format: (context) => text.formatOptions({ language: "en", parents: [], cascade: null, ...context }),
  parse(content, hasHeading, more) {
    const options = more.options ?? [];
    const context = { language: "en", parents: [], maxShownFor: 20, cascade: null, ...more, options };
    const separator = text.detectSeparator(content);
    const rows = text.splitRows(content, separator);
    const roles = text.guessRoles(rows, hasHeading, context);
    return { separator, roles, ...text.readOptions(rows, hasHeading, roles, context) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  console.log(JSON.stringify(FUNCTIONS[name](...given)));
}
