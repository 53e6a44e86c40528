// Question blocks in a form: inserting a block, comparing a copy with a newer version, and applying it. Pure functions.

import { renameReferences, isNameTaken, TEXT_PROPERTIES, uniqueName } from "./field_names.js";
import {
  findNode,
  insertNode,
  isGroupType,
  isInRepeat,
  listNodes,
  parseNodes,
  positionAfter,
  removeNode,
  serializeNodes,
  walkNodes,
} from "./field_tree.js";
import { canonicalJson } from "./restore_draft.js";

/** Return the number of the copy that a field is a part of, 1 unless the form contains the block several times. */
const copyNumber = ({ copy = 1 }) => copy;

const belongsToCopy = (one, copyKey) =>
  one.field.block?.id === copyKey.id && copyNumber(one.field.block) === copyNumber(copyKey);

/** Return the nodes of a copy of a block, by their names in the block. */
export function findCopyNodes(nodes, copyKey) {
  const found = listNodes(nodes).filter((one) => belongsToCopy(one, copyKey));
  return new Map(found.map((one) => [one.field.block.field, one]));
}

/** Return the nodes of a copy that are not inside of another one, in reading order. */
export function findCopyRoots(nodes, copyKey) {
  return [...walkNodes(nodes)]
    .filter(({ node, parent }) => belongsToCopy(node, copyKey) && !(parent && belongsToCopy(parent, copyKey)))
    .map(({ node }) => node);
}

/** Return the newest version of the block that a field comes from if the field is older, otherwise 0. */
export function newerVersion(field, blocks) {
  const newest = field.block ? (blocks[field.block.id]?.version ?? 0) : 0;
  return newest > (field.block?.version ?? 0) ? newest : 0;
}

/** Return the nodes of a block {id, version, fields, language} to insert: names that are taken get a number. */
export function createCopy(block, nodes, language, taken) {
  const copies = [...walkNodes(nodes)]
    .filter(({ node }) => node.field.block?.id === block.id)
    .map(({ node }) => copyNumber(node.field.block));
  const copy = 1 + Math.max(0, ...copies);
  const fresh = parseNodes(block.fields);
  return convertToCopy(block, fresh, assignFormNames(fresh, taken), language, copy);
}

/** Return the fields of nodes as a block stores them: with these names instead of those of the form, and no origin. */
export function createBlockContent(nodes, names = {}) {
  return serializeNodes(mapFields(renameFields(nodes, names), ({ block: _, ...field }) => field));
}

/** Return for each of the nodes its name in the block: that of its origin, or its own as long as no other has it. */
export function assignBlockNames(nodes, copyKey) {
  const all = listNodes(nodes);
  const [known, others] = [
    all.filter((one) => belongsToCopy(one, copyKey)),
    all.filter((one) => !belongsToCopy(one, copyKey)),
  ];
  const names = Object.fromEntries(known.map((one) => [one.field.name, one.field.block.field]));
  const used = new Set(Object.values(names));
  for (const { field } of others) {
    names[field.name] = uniqueName(field.name, used);
    used.add(names[field.name]);
  }
  return names;
}

/** Return all nodes, with these ones linked to a version of a block, and others of the same copy no longer. */
export function linkCopy(nodes, ids, copyKey, names) {
  const linked = new Set(ids.flatMap((id) => listNodes([findNode(nodes, id).node]).map((node) => node.id)));
  return mapNodes(nodes, (one) => {
    const { block, ...field } = one.field;
    if (linked.has(one.id)) return { ...field, block: { ...copyKey, field: names[field.name] ?? field.name } };
    return belongsToCopy(one, copyKey) ? field : one.field;
  });
}

/** Return all nodes, with those of a copy no longer linked to the library. */
export const detachCopy = (nodes, copyKey) =>
  mapNodes(nodes, (one) => (belongsToCopy(one, copyKey) ? omitOrigin(one.field) : one.field));

export const omitOrigin = ({ block: _, ...field }) => field;

/**
 * Apply the newest version of a block to a copy of it: {nodes, changes}. `base` is the version that the copy is of.
 *
 * Only what differs between the two versions changes. Names stay those of the form, and so does what only the form has
 * changed. A change is {kind, name, field, properties: [{property, before, after, isOwn}]}; `isOwn` if the form had changed
 * the same.
 */
