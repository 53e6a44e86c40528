// The options of a choice: one by one, or as pasted lines.

import { announce, closest, createButton, createElement, query, uniqueId } from "../dom.js";
import { typeSetting, typeTraits } from "./field_types.js";
import { changeLabel, localizeLabel, optionLabel, readLabel } from "./labels.js";
import { createOptionMedia } from "./media_settings.js";
import { createValue, formatOptions, listValues, parseOption, parseOptions, restorePoints } from "./option_text.js";
import { createOptionPoints } from "./score_settings.js";
import { createDetails, MAX_SHOWN_OPTIONS } from "./setting_rows.js";
import { isDerivedFrom, isValueUsed, uniqueName } from "./field_names.js";
import { createNode, findNode, insertNode, listNodes, positionAfter, updateNode } from "./field_tree.js";

const OTHER_VALUE = "other";

const describeExcess = (count, most) =>
  `A list can have at most ${most} options, not ${count}. Use a data source and a lookup field instead.`;

const maxOptions = (type) => typeSetting(type, "options").maxItems;
const hasSeveralAnswers = (type) => typeTraits(type).answerKind === "CHOICES";

/** @param {import("./field_editor.js").FieldEditor} editor */
export function createOptionRows(editor) {
  if (!editor.field.options) return [];
  const title = uniqueId("options");
  const box = createElement("div", {
    class: "field options",
    role: "group",
    "aria-labelledby": title,
    data: { property: "options" },
  });
  const list = createElement("ol");
  const note = createElement("p", { class: "help" });
  const { type } = editor.field;
  const { isChoice } = typeTraits(type);
  const exclusive = isChoice && hasSeveralAnswers(type) ? createExclusiveOptions(editor) : null;
  const points = isChoice
    ? createOptionPoints(editor, (options, merge) => editor.setProperty("options", options, false, merge))
    : null;
  const media = createOptionMedia(editor, setOptions);
  const draw = (focus = -1) => {
    const { options } = editor.field;
    list.replaceChildren(
      ...options.slice(0, MAX_SHOWN_OPTIONS).map((option, index) => createOptionItem(editor, option, index, draw)),
    );
    note.textContent =
      options.length > MAX_SHOWN_OPTIONS
        ? `Showing ${MAX_SHOWN_OPTIONS} of ${options.length}. Use “Edit as text” to see all.`
        : "";
    exclusive?.draw();
    points?.draw();
    media.draw();
    if (focus >= 0) list.children[Math.min(focus, list.children.length - 1)]?.querySelector("input")?.focus();
  };
  draw();
  list.addEventListener("change", () => {
    exclusive?.draw();
    points?.draw();
  });
  box.append(
    createElement("span", { class: "label", id: title, text: "Options" }),
    list,
    note,
    createElement("p", { class: "field-error", hidden: true }),
    createElement(
      "div",
      { class: "actions" },
      createButton("Add option", () => addOption(editor, draw)),
      createButton("Add “Other”", () => addOtherOption(editor, draw)),
      createButton("Edit as text", () => openTextDialog(editor, box, draw)),
    ),
  );
  box.append(...[exclusive, points, media].filter(Boolean).map((one) => one.box));
  return [box];
}

/** Which options exclude all others. `draw` follows changed options. */
function createExclusiveOptions(editor) {
  const hasExclusive = ({ options }) => options.some((option) => option.exclusive);
  const list = createElement("div", { class: "columns" });
  const box = createDetails(
    "Options that exclude all others",
    hasExclusive(editor.field),
    createElement("p", { class: "help", text: "Such as “None of the above”: choosing it clears the others." }),
    list,
  );
  const mark = (index, on) => {
    const { options } = editor.field;
    const { exclusive: _, ...option } = options[index];
    setOptions(editor, options.with(index, on ? { ...option, exclusive: true } : option));
  };
  const createCheckbox = (option, index) => {
    const id = uniqueId("exclusive");
    const box = createElement("input", { type: "checkbox", id, checked: Boolean(option.exclusive) });
    box.addEventListener("change", () => mark(index, box.checked));
    const text = optionLabel(option, editor.store.language);
    return createElement("div", { class: "check" }, box, createElement("label", { for: id, text }));
  };
  const draw = () => {
    const shown = box.open ? editor.field.options.slice(0, MAX_SHOWN_OPTIONS) : [];
    list.replaceChildren(...shown.map(createCheckbox));
  };
  box.addEventListener("toggle", draw);
  return { box, draw };
}

