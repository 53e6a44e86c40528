// The dialogs of the question library: insert a block, save questions as one, and review an update.

import { fetchJson, postJson } from "./requests.js";
import { byId, createElement, uniqueId } from "../dom.js";
import { fieldLabel, typeTraits } from "./field_types.js";
import { createIcon } from "./icons.js";
import { localizeLabel } from "./labels.js";
import { createRow, createTextInput } from "./setting_rows.js";

const SEARCH_DELAY_MS = 250;
export const LIBRARY_URL = "/forms/question-library";

/** Open a dialog that is removed when it closes. `submit` returns why it failed, or "" to close the dialog. */
function openDialog(title, content, confirmLabel = "", submit = null) {
  const id = uniqueId("library");
  const fault = createElement("p", { class: "field-error", role: "alert", hidden: true });
  const form = createElement("form", { method: "dialog", novalidate: true }, ...content, fault);
  const cancel = createElement("button", {
    type: "button",
    class: "quiet",
    text: submit ? "Cancel" : "Close",
    on: { click: () => dialog.close() },
  });
  const confirm = confirmLabel ? createElement("button", { text: confirmLabel }) : null;
  form.append(createElement("div", { class: "actions" }, cancel, confirm));
  const dialog = createElement(
    "dialog",
    { class: "library", "aria-labelledby": id },
    createElement("h2", { id, text: title }),
    form,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!submit) return;
    confirm.disabled = true;
    const detail = await submit();
    confirm.disabled = false;
    fault.textContent = detail;
    fault.hidden = !detail;
    if (!detail) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  byId("designer").append(dialog);
  dialog.showModal();
  return dialog;
}

/** Let people search the library; `insert(block)` is called with the chosen block and returns why it cannot be inserted. */
export function openInsertDialog(fieldTypes, store, target, insert) {
  const list = createElement("ul", { class: "blocks", "aria-label": "Blocks" });
  const status = createElement("p", { class: "help", role: "status", text: "Loading…" });
  const search = createElement("input", { type: "search", autocomplete: "off", maxlength: "200" });
  const choose = (block) => {
    status.textContent = insert(block);
    if (!status.textContent) dialog.close();
  };
  let timer = null;
  let requestCount = 0;
  const load = async () => {
    requestCount += 1;
    const number = requestCount;
    const found = await fetchJson(`${LIBRARY_URL}/choices?q=${encodeURIComponent(search.value)}`);
    // The user has typed more.
    if (number !== requestCount) return;
    list.replaceChildren(...(found?.blocks ?? []).map((block) => createBlockItem(block, fieldTypes, store, choose)));
    status.replaceChildren(...describeSearch(found, search.value));
  };
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(load, SEARCH_DELAY_MS);
  });
  const dialog = openDialog("Insert from library", [
    createElement("p", { class: "help", text: target }),
    createRow("search", "Search", search),
    status,
    list,
  ]);
  load();
}

function describeSearch(found, text) {
  if (!found) return ["The library couldn’t be loaded. Check your connection and try again."];
  if (found.blocks.length) return found.more ? ["There are more blocks. Search by name to find them."] : [];
  if (text) return ["No blocks have this in their name."];
  return [
    "The question library is empty. To add the first block, select a question or a section in a form and choose “Save to library”.",
  ];
}

function createBlockItem(block, fieldTypes, store, choose) {
  const count = block.count === 1 ? "1 field" : `${block.count} fields`;
  const add = createElement("button", {
    type: "button",
    class: "small",
    text: "Insert",
    "aria-label": `Insert ${block.name}`,
    on: { click: () => choose(block) },
  });
  return createElement(
    "li",
    {},
    createElement(
      "div",
      { class: "block-head" },
      createElement(
        "div",
        {},
        createElement("strong", { dir: "auto", text: block.name }),
        createElement("span", { class: "muted", text: ` ${count}` }),
      ),
      add,
    ),
    block.description ? createElement("p", { class: "help", dir: "auto", text: block.description }) : null,
    createElement(
      "details",
      {},
      createElement("summary", { text: "Questions" }),
      createOutline(block.fields, fieldTypes, store.language),
    ),
  );
}

function createOutline(fields, fieldTypes, language) {
  return createElement(
    "ol",
    { class: "outline" },
    ...fields.map((field) =>
      createElement(
        "li",
        {},
        createElement(
          "span",
          { class: "question" },
          createIcon(typeTraits(field.type).icon),
          createElement("span", { dir: "auto", text: localizeLabel(field.label, language) || field.name }),
          createElement("span", { class: "muted", text: ` ${fieldTypes.title(field.type)}` }),
        ),
        field.fields ? createOutline(field.fields, fieldTypes, language) : null,
      ),
    ),
  );
}