export function updateCopy(nodes, { copyKey, base, latest, language, taken }) {
  const copyNodes = findCopyNodes(nodes, copyKey);
  const copy = copyNumber(copyKey);
  const names = assignFormNames(parseNodes([...base.fields, ...latest.fields]), taken, copyNodes);
  const [oldNodes, newNodes] = [base, latest].map((one) =>
    indexByOrigin(convertToCopy({ ...one, id: copyKey.id }, parseNodes(one.fields), names, language, copy)),
  );
  const changes = [];
  const addChange = (kind, named, { field }) => changes.push({ kind, name: named.field.name, field, properties: [] });
  // A question that became a group, or the other way round, is another field.
  const isAnother = (origin) =>
    isGroupType(oldNodes.get(origin)?.node.field.type) !== isGroupType(newNodes.get(origin)?.node.field.type);
  let after = mapNodes(nodes, (one) =>
    belongsToCopy(one, copyKey) ? updateField(one, oldNodes, newNodes, changes) : one.field,
  );
  for (const [origin, { node }] of oldNodes) {
    if (!copyNodes.has(origin) || (newNodes.has(origin) && !isAnother(origin))) continue;
    addChange("removed", copyNodes.get(origin), node);
    after = removeKeepingChildren(after, copyNodes.get(origin).id);
  }
  for (const [origin, position] of newNodes) {
    const isKnown = oldNodes.has(origin) && !isAnother(origin);
    const isNew = oldNodes.has(origin) ? copyNodes.has(origin) && !isKnown : !copyNodes.has(origin);
    const isMoved = copyNodes.has(origin) && isKnown && oldNodes.get(origin).parent !== position.parent;
    if (isNew) addChange("added", position.node, position.node);
    if (isMoved) addChange("moved", copyNodes.get(origin), position.node);
    if (isNew || isMoved) after = placeNode(after, copyKey, origin, position, newNodes);
  }
  const ordered = reorderCopy(after, copyKey, oldNodes, newNodes);
  if (JSON.stringify(serializeNodes(ordered)) !== JSON.stringify(serializeNodes(after)))
    changes.push({ kind: "reordered", properties: [] });
  return { nodes: ordered, changes };
}

/** Return a field of a copy in the newest version, and note what changes. */
function updateField(one, oldNodes, newNodes, changes) {
  const origin = one.field.block.field;
  const [before, after] = [oldNodes.get(origin)?.node.field, newNodes.get(origin)?.node.field];
  if (!after || isGroupType(before?.type ?? after.type) !== isGroupType(after.type)) return one.field;
  const field = { ...one.field, block: after.block };
  const properties = [];
  for (const property of new Set([...Object.keys(before ?? {}), ...Object.keys(after)])) {
    if (property === "name" || property === "block" || !before || isEqual(before[property], after[property])) continue;
    if (isEqual(field[property], after[property])) continue;
    properties.push({
      property,
      before: field[property],
      after: after[property],
      isOwn: !isEqual(field[property], before[property]),
    });
    if (after[property] === undefined) delete field[property];
    else field[property] = after[property];
  }
  if (properties.length) changes.push({ kind: "changed", name: field.name, field, properties });
  return field;
}

/** Return each node of a version by its name in the block, with the name of the group around it and those beside it. */
function indexByOrigin(nodes, parent = null, found = new Map()) {
  const siblings = nodes.map((one) => one.field.block.field);
  for (const one of nodes) {
    found.set(one.field.block.field, { node: one, parent, siblings });
    if (one.children) indexByOrigin(one.children, one.field.block.field, found);
  }
  return found;
}

/** Insert or move a node next to the one that precedes or follows it in the block, or to the end of its group. */
function placeNode(nodes, copyKey, origin, { node: fresh, parent, siblings }, newNodes) {
  const known = findCopyNodes(nodes, copyKey);
  const existing = known.get(origin);
  const rest = existing ? removeNode(nodes, existing.id) : nodes;
  // Its own new fields follow one by one.
  const one = existing ?? { ...fresh, children: fresh.children ? [] : null };
  const position = siblings.indexOf(origin);
  const isNeighbor = (name) =>
    name !== origin && known.has(name) && findNode(rest, known.get(name).id) && newNodes.get(name)?.parent === parent;
  const before = siblings.slice(0, position).findLast(isNeighbor);
  const after = siblings.slice(position + 1).find(isNeighbor);
  if (before || after) {
    const { parent: group, index } = findNode(rest, known.get(before ?? after).id);
    return insertNode(rest, group?.id ?? null, index + (before ? 1 : 0), one);
  }
  const group = known.get(parent) && findNode(rest, known.get(parent).id)?.node;
  if (group?.children) return insertNode(rest, group.id, group.children.length, one);
  const last = findCopyRoots(rest, copyKey).at(-1);
  const target = last ? positionAfter(rest, last.id) : { parent: null, index: rest.length };
  return insertNode(rest, target.parent, target.index, one);
}