// Each change is an undo step, but typing into one input is a single step.
function setOptions(editor, options, merge = null) {
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

function addOption(editor, draw) {
  const { options } = editor.field;
  const label = `Option ${options.length + 1}`;
  setOptions(editor, [...options, { value: createValue(label, listValues(options)), label }]);
  draw(Math.min(options.length, MAX_SHOWN_OPTIONS - 1));
}

/** Add an option “Other”, and after the field a text in which people say what they mean. */
function addOtherOption({ id, store }, draw) {
  const { name, type, options } = store.get(id).field;
  const isFull = listNodes(store.nodes).length >= store.page.maxFields || options.length >= maxOptions(type);
  if (isFull || options.some((option) => option.value === OTHER_VALUE))
    return announce(isFull ? "The form or the list is full." : "There already is an option “other”.");
  const text = {
    type: "text",
    name: uniqueName(`${name}_${OTHER_VALUE}`, store.takenNames),
    label: "Other, please specify",
    visibleIf: hasSeveralAnswers(type) ? `'${OTHER_VALUE}' in ${name}` : `${name} == '${OTHER_VALUE}'`,
  };
  const position = options.findLastIndex((option) => !option.exclusive) + 1;
  const nodes = updateNode(store.nodes, id, (one) => ({
    ...one,
    field: { ...one.field, options: options.toSpliced(position, 0, { value: OTHER_VALUE, label: "Other" }) },
  }));
  const { parent, index } = positionAfter(nodes, id);
  store.applyChange({ nodes: insertNode(nodes, parent, index, createNode(text)) });
  draw(Math.min(position, MAX_SHOWN_OPTIONS - 1));
  announce("“Other” added, with a text field after this one.");
}

function createOptionItem(editor, option, index, draw) {
  const { language: own, languages, page } = editor.store;
  const number = `Option ${index + 1}`;
  const change = (part, changeOption) =>
    setOptions(
      editor,
      editor.field.options.with(index, changeOption(editor.field.options[index])),
      `${editor.id} options ${index} ${part}`,
    );
  const labels = languages.map((language) => {
    const name = languages.length > 1 ? `${number}, ${language}` : number;
    const input = createElement("input", {
      "aria-label": name,
      lang: language,
      placeholder: languages.length > 1 ? language : null,
      maxlength: page.optionSettings.label.maxLength,
      value: readLabel(option.label, language, own),
    });
    input.addEventListener("input", () => {
      change(language, (one) => changeOptionLabel(editor, one, language, input.value));
      valueInput.value = editor.field.options[index].value;
    });
    input.addEventListener("paste", (event) => pasteOptions(event, editor, index, draw));
    input.addEventListener("keydown", (event) => handleKey(event, editor, index, draw));
    return input;
  });
  const valueInput = createElement("input", {
    "aria-label": `Value of ${number.toLowerCase()}`,
    class: "code",
    maxlength: page.optionSettings.value.maxLength,
    spellcheck: "false",
    value: option.value,
  });
  valueInput.addEventListener("input", () => change("value", (one) => ({ ...one, value: valueInput.value })));
  const removeOption = () => {
    setOptions(editor, editor.field.options.toSpliced(index, 1));
    draw(index);
  };
  const remove = createButton("✕", removeOption, { "aria-label": `Remove ${number.toLowerCase()}` });
  return createElement("li", {}, createElement("div", { class: "texts" }, ...labels), valueInput, remove);
}

// The value follows the label while it was made from it, nobody has answered with it, and no rule uses it.
function changeOptionLabel(editor, option, language, text) {
  const own = editor.store.language;
  const before = localizeLabel(option.label, own);
  const label = changeLabel(option.label, language, text, own) ?? "";
  const isDerived = isDerivedFrom(option.value, before, "option");
  const isUsed = listNodes(editor.store.nodes).some((node) => isValueUsed(node.field, option.value));
  if (language !== own || !isDerived || isUsed || editor.field.name in editor.store.page.published)
    return { ...option, label };
  const others = listValues(editor.field.options);
  others.delete(option.value);
  return { ...option, value: createValue(text, others), label };
}

function pasteOptions(event, editor, index, draw) {
  const lines =
    event.clipboardData
      ?.getData("text/plain")
      .split(/\r?\n/)
      .filter((line) => line.trim()) ?? [];
  if (lines.length < 2) return;
  event.preventDefault();
  const { options } = editor.field;
  const taken = listValues(options);
  taken.delete(options[index].value);
  const pasted = lines.map((line) => parseOption(line, taken, [], editor.store.language));
  const changed = options.toSpliced(index, 1, ...pasted);
  const most = maxOptions(editor.field.type);
  if (changed.length > most)
    return showRejection(
      query(".field-error", HTMLElement, closest(event, ".options")),
      describeExcess(changed.length, most),
    );
  setOptions(editor, changed);
  draw(index + pasted.length - 1);
  announce(`${pasted.length} options pasted`);
}

// If a line does not fit, nothing is applied: half a list would look complete.
function showRejection(slot, reason) {
  Object.assign(slot, { hidden: false, textContent: reason });
  announce(reason);
}

function handleKey(event, editor, index, draw) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const { options } = editor.field;
  if (event.key === "Enter") {
    event.preventDefault();
    setOptions(
      editor,
      options.toSpliced(index + 1, 0, {
        value: createValue("", listValues(options)),
        label: `Option ${options.length + 1}`,
      }),
    );
    draw(index + 1);
  } else if (step && event.altKey && options[index + step]) {
    event.preventDefault();
    setOptions(editor, options.toSpliced(index, 1).toSpliced(index + step, 0, options[index]));
    draw(index + step);
  }
}

