// The fields as a tree of nodes: `children` is null if a field cannot contain others. Nodes are immutable: a change creates
// new ones and shares the rest.

/** @typedef {{id: string, field: Record<string, any>, children: Node[] | null}} Node */
/** @typedef {{node: Node, level: number, parent: Node | null, index: number, count: number}} NodePosition */

let lastId = 0;

export const isGroupType = (type) => type === "section" || type === "repeat";

/** @returns {Node[]} */
export function parseNodes(fields) {
  return fields.map(({ fields: inner, ...field }) =>
    createNode(field, isGroupType(field.type) ? parseNodes(inner ?? []) : null),
  );
}

/** @returns {Node} */
export function createNode(field, children = null) {
  lastId += 1;
  return { id: `n${lastId}`, field, children };
}

export const serializeNodes = (nodes) =>
  nodes.map(({ field, children }) => (children ? { ...field, fields: serializeNodes(children) } : field));

/**
 * Yield every node in reading order, with its position.
 * @param {Node[]} nodes  @param {Node | null} parent
 * @returns {Generator<NodePosition>}
 */
export function* walkNodes(nodes, level = 1, parent = null) {
  for (const [index, one] of nodes.entries()) {
    yield { node: one, level, parent, index, count: nodes.length };
    if (one.children) yield* walkNodes(one.children, level + 1, one);
  }
}

/** Return every node in reading order. */
export const listNodes = (nodes) => [...walkNodes(nodes)].map(({ node }) => node);

export function findNode(nodes, id) {
  for (const position of walkNodes(nodes)) if (position.node.id === id) return position;
  return null;
}

/** Return the ancestors of a node, outermost first. */
export function listAncestors(nodes, id) {
  const found = [];
  for (let position = findNode(nodes, id); position?.parent; position = findNode(nodes, position.parent.id))
    found.unshift(position.parent);
  return found;
}

export const isInRepeat = (nodes, id) => listAncestors(nodes, id).some((one) => one.field.type === "repeat");

/** @returns {Node[]} */
export function updateNode(nodes, id, change) {
  return nodes.map((one) => {
    if (one.id === id) return change(one);
    if (!one.children) return one;
    const children = updateNode(one.children, id, change);
    return children.every((child, index) => child === one.children[index]) ? one : { ...one, children };
  });
}

/** @returns {Node[]} */
export function removeNode(nodes, id) {
  return nodes
    .filter((one) => one.id !== id)
    .map((one) =>
      one.children && findNode(one.children, id) ? { ...one, children: removeNode(one.children, id) } : one,
    );
}

/** @returns {Node[]} */
export function insertNode(nodes, parent, index, one) {
  if (parent === null) return nodes.toSpliced(index, 0, one);
  return updateNode(nodes, parent, (into) => ({ ...into, children: into.children.toSpliced(index, 0, one) }));
}

/** Move a node before the `index`th child of that parent, counted before the move. */
export function moveNode(nodes, id, parent, index) {
  const from = findNode(nodes, id);
  const same = (from.parent?.id ?? null) === parent;
  return insertNode(removeNode(nodes, id), parent, same && from.index < index ? index - 1 : index, from.node);
}

/** Return why a node cannot be moved there, or "" if it can. */
export function findMoveError(nodes, moved, parent, { maxDepth, maxRepeatDepth }) {
  if (parent === null) return "";
  if (moved.id === parent || (moved.children && findNode(moved.children, parent)))
    return "A group can’t be moved into itself.";
  const outer = [...listAncestors(nodes, parent), findNode(nodes, parent).node];
  const repeats = outer.filter((one) => one.field.type === "repeat").length + measureRepeatDepth(moved);
  if (repeats > maxRepeatDepth) return `Repeated groups can be nested at most ${maxRepeatDepth} levels deep.`;
  return outer.length + measureDepth(moved) > maxDepth ? `Groups can be nested at most ${maxDepth} levels deep.` : "";
}

const measureRepeatDepth = (one) =>
  Number(one.field.type === "repeat") + Math.max(0, ...(one.children ?? []).map(measureRepeatDepth));
const measureDepth = (one) => 1 + Math.max(0, ...(one.children ?? []).map(measureDepth));

/** Return where one step leads: {parent, index}, or null at the end. */
export function findStepTarget(nodes, id, direction) {
  const { parent, index, count } = findNode(nodes, id);
  const siblings = parent ? parent.children : nodes;
  const parentId = parent?.id ?? null;
  if (direction === "up") return index > 0 ? { parent: parentId, index: index - 1 } : null;
  if (direction === "down") return index < count - 1 ? { parent: parentId, index: index + 2 } : null;
  if (direction === "out") return parent ? positionAfter(nodes, parent.id) : null;
  const before = siblings[index - 1];
  const after = siblings[index + 1];
  if (before?.children) return { parent: before.id, index: before.children.length };
  return after?.children ? { parent: after.id, index: 0 } : null;
}

export function positionAfter(nodes, id) {
  const { parent, index } = findNode(nodes, id);
  return { parent: parent?.id ?? null, index: index + 1 };
}

/** Resolve a JSON Pointer of the definition: {id, property, rest}; `id` is null if it is not about a field. */
export function resolvePointer(nodes, pointer) {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((text) => text.replaceAll("~1", "/").replaceAll("~0", "~"));
  let id = null;
  let siblings = nodes;
  while (steps[0] === "fields" && siblings?.[steps[1]]) {
    id = siblings[steps[1]].id;
    siblings = siblings[steps[1]].children;
    steps.splice(0, 2);
  }
  return { id, property: steps[0] ?? "", rest: steps.slice(1) };
}