/** Put the fields of a copy in the order of the newest version where that differs from the order of the version before. */
function reorderCopy(nodes, copyKey, oldNodes, newNodes) {
  const inGroup = nodes.map((one) =>
    one.children ? { ...one, children: reorderCopy(one.children, copyKey, oldNodes, newNodes) } : one,
  );
  const positions = inGroup.flatMap((one, position) =>
    belongsToCopy(one, copyKey) && newNodes.has(one.field.block.field) ? [position] : [],
  );
  const origins = positions.map((position) => inGroup[position].field.block.field);
  const order = (version, names) => names.toSorted((a, b) => originIndex(version, a) - originIndex(version, b));
  const both = origins.filter((name) => oldNodes.has(name));
  if (isEqual(order(oldNodes, both), order(newNodes, both))) return inGroup;
  const wanted = order(newNodes, origins).map((name) => inGroup[positions[origins.indexOf(name)]]);
  return wanted.reduce((all, one, number) => all.with(positions[number], one), inGroup);
}

const originIndex = (version, origin) => [...version.keys()].indexOf(origin);

/** Remove a node. What is inside of it takes its place. */
function removeKeepingChildren(nodes, id) {
  const position = findNode(nodes, id);
  if (!position) return nodes;
  const rest = removeNode(nodes, id);
  return (position.node.children ?? []).reduceRight(
    (all, child) => insertNode(all, position.parent?.id ?? null, position.index, child),
    rest,
  );
}

/** Return nodes as a copy of a version of a block: renamed, in the language of the form, and with their origin. */
function convertToCopy({ id, version, language: from }, nodes, names, language, copy) {
  const origins = mapFields(nodes, (field) => ({
    ...field,
    block: { id, version, field: field.name, ...(copy > 1 ? { copy } : {}) },
  }));
  return mapFields(renameFields(origins, names), (field) => translateField(field, from, language));
}

/** Return the names that fields get in a form: those of `mine`, and otherwise their own with a number if it is taken. */
function assignFormNames(nodes, taken, copyNodes = new Map()) {
  const own = listNodes(nodes).map((node) => node.field.name);
  const used = new Set([...taken, ...own]);
  const names = {};
  for (const name of own) {
    if (name in names) continue;
    const freeName = isNameTaken(taken, name) ? uniqueName(name.replace(/_\d+$/, ""), used) : name;
    names[name] = copyNodes.get(name)?.field.name ?? freeName;
    used.add(names[name]);
  }
  return names;
}

/** Rename fields, also in rules and texts. Names can be exchanged: each gets a name that no other has in between. */
function renameFields(nodes, names) {
  const changed = listNodes(nodes).filter(({ field }) => (names[field.name] ?? field.name) !== field.name);
  const steps = changed.map((one, number) => [
    one.field.name,
    `renamed_${number}_in_block`,
    names[one.field.name],
    isInRepeat(nodes, one.id),
  ]);
  const follows = (field) => {
    // Looking for all names in all rules and texts would take seconds for some hundred fields.
    const text = JSON.stringify(field);
    const used = steps.filter(([from]) => text.includes(from));
    const away = used.reduce((one, [from, between, , inRows]) => renameReferences(one, from, between, inRows), field);
    return used.reduce((one, [, between, to, inRows]) => renameReferences(one, between, to, inRows), away);
  };
  return mapFields(nodes, (field) => ({ ...follows(field), name: names[field.name] ?? field.name }));
}

/** Return a field of a form in another language: its texts that are not translated are in the language `from`. */
function translateField(field, from, to) {
  if (from === to) return field;
  const convert = (text) => {
    const texts = typeof text === "string" ? { [from]: text } : text;
    return Object.keys(texts).length === 1 && to in texts ? texts[to] : texts;
  };
  const changed = { ...field };
  for (const property of TEXT_PROPERTIES) if (field[property]) changed[property] = convert(field[property]);
  if (field.options) changed.options = field.options.map((option) => ({ ...option, label: convert(option.label) }));
  if (field.media?.alt) changed.media = { ...field.media, alt: convert(field.media.alt) };
  return changed;
}

const mapFields = (nodes, change) => mapNodes(nodes, (one) => change(one.field));

const mapNodes = (nodes, change) =>
  nodes.map((one) => ({ ...one, field: change(one), children: one.children && mapNodes(one.children, change) }));

const isEqual = (one, other) => canonicalJson(one) === canonicalJson(other);