function openTextDialog(editor, box, draw) {
  const { options } = editor.field;
  const own = editor.store.language;
  const id = uniqueId("lines");
  const area = createElement("textarea", {
    id,
    rows: "12",
    "aria-describedby": `${id}-help`,
    value: formatOptions(options, own),
    wrap: "off",
  });
  const dialog = createElement("dialog", { "aria-labelledby": `${id}-title` });
  const fault = createElement("p", { class: "field-error", hidden: true });
  const apply = () => {
    const lines = area.value.split("\n").filter((line) => line.trim());
    const parsed = parseOptions(lines, options, own);
    const most = maxOptions(editor.field.type);
    if (parsed.length > most) return showRejection(fault, describeExcess(parsed.length, most));
    if (parsed.length) setOptions(editor, parsed);
    dialog.close();
    draw();
  };
  dialog.append(
    createElement("h2", { id: `${id}-title`, text: "Edit options as text" }),
    createElement(
      "div",
      { class: "field" },
      createElement("label", { for: id, text: "One option per line" }),
      area,
      fault,
      createElement("p", {
        class: "help",
        id: `${id}-help`,
        text: "You can paste two table columns: the value, then the label. Further columns are for “Offer an option if”, and one named points for points: paste a table whose first line is value, label and the names of the columns.",
      }),
    ),
    createElement(
      "div",
      { class: "actions" },
      createElement("button", { type: "button", class: "quiet", text: "Cancel", on: { click: () => dialog.close() } }),
      createElement("button", { type: "button", text: "Apply", on: { click: apply } }),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  box.append(dialog);
  dialog.showModal();
}
