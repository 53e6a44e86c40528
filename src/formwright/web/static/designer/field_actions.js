// What people can do with a field: add, move, duplicate, remove.

import { announce } from "../dom.js";
import { duplicateNode, fieldLabel } from "./field_types.js";
import {
  createNode,
  findMoveError,
  findNode,
  findStepTarget,
  insertNode,
  listAncestors,
  listNodes,
  moveNode,
  positionAfter,
  removeNode,
} from "./field_tree.js";

const DIRECTION_TEXTS = { up: "up", down: "down", into: "into the group", out: "out of the group" };

/**
 * `onRemoved(label)` is called after a removal.
 * @param {import("./design_store.js").DesignStore} store
 * @param {import("./field_types.js").FieldTypes} fieldTypes
 * @param {(label: string) => void} onRemoved
 */
export function createFieldActions(store, fieldTypes, onRemoved) {
  const labelOf = (id) => fieldLabel(store.get(id), store.language);
  const describeExcess = (added) => {
    const count = listNodes([...store.nodes, ...added]).length;
    return count > store.page.maxFields ? `A form can have at most ${store.page.maxFields} fields.` : "";
  };
  const announceIfFull = () => {
    const reason = describeExcess([createNode({})]);
    if (reason) announce(reason);
    return Boolean(reason);
  };

  function findInsertPosition() {
    const node = store.get(store.selectedId);
    if (!node) return { parent: null, index: store.nodes.length };
    return node.children ? { parent: node.id, index: node.children.length } : positionAfter(store.nodes, node.id);
  }

  function insertNodes(added, { parent, index }) {
    const isForbidden = added.some((node) => findMoveError(store.nodes, node, parent, store.page));
    // If it is not allowed there, it goes after the element that does not accept it.
    const target = isForbidden
      ? positionAfter(store.nodes, listAncestors(store.nodes, parent)[0]?.id ?? parent)
      : { parent, index };
    const nodes = added.reduceRight((all, node) => insertNode(all, target.parent, target.index, node), store.nodes);
    store.applyChange({ nodes }, { drawn: true });
    store.select(added[0].id);
  }

  function moveTo(id, parent, index) {
    const reason = findMoveError(store.nodes, store.get(id), parent, store.page);
    if (reason) return announce(reason);
    store.applyChange({ nodes: moveNode(store.nodes, id, parent, index) }, { drawn: true });
    store.select(id);
    const position = findNode(store.nodes, id);
    announce(
      `${labelOf(id)}: now ${position.index + 1} of ${position.count}${position.parent ? ` in ${fieldLabel(position.parent, store.language)}` : ""}`,
    );
  }

  return {
    moveTo,
    /** Say where the next field will go. */
    describeTarget(what = "The field is") {
      const node = store.get(store.selectedId);
      if (!node) return `${what} added at the end.`;
      return node.children ? `${what} added to “${labelOf(node.id)}”.` : `${what} added after “${labelOf(node.id)}”.`;
    },
    /** Add several fields at once; return why that is impossible, or "". */
    addNodes(added) {
      const reason = describeExcess(added);
      if (!reason) insertNodes(added, findInsertPosition());
      return reason;
    },
    add(type) {
      if (!announceIfFull()) insertNodes([fieldTypes.createField(type, store.takenNames)], findInsertPosition());
    },
    move(id, direction) {
      const target = findStepTarget(store.nodes, id, direction);
      if (target) moveTo(id, target.parent, target.index);
      else announce(`${labelOf(id)} can’t move ${DIRECTION_TEXTS[direction]} here.`);
    },
    duplicate(id) {
      if (announceIfFull()) return;
      insertNodes([duplicateNode(store.get(id), store.takenNames)], positionAfter(store.nodes, id));
      announce(`${labelOf(store.selectedId)} duplicated`);
    },
    remove(id) {
      const ids = listNodes(store.nodes).map((node) => node.id);
      const removedLabel = labelOf(id);
      const nodes = removeNode(store.nodes, id);
      store.applyChange({ nodes }, { drawn: true });
      const next = ids.slice(ids.indexOf(id)).find((one) => store.get(one)) ?? ids.slice(0, ids.indexOf(id)).at(-1);
      store.select(next ?? null);
      onRemoved(removedLabel);
    },
  };
}
