// Options from a text: edited in a dialog, or pasted into an option.

import { announce, closest, query } from "../dom.js";
import { readCascade, readShownFor } from "./cascade.js";
import { fieldLabel, typeSetting } from "./field_types.js";
import { optionLabel } from "./labels.js";
import { applyOptions, spliceOptions } from "./option_changes.js";
import { openOptionDialog } from "./option_dialog.js";
import { createOption, detectSeparator, listValues } from "./option_text.js";
import { canDepend, countMaxShownFor, findParent, listParents } from "./shown_for.js";

/** @import { FieldEditor } from "./field_editor.js" */

const describeExcess = (count, most) =>
  `A list can have at most ${most} options, not ${count}. Use a data source and a lookup field instead.`;

export const maxOptions = (type) => typeSetting(type, "options").maxItems;

export function editAsText(/** @type {FieldEditor} */ editor, draw) {
  const most = maxOptions(editor.field.type);
  openOptionDialog(createContext(editor), {
    title: "Edit options as text",
    maxOptions: most,
    describeExcess: (count) => describeExcess(count, most),
    apply: (read) => {
      applyOptions(editor, read);
      draw();
    },
  });
}

/** Lines pasted into an option become options. A table is shown first, because its columns can mean different things. */
export function pasteOptions(event, /** @type {FieldEditor} */ editor, index, draw) {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  if (lines.length < 2) return;
  event.preventDefault();
  if (detectSeparator(text)) return pasteTable(editor, text, index, draw);
  const { options } = editor.field;
  const taken = listValues(options);
  taken.delete(options[index].value);
  const context = { options: [], language: editor.store.language };
  const pasted = lines.map((line) => createOption({ value: "", label: line.trim() }, taken, context).option);
  const count = options.length - 1 + pasted.length;
  const most = maxOptions(editor.field.type);
  if (count > most)
    return showRejection(
      query(".field-error", HTMLElement, closest(event, "ol").parentElement),
      describeExcess(count, most),
    );
  spliceOptions(editor, index, 1, ...pasted);
  draw(index + pasted.length - 1);
  announce(`${pasted.length} options pasted`);
}

/** Show how a table is read, before its options take the place of one option. */
function pasteTable(editor, text, index, draw) {
  const others = editor.field.options.toSpliced(index, 1);
  const most = maxOptions(editor.field.type);
  const context = createContext(editor);
  openOptionDialog(
    { ...context, taken: listValues(others) },
    {
      title: "Paste options",
      pasted: text,
      maxOptions: most - others.length,
      describeExcess: (count) => describeExcess(count + others.length, most),
      apply: (read) => {
        const kept = others.map((option) => (context.cascade ? readShownFor(option, context.cascade) : null));
        applyOptions(editor, {
          parent: read.parent,
          options: others.toSpliced(index, 0, ...read.options),
          shownFor: kept.toSpliced(index, 0, ...read.shownFor),
        });
        draw(index + read.options.length - 1);
        announce(`${read.options.length} options pasted`);
      },
    },
  );
}

/**
 * What the text is compared with.
 * @returns {import("./option_text.js").OptionContext}
 */
function createContext(editor) {
  const { field, store } = editor;
  const { language } = store;
  const cascade = findParent(editor) && readCascade(field);
  const parents = canDepend(editor) ? listParents(editor) : [];
  const isOwn = (node) => Number(node.field.name === cascade?.parent);
  return {
    options: field.options,
    language,
    cascade,
    parents: parents
      .sort((one, other) => isOwn(other) - isOwn(one))
      .map((node) => ({
        name: node.field.name,
        label: fieldLabel(node, language),
        options: node.field.options.map((option) => ({ value: option.value, label: optionLabel(option, language) })),
      })),
    maxShownFor: countMaxShownFor(editor),
  };
}

function showRejection(slot, reason) {
  Object.assign(slot, { hidden: false, textContent: reason });
  announce(reason);
}
