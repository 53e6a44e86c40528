// Question blocks in a form: inserting a block, comparing a copy with a newer version, and applying it. Pure functions.

import { follow, isIn, TEXTS, unique } from "./field_names.js";
import * as tree from "./field_tree.js";
import { canonical } from "./restore_draft.js";

/** Return the number of the copy that a field is a part of, 1 unless the form contains the block several times. */
const copyOf = ({ copy = 1 }) => copy;

const isOf = (one, of) => one.field.block?.id === of.id && copyOf(one.field.block) === copyOf(of);

/** Return the nodes of a copy of a block, by their names in the block. */
export function nodesOfCopy(nodes, of) {
  const found = [...tree.walk(nodes)].map(({ node }) => node).filter((one) => isOf(one, of));
  return new Map(found.map((one) => [one.field.block.field, one]));
}

/** Return the nodes of a copy that are not inside of another one, in reading order. */
export function rootsOfCopy(nodes, of) {
  return [...tree.walk(nodes)]
    .filter(({ node, parent }) => isOf(node, of) && !(parent && isOf(parent, of)))
    .map(({ node }) => node);
}

/** Return the newest version of the block that a field comes from if the field is older, otherwise 0. */
export function newerVersion(field, blocks) {
  const newest = field.block ? (blocks[field.block.id]?.version ?? 0) : 0;
  return newest > (field.block?.version ?? 0) ? newest : 0;
}

/** Return the nodes of a block {id, version, fields, language} to insert: names that are taken get a number. */
export function insertion(block, nodes, language, taken) {
  const copies = [...tree.walk(nodes)]
    .filter(({ node }) => node.field.block?.id === block.id)
    .map(({ node }) => copyOf(node.field.block));
  const copy = 1 + Math.max(0, ...copies);
  const fresh = tree.read(block.fields);
  return asCopy(block, fresh, namesFor(fresh, taken), language, copy);
}

/** Return the fields of nodes as a block stores them: with these names instead of those of the form, and no origin. */
export function contentOf(nodes, names = {}) {
  return tree.write(withFields(rename(nodes, names), ({ block: _, ...field }) => field));
}

/** Return for each of the nodes its name in the block: that of its origin, or its own as long as no other has it. */
export function namesInBlock(nodes, of) {
  const all = [...tree.walk(nodes)].map(({ node }) => node);
  const [known, others] = [all.filter((one) => isOf(one, of)), all.filter((one) => !isOf(one, of))];
  const names = Object.fromEntries(known.map((one) => [one.field.name, one.field.block.field]));
  const used = new Set(Object.values(names));
  for (const { field } of others) {
    names[field.name] = unique(field.name, used);
    used.add(names[field.name]);
  }
  return names;
}

/** Return all nodes, with these ones linked to a version of a block, and others of the same copy no longer. */
export function link(nodes, ids, of, names) {
  const linked = new Set(ids.flatMap((id) => [...tree.walk([tree.find(nodes, id).node])].map(({ node }) => node.id)));
  return withNodes(nodes, (one) => {
    const { block, ...field } = one.field;
    if (linked.has(one.id)) return { ...field, block: { ...of, field: names[field.name] ?? field.name } };
    return isOf(one, of) ? field : one.field;
  });
}

/** Return all nodes, with those of a copy no longer linked to the library. */
export const detach = (nodes, of) => withNodes(nodes, (one) => (isOf(one, of) ? withoutBlock(one.field) : one.field));

export const withoutBlock = ({ block: _, ...field }) => field;

/**
 * Apply the newest version of a block to a copy of it: {nodes, changes}. `base` is the version that the copy is of.
 *
 * Only what differs between the two versions changes. Names stay those of the form, and so does what only the form has
 * changed. A change is {kind, name, field, members: [{member, before, after, isOwn}]}; `isOwn` if the form had changed
 * the same.
 */