/** Ask for the name of a new block, and for the questions in it; `save({name, description, ids})` returns an error or "". */
export function openSaveDialog(store, node, siblings, save) {
  const { maxNameLength, maxDescriptionLength } = store.page;
  const name = createTextInput(fieldLabel(node, store.language).slice(0, maxNameLength), () => {}, {
    maxlength: maxNameLength,
    required: true,
  });
  const description = createTextInput("", () => {}, { rows: "2", maxlength: maxDescriptionLength });
  const questions = createFieldChooser(store, siblings, new Set([node.id]));
  const content = [
    createElement("p", {
      class: "help",
      text: "Other forms can then insert these questions, and you can update them everywhere.",
    }),
    createRow("name", "Name", name),
    createRow("description", "Description", description, "Optional. Helps others to choose the right block."),
    ...questions.content,
  ];
  openDialog("Save to library", content, "Save to library", () =>
    save({ name: name.value.trim(), description: description.value.trim(), ids: questions.ids() }),
  );
  name.select();
}

/** Ask whether to replace a block by the questions of this form; `save({ids})` returns an error or "". */
export function openReplaceDialog(store, block, chosen, siblings, save) {
  const questions = createFieldChooser(store, siblings, new Set(chosen));
  const content = [
    createElement("p", {
      text: `“${block.name}” gets version ${block.version + 1} with these questions as they are in this form.`,
    }),
    createElement("p", {
      class: "help",
      text: "Other forms that use it stay as they are. Their designer offers the update.",
    }),
    ...questions.content,
  ];
  openDialog("Update the block in the library?", content, "Update library", () => save({ ids: questions.ids() }));
}

/** Checkboxes for fields beside each other, unless there is only one. */
function createFieldChooser(store, nodes, chosen) {
  const boxes = nodes.map((node) => {
    const id = uniqueId("question");
    return {
      node,
      box: createElement("input", { type: "checkbox", id, checked: chosen.has(node.id) }),
      label: createElement("label", { for: id, dir: "auto", text: fieldLabel(node, store.language) }),
    };
  });
  const list = createElement(
    "fieldset",
    { class: "questions" },
    createElement("legend", { text: "Questions" }),
    ...boxes.map(({ box, label }) => createElement("div", { class: "check" }, box, label)),
  );
  return {
    content: boxes.length > 1 ? [list] : [],
    ids: () => boxes.filter(({ box }) => box.checked).map(({ node }) => node.id),
  };
}

/** Show what a newer version of a block changes in this form; `apply()` applies it. */
export function openReviewDialog(store, block, changes, apply) {
  const lines = changes.map((change) => createElement("li", {}, ...describeChange(change, store)));
  const content = [
    lines.length
      ? createElement("ul", { class: "changes" }, ...lines)
      : createElement("p", { text: "Nothing in this form changes. It already has the same questions." }),
    createElement("p", {
      class: "help",
      text: "Field names stay as they are in this form, so earlier answers stay comparable. Respondents see the changes when you publish the form.",
    }),
  ];
  openDialog(`Update “${block.name}” to version ${block.version}`, content, "Apply update", () => {
    apply();
    return "";
  });
}

const CHANGE_VERBS = { added: "Adds", removed: "Removes", moved: "Moves" };

function describeChange({ kind, name, field, properties }, store) {
  if (kind === "reordered") return ["Changes the order of the questions."];
  const label = localizeLabel(field.label, store.language) || name;
  if (kind !== "changed")
    return [
      `${CHANGE_VERBS[kind]} “${label}”`,
      kind === "removed" ? createElement("span", { class: "muted", text: ` (${name})` }) : "",
      ".",
    ];
  const parts = properties.map(({ property, before, after, isOwn }) =>
    createElement(
      "li",
      {},
      describePropertyChange(property, before, after, store),
      isOwn ? createElement("strong", { text: " Replaces your change." }) : null,
    ),
  );
  return [`Changes “${label}”:`, createElement("ul", {}, ...parts)];
}

function describePropertyChange(property, before, after, store) {
  const name = store.page.propertyLabels[property] ?? property;
  const plain = (value) =>
    typeof value === "object" && !Array.isArray(value) && property !== "media"
      ? localizeLabel(value, store.language)
      : value;
  const [oldText, newText] = [plain(before ?? ""), plain(after ?? "")];
  if (typeof oldText !== "string" || typeof newText !== "string" || (oldText && oldText === newText)) return `${name}.`;
  if (!oldText || !newText) return newText ? `${name}: “${newText}” is new.` : `${name}: “${oldText}” is removed.`;
  return `${name}: “${oldText}” becomes “${newText}”.`;
}

/**
 * Save a block: {block}, or {detail} with what is wrong with it. `labelAt(pointer)` is the label of a field.
 * @returns {Promise<{block?: any, detail?: string}>}
 */
export async function saveBlock(address, body, token, labelAt) {
  const result = await postJson(address, body, token);
  if (result.kind === "saved") return { block: result };
  if (result.kind === "faults")
    return {
      detail: result.faults
        .map(({ pointer, detail }) => [labelAt(pointer), detail].filter(Boolean).join(": "))
        .join(" "),
    };
  return { detail: result.detail ?? "Couldn’t save. Check your connection and try again." };
}
