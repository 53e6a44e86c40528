// What can be done with a field: add, move, copy, remove.

import { say } from "../dom.js";
import { copyOf, labelOf } from "./field_types.js";
import * as tree from "./field_tree.js";

const SPOKEN = { up: "up", down: "down", into: "into the group", out: "out of the group" };

/** `removed(label)` is called after a removal. */
export function acts(store, kinds, removed) {
  const label = (id) => labelOf(store.get(id), store.language);
  const tooMany = (added) => {
    const count = [...tree.walk([...store.nodes, ...added])].length;
    return count > store.page.maxFields ? `A form can have at most ${store.page.maxFields} fields.` : "";
  };
  const full = () => {
    const reason = tooMany([tree.node({})]);
    if (reason) say(reason);
    return Boolean(reason);
  };

  function target() {
    const node = store.get(store.chosen);
    if (!node) return { parent: null, index: store.nodes.length };
    return node.children ? { parent: node.id, index: node.children.length } : tree.behind(store.nodes, node.id);
  }

  function put(added, { parent, index }) {
    const isForbidden = added.some((node) => tree.forbidden(store.nodes, node, parent, store.page));
    // If it is not allowed there, it goes after the element that does not accept it.
    const goal = isForbidden
      ? tree.behind(store.nodes, tree.listAncestors(store.nodes, parent)[0]?.id ?? parent)
      : { parent, index };
    const nodes = added.reduceRight((all, node) => tree.insert(all, goal.parent, goal.index, node), store.nodes);
    store.change({ nodes }, { drawn: true });
    store.choose(added[0].id);
  }

  function place(id, parent, index) {
    const reason = tree.forbidden(store.nodes, store.get(id), parent, store.page);
    if (reason) return say(reason);
    store.change({ nodes: tree.move(store.nodes, id, parent, index) }, { drawn: true });
    store.choose(id);
    const now = tree.find(store.nodes, id);
    say(
      `${label(id)}: now ${now.index + 1} of ${now.count}${now.parent ? ` in ${labelOf(now.parent, store.language)}` : ""}`,
    );
  }

  return {
    place,
    where(what = "The field is") {
      const node = store.get(store.chosen);
      if (!node) return `${what} added at the end.`;
      return node.children ? `${what} added to “${label(node.id)}”.` : `${what} added after “${label(node.id)}”.`;
    },
    /** Add several fields at once; return why that is impossible, or "". */
    putAll(added) {
      const reason = tooMany(added);
      if (!reason) put(added, target());
      return reason;
    },
    add(type) {
      if (!full()) put([kinds.fresh(type, store.taken)], target());
    },
    move(id, way) {
      const goal = tree.step(store.nodes, id, way);
      if (goal) place(id, goal.parent, goal.index);
      else say(`${label(id)} can’t move ${SPOKEN[way]} here.`);
    },
    duplicate(id) {
      if (full()) return;
      put([copyOf(store.get(id), store.taken)], tree.behind(store.nodes, id));
      say(`${label(store.chosen)} duplicated`);
    },
    remove(id) {
      const rows = [...tree.walk(store.nodes)].map(({ node }) => node.id);
      const gone = label(id);
      const nodes = tree.remove(store.nodes, id);
      store.change({ nodes }, { drawn: true });
      const left = rows.slice(rows.indexOf(id)).find((one) => store.get(one)) ?? rows.slice(0, rows.indexOf(id)).at(-1);
      store.choose(left ?? null);
      removed(gone);
    },
  };
}
