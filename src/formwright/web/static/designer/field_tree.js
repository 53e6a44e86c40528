// The fields as a tree of nodes {id, field, children}: `children` is null if a field cannot contain others.
// Nodes are immutable: a change creates new ones and shares the rest.

let last = 0;

export const holdsOthers = (type) => type === "section" || type === "repeat";

export function read(fields) {
  return fields.map(({ fields: inner, ...field }) => node(field, holdsOthers(field.type) ? read(inner ?? []) : null));
}

export const node = (field, children = null) => ({ id: `n${(last += 1)}`, field, children });

export const write = (nodes) =>
  nodes.map(({ field, children }) => (children ? { ...field, fields: write(children) } : field));

/** Yield every node in reading order, with its position. */
export function* walk(nodes, level = 1, parent = null) {
  for (const [index, one] of nodes.entries()) {
    yield { node: one, level, parent, index, count: nodes.length };
    if (one.children) yield* walk(one.children, level + 1, one);
  }
}

export function find(nodes, id) {
  for (const place of walk(nodes)) if (place.node.id === id) return place;
  return null;
}

/** Return the ancestors of a node, outermost first. */
export function listAncestors(nodes, id) {
  const found = [];
  for (let place = find(nodes, id); place?.parent; place = find(nodes, place.parent.id)) found.unshift(place.parent);
  return found;
}

export const inRepeat = (nodes, id) => listAncestors(nodes, id).some((one) => one.field.type === "repeat");

export function update(nodes, id, change) {
  return nodes.map((one) => {
    if (one.id === id) return change(one);
    if (!one.children) return one;
    const children = update(one.children, id, change);
    return children.every((child, index) => child === one.children[index]) ? one : { ...one, children };
  });
}

export function remove(nodes, id) {
  return nodes
    .filter((one) => one.id !== id)
    .map((one) => (one.children && find(one.children, id) ? { ...one, children: remove(one.children, id) } : one));
}

export function insert(nodes, parent, index, one) {
  if (parent === null) return nodes.toSpliced(index, 0, one);
  return update(nodes, parent, (into) => ({ ...into, children: into.children.toSpliced(index, 0, one) }));
}

/** Move a node before the `index`th child of that parent, counted before the move. */
export function move(nodes, id, parent, index) {
  const from = find(nodes, id);
  const same = (from.parent?.id ?? null) === parent;
  return insert(remove(nodes, id), parent, same && from.index < index ? index - 1 : index, from.node);
}

/** Return why a node cannot be moved there, or "" if it can. */
export function forbidden(nodes, moved, parent, { maxDepth, maxRepeatDepth }) {
  if (parent === null) return "";
  if (moved.id === parent || (moved.children && find(moved.children, parent)))
    return "A group can’t be moved into itself.";
  const outer = [...listAncestors(nodes, parent), find(nodes, parent).node];
  const repeats = outer.filter((one) => one.field.type === "repeat").length + repeatDepth(moved);
  if (repeats > maxRepeatDepth) return `Repeated groups can be nested at most ${maxRepeatDepth} levels deep.`;
  return outer.length + depth(moved) > maxDepth ? `Groups can be nested at most ${maxDepth} levels deep.` : "";
}

const repeatDepth = (one) => (one.field.type === "repeat") + Math.max(0, ...(one.children ?? []).map(repeatDepth));
const depth = (one) => 1 + Math.max(0, ...(one.children ?? []).map(depth));

/** Return where one step leads: {parent, index}, or null at the end. */
export function step(nodes, id, way) {
  const { parent, index, count } = find(nodes, id);
  const beside = parent ? parent.children : nodes;
  const here = parent?.id ?? null;
  if (way === "up") return index > 0 ? { parent: here, index: index - 1 } : null;
  if (way === "down") return index < count - 1 ? { parent: here, index: index + 2 } : null;
  if (way === "out") return parent ? behind(nodes, parent.id) : null;
  const before = beside[index - 1];
  const after = beside[index + 1];
  if (before?.children) return { parent: before.id, index: before.children.length };
  return after?.children ? { parent: after.id, index: 0 } : null;
}

export function behind(nodes, id) {
  const { parent, index } = find(nodes, id);
  return { parent: parent?.id ?? null, index: index + 1 };
}

/** Resolve a JSON Pointer of the definition: {id, member, rest}; `id` is null if it is not about a field. */
export function resolvePointer(nodes, pointer) {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((text) => text.replaceAll("~1", "/").replaceAll("~0", "~"));
  let id = null;
  let beside = nodes;
  while (steps[0] === "fields" && beside?.[steps[1]]) {
    id = beside[steps[1]].id;
    beside = beside[steps[1]].children;
    steps.splice(0, 2);
  }
  return { id, member: steps[0] ?? "", rest: steps.slice(1) };
}
