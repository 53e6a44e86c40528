// Changes of the options of a field, and of what depends on them.

import { readCascade, readShownFor, removeCascade, renameShownFor, writeCascade } from "./cascade.js";
import { findNode, updateNode } from "./field_tree.js";
import { restorePoints } from "./option_text.js";
import { findParent, listParents, toParent } from "./shown_for.js";

/** @import { FieldEditor } from "./field_editor.js" */

/** Set the options. Each change is an undo step, but typing into one input is a single step. */
export function setOptions(/** @type {FieldEditor} */ editor, options, merge = null) {
  const { parent } = findNode(editor.store.nodes, editor.id);
  if (!parent?.field.table) return editor.setProperty("options", options, false, merge);
  // The rows of a table have the same options, but points of their own.
  const children = parent.children.map((one) =>
    one.field.options
      ? {
          ...one,
          field: { ...one.field, options: one.id === editor.id ? options : restorePoints(options, one.field.options) },
        }
      : one,
  );
  editor.store.applyChange(
    { nodes: updateNode(editor.store.nodes, parent.id, (one) => ({ ...one, children })) },
    { merge, drawn: false },
  );
}

/** Replace options, or insert some; the new ones are shown for the same answers as the one before them. */
export function spliceOptions(/** @type {FieldEditor} */ editor, index, removed, ...added) {
  const { field } = editor;
  const options = field.options.toSpliced(index, removed, ...added);
  const [cascade, parent] = [readCascade(field), findParent(editor)];
  if (!cascade || !parent) return setOptions(editor, options);
  const shownFor = field.options.map((option) => readShownFor(option, cascade));
  const like = shownFor[removed ? index : index - 1] ?? null;
  const changed = shownFor.toSpliced(index, removed, ...added.map(() => like));
  editor.store.editField(editor.id, (one) => writeCascade({ ...one, options }, toParent(parent), changed));
}

/** Return the field of the editor with another option, which is always shown. */
export function insertOption(/** @type {FieldEditor} */ editor, position, option) {
  const field = { ...editor.field, options: editor.field.options.toSpliced(position, 0, option) };
  const [cascade, parent] = [readCascade(field), findParent(editor)];
  if (!cascade || !parent) return field;
  const shownFor = field.options.map((one) => (one === option ? null : readShownFor(one, cascade)));
  return writeCascade(field, toParent(parent), shownFor);
}

/** Change an option. Options of other questions that are shown for it follow a new value. */
export function changeOption(/** @type {FieldEditor} */ editor, index, part, change) {
  const { options } = editor.field;
  const changed = change(options[index]);
  const merge = `${editor.id} options ${index} ${part}`;
  setOptions(editor, options.with(index, changed), merge);
  if (changed.value !== options[index].value) renameInDependents(editor, options[index].value, changed.value, merge);
}

export function renameInDependents(/** @type {FieldEditor} */ { store, field }, from, to, merge) {
  const nodes = renameShownFor(store.nodes, field.name, from, to);
  if (nodes !== store.nodes) store.applyChange({ nodes }, { merge, drawn: false });
}

/**
 * Set options that were read from a text. Without a column that says for what they are shown, known options are shown as
 * before.
 */
export function applyOptions(/** @type {FieldEditor} */ editor, { options, parent, shownFor }) {
  const { field } = editor;
  const cascade = readCascade(field);
  const node = parent ? listParents(editor).find((one) => one.field.name === parent) : findParent(editor);
  if (!node) return setOptions(editor, options);
  const known = new Map(field.options.map((option) => [option.value, option]));
  const keep = ({ value }) => (cascade && known.has(value) ? readShownFor(known.get(value), cascade) : null);
  const base = { ...field, options };
  const plain = cascade?.parent === node.field.name ? base : removeCascade(base);
  const changed = writeCascade(plain, toParent(node), parent ? shownFor : options.map(keep));
  editor.store.editField(editor.id, () => changed);
}
