// Runs functions of the designer's module of question blocks on fields: [name, ...arguments] gives fields or {fields, changes}.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const designer = (name) => import(pathToFileURL(join(process.argv[2], "designer", name)));
const blocks = await designer("block_copies.js");
const names = await designer("field_names.js");
const tree = await designer("field_tree.js");

const taken = (nodes) => new Set([...tree.walk(nodes)].map(({ node }) => node.field.name));

const FUNCTIONS = {
  followed: () => ({ rules: names.RULES, texts: names.TEXTS }),
  insert(fields, block, language) {
    const nodes = tree.read(fields);
    return tree.write(blocks.insertion(block, nodes, language, taken(nodes)));
  },
  update(fields, of, base, latest, language) {
    const nodes = tree.read(fields);
    const after = blocks.update(nodes, { of, base, latest, language, taken: taken(nodes) });
    return { fields: tree.write(after.nodes), changes: after.changes.map(({ kind, name, members }) => [kind, name ?? "", ...members.map(({ member, isOwn }) => (isOwn ? `${member}!` : member))]) };
  },
  content(fields, of) {
    const nodes = tree.read(fields);
    return blocks.contentOf(nodes, blocks.namesInBlock(nodes, of));
  },
  detach: (fields, of) => tree.write(blocks.detach(tree.read(fields), of)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  console.log(JSON.stringify(FUNCTIONS[name](...given)));
}
