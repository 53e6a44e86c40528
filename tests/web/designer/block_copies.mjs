// Runs functions of the designer's module of question blocks on fields: [name, ...arguments] gives fields or {fields, changes}.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const designer = (name) => import(pathToFileURL(join(process.argv[2], "designer", name)));
const blocks = await designer("block_copies.js");
const names = await designer("field_names.js");
const tree = await designer("field_tree.js");

const taken = (nodes) => new Set([...tree.walkNodes(nodes)].map(({ node }) => node.field.name));

const FUNCTIONS = {
  followed: () => ({ rules: names.RULE_PROPERTIES, texts: names.TEXT_PROPERTIES }),
  insert(fields, block, language) {
    const nodes = tree.parseNodes(fields);
    return tree.serializeNodes(blocks.createCopy(block, nodes, language, taken(nodes)));
  },
  update(fields, copyKey, base, latest, language) {
    const nodes = tree.parseNodes(fields);
    const after = blocks.updateCopy(nodes, { copyKey, base, latest, language, taken: taken(nodes) });
    return { fields: tree.serializeNodes(after.nodes), changes: after.changes.map(({ kind, name, properties }) => [kind, name ?? "", ...properties.map(({ property, isOwn }) => (isOwn ? `${property}!` : property))]) };
  },
  content(fields, of) {
    const nodes = tree.parseNodes(fields);
    return blocks.createBlockContent(nodes, blocks.assignBlockNames(nodes, of));
  },
  detach: (fields, of) => tree.serializeNodes(blocks.detachCopy(tree.parseNodes(fields), of)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  console.log(JSON.stringify(FUNCTIONS[name](...given)));
}