export function update(nodes, { of, base, latest, language, taken }) {
  const mine = nodesOfCopy(nodes, of);
  const copy = copyOf(of);
  const names = namesFor(tree.read([...base.fields, ...latest.fields]), taken, mine);
  const [was, will] = [base, latest].map((one) =>
    index(asCopy({ ...one, id: of.id }, tree.read(one.fields), names, language, copy)),
  );
  const changes = [];
  // A question that became a group, or the other way round, is another field.
  const isAnother = (origin) =>
    tree.holdsOthers(was.get(origin)?.node.field.type) !== tree.holdsOthers(will.get(origin)?.node.field.type);
  let after = withNodes(nodes, (one) => (isOf(one, of) ? updated(one, was, will, changes) : one.field));
  for (const [origin, { node }] of was) {
    if (!mine.has(origin) || (will.has(origin) && !isAnother(origin))) continue;
    changes.push({ kind: "removed", name: mine.get(origin).field.name, field: node.field, members: [] });
    after = lift(after, mine.get(origin).id);
  }
  for (const [origin, place] of will) {
    const isKnown = was.has(origin) && !isAnother(origin);
    const isNew = was.has(origin) ? mine.has(origin) && !isKnown : !mine.has(origin);
    const isMoved = mine.has(origin) && isKnown && was.get(origin).parent !== place.parent;
    if (isNew) changes.push({ kind: "added", name: place.node.field.name, field: place.node.field, members: [] });
    if (isMoved)
      changes.push({ kind: "moved", name: mine.get(origin).field.name, field: place.node.field, members: [] });
    if (isNew || isMoved) after = put(after, of, origin, place, will);
  }
  const ordered = reorder(after, of, was, will);
  if (JSON.stringify(tree.write(ordered)) !== JSON.stringify(tree.write(after)))
    changes.push({ kind: "reordered", members: [] });
  return { nodes: ordered, changes };
}

/** Return a field of a copy in the newest version, and note what changes. */
function updated(one, was, will, changes) {
  const origin = one.field.block.field;
  const [before, after] = [was.get(origin)?.node.field, will.get(origin)?.node.field];
  if (!after || tree.holdsOthers(before?.type ?? after.type) !== tree.holdsOthers(after.type)) return one.field;
  const field = { ...one.field, block: after.block };
  const members = [];
  for (const member of new Set([...Object.keys(before ?? {}), ...Object.keys(after)])) {
    if (member === "name" || member === "block" || !before || same(before[member], after[member])) continue;
    if (same(field[member], after[member])) continue;
    members.push({ member, before: field[member], after: after[member], isOwn: !same(field[member], before[member]) });
    if (after[member] === undefined) delete field[member];
    else field[member] = after[member];
  }
  if (members.length) changes.push({ kind: "changed", name: field.name, field, members });
  return field;
}

/** Return each node of a version by its name in the block, with the name of the group around it and those beside it. */
function index(nodes, parent = null, found = new Map()) {
  const beside = nodes.map((one) => one.field.block.field);
  for (const one of nodes) {
    found.set(one.field.block.field, { node: one, parent, beside });
    if (one.children) index(one.children, one.field.block.field, found);
  }
  return found;
}

/** Insert or move a node next to the one that precedes or follows it in the block, or to the end of its group. */
function put(nodes, of, origin, { node: fresh, parent, beside }, will) {
  const known = nodesOfCopy(nodes, of);
  const existing = known.get(origin);
  const rest = existing ? tree.remove(nodes, existing.id) : nodes;
  // Its own new fields follow one by one.
  const one = existing ?? { ...fresh, children: fresh.children ? [] : null };
  const place = beside.indexOf(origin);
  const there = (name) =>
    name !== origin && known.has(name) && tree.find(rest, known.get(name).id) && will.get(name)?.parent === parent;
  const before = beside.slice(0, place).findLast(there);
  const behind = beside.slice(place + 1).find(there);
  if (before || behind) {
    const next = tree.find(rest, known.get(before ?? behind).id);
    return tree.insert(rest, next.parent?.id ?? null, next.index + (before ? 1 : 0), one);
  }
  const group = known.get(parent) && tree.find(rest, known.get(parent).id)?.node;
  if (group?.children) return tree.insert(rest, group.id, group.children.length, one);
  const last = rootsOfCopy(rest, of).at(-1);
  const goal = last ? tree.behind(rest, last.id) : { parent: null, index: rest.length };
  return tree.insert(rest, goal.parent, goal.index, one);
}

