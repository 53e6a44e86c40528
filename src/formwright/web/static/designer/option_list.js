// The options of a choice: one by one, or as pasted lines.

import { announce, createButton, createElement, uniqueId } from "../dom.js";
import { typeTraits } from "./field_types.js";
import { changeLabel, localizeLabel, optionLabel, readLabel } from "./labels.js";
import { createOptionMedia } from "./media_settings.js";
import { changeOption, insertOption, renameInDependents, setOptions, spliceOptions } from "./option_changes.js";
import { editAsText, maxOptions, pasteOptions } from "./option_import.js";
import { createValue, listValues } from "./option_text.js";
import { createOptionPoints } from "./score_settings.js";
import { createDetails, MAX_SHOWN_OPTIONS } from "./setting_rows.js";
import { createDependencyRow, createShownFor, findParent } from "./shown_for.js";
import { isDerivedFrom, isValueUsed, uniqueName } from "./field_names.js";
import { createNode, insertNode, listNodes, positionAfter, updateNode } from "./field_tree.js";

const OTHER_VALUE = "other";

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
  const dependency = createElement("div");
  const draw = (focus = -1) => {
    const { options } = editor.field;
    const row = createDependencyRow(editor, draw);
    dependency.replaceChildren(...(row ? [row] : []));
    list.replaceChildren(...options.slice(0, MAX_SHOWN_OPTIONS).map(createItemFactory(editor, draw)));
    note.textContent =
      options.length > MAX_SHOWN_OPTIONS
        ? `Showing ${MAX_SHOWN_OPTIONS} of ${options.length}. Use “Edit as text” to see all.`
        : "";
    exclusive?.draw();
    points?.draw();
    media.draw();
    if (focus >= 0) selectLabel(list.children[Math.min(focus, list.children.length - 1)]);
  };
  draw();
  list.addEventListener("change", () => {
    exclusive?.draw();
    points?.draw();
  });
  box.append(
    createElement("span", { class: "label", id: title, text: "Options" }),
    dependency,
    list,
    note,
    createElement("p", { class: "field-error", hidden: true }),
    createElement(
      "div",
      { class: "actions" },
      createButton("Add option", () => addOption(editor, draw)),
      createButton("Add “Other”", () => addOtherOption(editor, draw)),
      createButton("Edit as text", () => editAsText(editor, draw)),
    ),
  );
  box.append(...[exclusive, points, media].filter(Boolean).map((one) => one.box));
  return [box];
}

/** Move the focus to the label of an option, so that typing replaces it. */
function selectLabel(item) {
  const input = item?.querySelector("input");
  input?.focus();
  input?.select();
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

function addOption(editor, draw) {
  const { options } = editor.field;
  const label = `Option ${options.length + 1}`;
  spliceOptions(editor, options.length, 0, { value: createValue(label, listValues(options)), label });
  draw(Math.min(options.length, MAX_SHOWN_OPTIONS - 1));
}

/** Add an option “Other”, and after the field a text in which people say what they mean. */
function addOtherOption(editor, draw) {
  const { id, store } = editor;
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
  const field = insertOption(editor, position, { value: OTHER_VALUE, label: "Other" });
  const nodes = updateNode(store.nodes, id, (one) => ({ ...one, field }));
  const { parent, index } = positionAfter(nodes, id);
  store.applyChange({ nodes: insertNode(nodes, parent, index, createNode(text)) });
  draw(Math.min(position, MAX_SHOWN_OPTIONS - 1));
  announce("“Other” added, with a text field after this one.");
}

/** Return the function that creates the item of an option. One list of answers is open at a time. */
function createItemFactory(editor, draw) {
  const parent = findParent(editor);
  let closeOpened = () => {};
  const isOpened = (close) => {
    closeOpened();
    closeOpened = close;
  };
  return (option, index) => {
    const item = createOptionItem(editor, option, index, draw);
    if (parent) item.append(...createShownFor(editor, index, parent, isOpened));
    return item;
  };
}

function createOptionItem(editor, option, index, draw) {
  const { language: own, languages, page } = editor.store;
  const number = `Option ${index + 1}`;
  const labels = languages.map((language) => {
    const name = languages.length > 1 ? `${number}, ${language}` : number;
    const input = createElement("input", {
      "aria-label": name,
      lang: language,
      dir: "auto",
      placeholder: languages.length > 1 ? language : null,
      maxlength: page.optionSettings.label.maxLength,
      value: readLabel(option.label, language, own),
    });
    input.addEventListener("input", () => {
      changeOption(editor, index, language, (one) => changeOptionLabel(editor, one, language, input.value));
      valueInput.value = editor.field.options[index].value;
    });
    input.addEventListener("paste", (event) => pasteOptions(event, editor, index, draw));
    input.addEventListener("keydown", (event) => handleKey(event, editor, index, draw));
    return input;
  });
  const valueInput = createValueInput(editor, option, index);
  const removeOption = () => {
    setOptions(editor, editor.field.options.toSpliced(index, 1));
    draw(index);
  };
  const remove = createButton("✕", removeOption, { "aria-label": `Remove ${number.toLowerCase()}` });
  return createElement("li", {}, createElement("div", { class: "texts" }, ...labels), valueInput, remove);
}

function createValueInput(editor, option, index) {
  let before = option.value;
  const input = createElement("input", {
    "aria-label": `Value of option ${index + 1}`,
    class: "code",
    maxlength: editor.store.page.optionSettings.value.maxLength,
    spellcheck: "false",
    value: option.value,
  });
  const merge = `${editor.id} options ${index} value`;
  input.addEventListener("focus", () => {
    before = input.value;
  });
  input.addEventListener("input", () => {
    const { options } = editor.field;
    setOptions(editor, options.with(index, { ...options[index], value: input.value }), merge);
  });
  // Only the finished value: on the way to it, it may be that of another option.
  input.addEventListener("change", () => {
    renameInDependents(editor, before, input.value, merge);
    before = input.value;
  });
  return input;
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

function handleKey(event, editor, index, draw) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const { options } = editor.field;
  if (event.key === "Enter") {
    event.preventDefault();
    const label = `Option ${options.length + 1}`;
    spliceOptions(editor, index + 1, 0, { value: createValue("", listValues(options)), label });
    draw(index + 1);
  } else if (step && event.altKey && options[index + step]) {
    event.preventDefault();
    setOptions(editor, options.toSpliced(index, 1).toSpliced(index + step, 0, options[index]));
    draw(index + step);
  }
}
