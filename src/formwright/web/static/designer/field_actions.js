// What can be done with a field: add, move, copy, remove.

import { say } from "./dom.js";
import { copyOf, labelOf } from "./field_types.js";
import * as tree from "./field_tree.js";

const SPOKEN = { up: "up", down: "down", into: "into the group", out: "out of the group" };

/** `removed(label)` is called after a removal. */
export function acts(store, kinds, removed) {
  const label = (id) => labelOf(store.get(id), store.language);
  const full = () => {
    const many = [...tree.walk(store.nodes)].length >= store.page.maxFields;
    if (many) say(`A form can have at most ${store.page.maxFields} fields.`);
    return many;
  };

  function target() {
    const node = store.get(store.chosen);
    if (!node) return { parent: null, index: store.nodes.length };
    return node.children ? { parent: node.id, index: node.children.length } : tree.behind(store.nodes, node.id);
  }

  function put(node, { parent, index }) {
    const reason = tree.forbidden(store.nodes, node, parent);
    // If it is not allowed there, it goes after the element that does not accept it.
    const goal = reason ? tree.behind(store.nodes, tree.listAncestors(store.nodes, parent)[0]?.id ?? parent) : { parent, index };
    store.change({ nodes: tree.insert(store.nodes, goal.parent, goal.index, node) }, { drawn: true });
    store.choose(node.id);
  }

  function place(id, parent, index) {
    const reason = tree.forbidden(store.nodes, store.get(id), parent);
    if (reason) return say(reason);
    store.change({ nodes: tree.move(store.nodes, id, parent, index) }, { drawn: true });
    store.choose(id);
    const now = tree.find(store.nodes, id);
    say(`${label(id)}: now ${now.index + 1} of ${now.count}${now.parent ? ` in ${labelOf(now.parent, store.language)}` : ""}`);
  }

  return {
    place,
    where() {
      const node = store.get(store.chosen);
      if (!node) return "The field is added at the end.";
      return node.children ? `The field is added to “${label(node.id)}”.` : `The field is added after “${label(node.id)}”.`;
    },
    add(type) {
      if (!full()) put(kinds.fresh(type, store.taken), target());
    },
    move(id, way) {
      const goal = tree.step(store.nodes, id, way);
      if (goal) place(id, goal.parent, goal.index);
      else say(`${label(id)} can’t move ${SPOKEN[way]} here.`);
    },
    duplicate(id) {
      if (full()) return;
      put(copyOf(store.get(id), store.taken), tree.behind(store.nodes, id));
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