/** Put the fields of a copy in the order of the newest version where that differs from the order of the version before. */
function reorder(nodes, of, was, will) {
  const inGroup = nodes.map((one) => (one.children ? { ...one, children: reorder(one.children, of, was, will) } : one));
  const slots = inGroup.flatMap((one, place) => (isOf(one, of) && will.has(one.field.block.field) ? [place] : []));
  const origins = slots.map((place) => inGroup[place].field.block.field);
  const order = (version, names) => names.toSorted((a, b) => rank(version, a) - rank(version, b));
  const both = origins.filter((name) => was.has(name));
  if (same(order(was, both), order(will, both))) return inGroup;
  const wanted = order(will, origins).map((name) => inGroup[slots[origins.indexOf(name)]]);
  return wanted.reduce((all, one, number) => all.with(slots[number], one), inGroup);
}

const rank = (version, origin) => [...version.keys()].indexOf(origin);

/** Remove a node. What is inside of it takes its place. */
function lift(nodes, id) {
  const place = tree.find(nodes, id);
  if (!place) return nodes;
  const rest = tree.remove(nodes, id);
  return (place.node.children ?? []).reduceRight(
    (all, child) => tree.insert(all, place.parent?.id ?? null, place.index, child),
    rest,
  );
}

/** Return nodes as a copy of a version of a block: renamed, in the language of the form, and with their origin. */
function asCopy({ id, version, language: from }, nodes, names, language, copy) {
  const origins = withFields(nodes, (field) => ({
    ...field,
    block: { id, version, field: field.name, ...(copy > 1 ? { copy } : {}) },
  }));
  return withFields(rename(origins, names), (field) => inLanguage(field, from, language));
}

/** Return the names that fields get in a form: those of `mine`, and otherwise their own with a number if it is taken. */
function namesFor(nodes, taken, mine = new Map()) {
  const own = [...tree.walk(nodes)].map(({ node }) => node.field.name);
  const used = new Set([...taken, ...own]);
  const names = {};
  for (const name of own) {
    if (name in names) continue;
    const free = isIn(taken, name) ? unique(name.replace(/_\d+$/, ""), used) : name;
    names[name] = mine.get(name)?.field.name ?? free;
    used.add(names[name]);
  }
  return names;
}

/** Rename fields, also in rules and texts. Names can be exchanged: each gets a name that no other has in between. */
function rename(nodes, names) {
  const changed = [...tree.walk(nodes)]
    .map(({ node }) => node)
    .filter(({ field }) => (names[field.name] ?? field.name) !== field.name);
  const steps = changed.map((one, number) => [
    one.field.name,
    `renamed_${number}_in_block`,
    names[one.field.name],
    tree.inRepeat(nodes, one.id),
  ]);
  const follows = (field) => {
    // Looking for all names in all rules and texts would take seconds for some hundred fields.
    const text = JSON.stringify(field);
    const used = steps.filter(([from]) => text.includes(from));
    const away = used.reduce((one, [from, between, , inRows]) => follow(one, from, between, inRows), field);
    return used.reduce((one, [, between, to, inRows]) => follow(one, between, to, inRows), away);
  };
  return withFields(nodes, (field) => ({ ...follows(field), name: names[field.name] ?? field.name }));
}

/** Return a field of a form in another language: its texts that are not translated are in the language `from`. */
function inLanguage(field, from, to) {
  if (from === to) return field;
  const convert = (text) => {
    const texts = typeof text === "string" ? { [from]: text } : text;
    return Object.keys(texts).length === 1 && to in texts ? texts[to] : texts;
  };
  const changed = { ...field };
  for (const member of TEXTS) if (field[member]) changed[member] = convert(field[member]);
  if (field.options) changed.options = field.options.map((option) => ({ ...option, label: convert(option.label) }));
  if (field.media?.alt) changed.media = { ...field.media, alt: convert(field.media.alt) };
  return changed;
}

const withFields = (nodes, change) => withNodes(nodes, (one) => change(one.field));

const withNodes = (nodes, change) =>
  nodes.map((one) => ({ ...one, field: change(one), children: one.children && withNodes(one.children, change) }));

const same = (one, other) => canonical(one) === canonical(other);
