// The designer: a list of fields, a panel for the selected one, and a preview.

import { createFieldActions } from "./field_actions.js";
import { createFieldMenu } from "./field_menu.js";
import { announce, byId, createButton, createElement, query, targetOf } from "../dom.js";
import { DesignAutosave } from "./design_autosave.js";
import { postJson } from "./requests.js";
import { FieldTypes, loadFieldTypes } from "./field_types.js";
import { FieldList } from "./field_list.js";
import { createQuestionLibrary } from "./question_library.js";
import { UnsavedChanges } from "./unsaved_changes.js";
import { FieldPanel } from "./field_panel.js";
import { createPreview } from "./preview.js";
import { enablePublishing } from "./publish_dialog.js";
import { offerRestore } from "./restore_draft.js";
import { createStatusDisplay } from "./save_status.js";
import { DesignStore } from "./design_store.js";
import { resolvePointer } from "./field_tree.js";
import { enableViewSwitch } from "./view_switch.js";

const page = JSON.parse(byId("designer-data").textContent);
page.token = query("#token [name=_csrf_token]", HTMLInputElement).value;
loadFieldTypes(page);
const store = new DesignStore(page);
const fieldTypes = new FieldTypes(page);
const unsavedChanges = new UnsavedChanges(page.formId, page.userId);
const showView = enableViewSwitch(byId("designer"));
const previewFrame = createPreview(store);
const autosave = new DesignAutosave(
  store,
  unsavedChanges,
  createStatusDisplay(store, previewFrame, () => autosave),
);

const actions = createFieldActions(store, fieldTypes, (label) => {
  const undoDeletion = createButton("Undo", () => {
    store.undo();
    toast.replaceChildren();
    list.focus();
  });
  toast.replaceChildren(createElement("span", { text: `Deleted “${label}”.` }), undoDeletion);
  list.focus();
});
const questionLibrary = createQuestionLibrary(store, fieldTypes, {
  ...actions,
  showToast: (text) => toast.replaceChildren(createElement("span", { text })),
});
const list = new FieldList(store, fieldTypes, { ...actions, openPanel });
const panel = new FieldPanel(store, fieldTypes, {
  ...actions,
  questionLibrary,
  saveNameAndDescription,
  redraw: () => panel.draw(),
  reloadPreview: () => previewFrame.reload(),
});
const menu = createFieldMenu(fieldTypes, addField, actions.describeTarget);
const toast = createElement("div", { class: "toast", role: "status" });

function addField(type) {
  actions.add(type);
  openPanel(true);
}

/** Show the panel; with `enter`, also move the focus into it. */
function openPanel(enter) {
  showView("edit");
  if (enter) panel.focus();
}

function openFormSettings() {
  store.select("form");
  openPanel(true);
}

/** Save the form's name and description immediately; returns the validation errors. */
async function saveNameAndDescription(texts) {
  const result = await postJson(`/forms/${page.formId}/design/about`, texts, page.token);
  if (result.kind === "faults") return result.faults;
  if (result.kind !== "saved") return [{ pointer: "/name", detail: result.detail ?? "Couldn’t save. Try again." }];
  Object.assign(page, texts);
  for (const place of document.querySelectorAll("[data-form-name]")) place.textContent = texts.name.trim();
  previewFrame.reload();
  announce("Name and description saved");
  return [];
}

function openFirstFault() {
  const [fault] = store.faults;
  if (!fault) return announce("The form can’t be published until it’s saved. See the message above the fields.");
  store.select(fault.id ?? "form");
  showView("edit");
  (query("#panel [aria-invalid]") ?? byId("edit-title")).focus();
}

const undo = createButton("Undo", () => store.undo(), { title: "Ctrl+Z" });
const redo = createButton("Redo", () => store.redo(), { title: "Ctrl+Shift+Z" });
const updateUndoButtons = () => {
  undo.disabled = !store.canUndo;
  redo.disabled = !store.canRedo;
};
store.addEventListener("change", updateUndoButtons);
store.addEventListener("change", () => toast.replaceChildren());
updateUndoButtons();

addEventListener("keydown", (event) => {
  const isTyping = targetOf(event)?.closest("input, textarea, select, dialog");
  if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  event.preventDefault();
  if (event.shiftKey) store.redo();
  else store.undo();
});

// From one question to the next: another one of the same type, or the list of types from the question's text.
byId("panel").addEventListener(
  "keydown",
  (event) => {
    const node = store.get(store.selectedId);
    if (event.key !== "Enter" || event.isComposing || !node) return;
    const isQuestion = targetOf(event)?.matches("input[data-first]");
    if (event.ctrlKey || event.metaKey) addField(node.children ? fieldTypes.quickTypes[0] : node.field.type);
    else if (isQuestion) menu.open(node.children ? fieldTypes.quickTypes[0] : node.field.type);
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

const help =
  "Arrow keys select a field, Enter edits it, Alt+arrow keys move it, Delete removes it. While you edit a question, Ctrl+Enter adds another one; Enter in its text lets you choose the type.";
byId("fields").replaceChildren(
  createElement(
    "div",
    { class: "actions" },
    createButton("Add field", () => menu.open(), { id: "add-field", class: "small" }),
    undo,
    redo,
    createButton("Form settings", openFormSettings),
  ),
  createElement("div", { class: "scrolled" }, list.element),
  createElement(
    "div",
    { class: "actions quick", role: "group", "aria-label": "Add" },
    ...fieldTypes.quickTypes.map((type) =>
      createButton(`+ ${fieldTypes.title(type)}`, () => addField(type), { class: "quiet small" }),
    ),
    createButton("+ From library", () => questionLibrary.openInsert(), { class: "quiet small" }),
  ),
  toast,
  createElement("p", { class: "help keys", id: "tree-help", text: help }),
  menu.dialog,
);
byId("saving").addEventListener("click", (event) => targetOf(event)?.closest("button") && openFirstFault());
enablePublishing(store, autosave, openFirstFault);
store.setFaults(page.faults.map(({ pointer, detail }) => ({ ...resolvePointer(store.nodes, pointer), detail })));
offerRestore(store, unsavedChanges);
panel.draw();
if (isBlank()) {
  store.select(store.nodes[0].id);
  openPanel(true);
}

/** A form that was created a moment ago: its question comes first. */
function isBlank() {
  const { number, revision } = page.base;
  return page.status === "DRAFT" && number === 1 && revision === 1 && store.nodes.length === 1 && !store.canUndo;
}
