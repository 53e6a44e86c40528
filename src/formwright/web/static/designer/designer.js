// The designer: a list of fields, a panel for the selected one, and a preview.

import { acts } from "./field_actions.js";
import { adding } from "./field_menu.js";
import { at, button, el, say } from "../dom.js";
import { Keeping, send } from "./design_autosave.js";
import { Kinds, loadFieldTypes } from "./field_types.js";
import { List } from "./field_list.js";
import { library } from "./question_library.js";
import { Local } from "./unsaved_changes.js";
import { Panel } from "./field_panel.js";
import { preview } from "./preview.js";
import { publishing } from "./publish_dialog.js";
import { offerRestore } from "./restore_draft.js";
import { states } from "./save_status.js";
import { Store } from "./design_store.js";
import { resolvePointer } from "./field_tree.js";
import { views } from "./view_switch.js";

const page = JSON.parse(at("designer-data").textContent);
page.token = at("token").elements._csrf_token.value;
loadFieldTypes(page);
const store = new Store(page);
const kinds = new Kinds(page);
const local = new Local(page.formId, page.userId);
const show = views(at("designer"));
const shown = preview(store);
const keeping = new Keeping(
  store,
  local,
  states(store, shown, () => keeping),
);

const does = acts(store, kinds, (label) => {
  const back = button("Undo", () => (store.undo(), toast.replaceChildren(), list.focus()));
  toast.replaceChildren(el("span", { text: `Deleted “${label}”.` }), back);
  list.focus();
});
const shelf = library(store, kinds, { ...does, tell: (text) => toast.replaceChildren(el("span", { text })) });
const list = new List(store, kinds, { ...does, open });
const panel = new Panel(store, kinds, {
  ...does,
  shelf,
  about,
  redraw: () => panel.draw(),
  renew: () => shown.renew(),
});
const add = (type) => (does.add(type), open(true));
const menu = adding(kinds, add, does.where);
const toast = el("div", { class: "toast", role: "status" });

/** Show the panel; with `enter`, also move the focus into it. */
function open(enter) {
  show("edit");
  if (enter) panel.focus();
}

/** Save the form's name and description immediately; returns the validation errors. */
async function about(words) {
  const answer = await send(`/forms/${page.formId}/design/about`, words, page.token);
  if (answer.kind === "faults") return answer.faults;
  if (answer.kind !== "saved") return [{ pointer: "/name", detail: answer.detail ?? "Couldn’t save. Try again." }];
  Object.assign(page, words);
  for (const place of document.querySelectorAll("[data-form-name]")) place.textContent = words.name.trim();
  shown.renew();
  say("Name and description saved");
  return [];
}

function firstFault() {
  const [fault] = store.faults;
  if (!fault) return say("The form can’t be published until it’s saved. See the message above the fields.");
  store.choose(fault.id ?? "form");
  show("edit");
  (at("panel").querySelector("[aria-invalid]") ?? at("edit-title")).focus();
}

const undo = button("Undo", () => store.undo(), { title: "Ctrl+Z" });
const redo = button("Redo", () => store.redo(), { title: "Ctrl+Shift+Z" });
const ready = () => {
  undo.disabled = !store.canUndo;
  redo.disabled = !store.canRedo;
};
store.addEventListener("change", ready);
store.addEventListener("change", () => toast.replaceChildren());
ready();

addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, dialog");
  if (typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  event.preventDefault();
  if (event.shiftKey) store.redo();
  else store.undo();
});

const help = "Arrow keys select a field, Enter edits it, Alt+arrow keys move it, Delete removes it.";
at("fields").replaceChildren(
  el(
    "div",
    { class: "actions" },
    button("Add field", () => menu.open(), { id: "add-field", class: "small" }),
    undo,
    redo,
    button("Form settings", () => (store.choose("form"), open(true))),
  ),
  el("div", { class: "scrolled" }, list.element),
  el(
    "div",
    { class: "actions quick", role: "group", "aria-label": "Add" },
    ...kinds.common.map((type) => button(`+ ${kinds.name(type)}`, () => add(type), { class: "quiet small" })),
    button("+ From library", () => shelf.insert(), { class: "quiet small" }),
  ),
  toast,
  el("p", { class: "help keys", id: "tree-help", text: help }),
  menu.dialog,
);
at("saving").addEventListener("click", (event) => event.target.closest("button") && firstFault());
publishing(store, keeping, firstFault);
store.blame(page.faults.map(({ pointer, detail }) => ({ ...resolvePointer(store.nodes, pointer), detail })));
offerRestore(store, local);
panel.draw();
if (isBlank()) store.choose(store.nodes[0].id), panel.focus();

/** A form that was created a moment ago: its question comes first. */
function isBlank() {
  const { number, revision } = page.base;
  return page.status === "DRAFT" && number === 1 && revision === 1 && store.nodes.length === 1 && !store.canUndo;
}
