// The dialogs of the question library: insert a block, save questions as one, and review an update.

import { send } from "./design_autosave.js";
import { at, el, fresh } from "../dom.js";
import { labelOf, traits } from "./field_types.js";
import { icon } from "./icons.js";
import { inLanguage } from "./labels.js";
import { row, text } from "./setting_rows.js";

const PAUSE = 250;
export const LIBRARY = "/forms/question-library";

/** Open a dialog that is removed when it closes. `submit` is called with an element for errors; it returns whether to close. */
function open(title, content, confirm = null, submit = null) {
  const id = fresh("library");
  const fault = el("p", { class: "field-error", role: "alert", hidden: true });
  const form = el("form", { method: "dialog", novalidate: true }, ...content, fault);
  const cancel = el("button", {
    type: "button",
    class: "quiet",
    text: submit ? "Cancel" : "Close",
    on: { click: () => dialog.close() },
  });
  const ok = confirm && el("button", { text: confirm });
  form.append(el("div", { class: "actions" }, cancel, ok));
  const dialog = el("dialog", { class: "library", "aria-labelledby": id }, el("h2", { id, text: title }), form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!submit) return;
    ok.disabled = true;
    const detail = await submit();
    ok.disabled = false;
    fault.textContent = detail;
    fault.hidden = !detail;
    if (!detail) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  at("designer").append(dialog);
  dialog.showModal();
  return dialog;
}

/** Let people search the library; `insert(block)` is called with the chosen block and returns why it cannot be inserted. */
export function openInsertion(kinds, store, where, insert) {
  const list = el("ul", { class: "blocks", "aria-label": "Blocks" });
  const status = el("p", { class: "help", role: "status", text: "Loading…" });
  const search = el("input", { type: "search", autocomplete: "off", maxlength: "200" });
  const choose = (block) => {
    status.textContent = insert(block);
    if (!status.textContent) dialog.close();
  };
  let timer = null;
  let last = 0;
  const load = async () => {
    const asked = (last += 1);
    const found = await read(`${LIBRARY}/choices?q=${encodeURIComponent(search.value)}`);
    if (asked !== last) return;
    list.replaceChildren(...(found?.blocks ?? []).map((block) => blockItem(block, kinds, store, choose)));
    status.replaceChildren(...describe(found, search.value));
  };
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(load, PAUSE);
  });
  const dialog = open("Insert from library", [
    el("p", { class: "help", text: where }),
    row("search", "Search", search),
    status,
    list,
  ]);
  load();
}

function describe(found, words) {
  if (!found) return ["The library couldn’t be loaded. Check your connection and try again."];
  if (found.blocks.length) return found.more ? ["There are more blocks. Search by name to find them."] : [];
  if (words) return ["No blocks have this in their name."];
  return [
    "The question library is empty. To add the first block, select a question or a section in a form and choose “Save to library”.",
  ];
}

function blockItem(block, kinds, store, choose) {
  const questions = block.count === 1 ? "1 field" : `${block.count} fields`;
  const add = el("button", {
    type: "button",
    class: "small",
    text: "Insert",
    "aria-label": `Insert ${block.name}`,
    on: { click: () => choose(block) },
  });
  return el(
    "li",
    {},
    el(
      "div",
      { class: "block-head" },
      el(
        "div",
        {},
        el("strong", { dir: "auto", text: block.name }),
        el("span", { class: "muted", text: ` ${questions}` }),
      ),
      add,
    ),
    block.description ? el("p", { class: "help", dir: "auto", text: block.description }) : null,
    el("details", {}, el("summary", { text: "Questions" }), outline(block.fields, kinds, store.language)),
  );
}

function outline(fields, kinds, language) {
  return el(
    "ol",
    { class: "outline" },
    ...fields.map((field) =>
      el(
        "li",
        {},
        el(
          "span",
          { class: "question" },
          icon(traits(field.type).icon),
          el("span", { dir: "auto", text: inLanguage(field.label, language) || field.name }),
          el("span", { class: "muted", text: ` ${kinds.name(field.type)}` }),
        ),
        field.fields ? outline(field.fields, kinds, language) : null,
      ),
    ),
  );
}

/** Ask for the name of a new block, and for the questions in it; `save({name, description, ids})` returns an error or "". */
export function openSaving(store, node, siblings, save) {
  const { maxNameLength, maxDescriptionLength } = store.page;
  const name = text(labelOf(node, store.language).slice(0, maxNameLength), () => {}, {
    maxlength: maxNameLength,
    required: true,
  });
  const description = text("", () => {}, { rows: "2", maxlength: maxDescriptionLength });
  const questions = chooser(store, siblings, new Set([node.id]));
  const content = [
    el("p", {
      class: "help",
      text: "Other forms can then insert these questions, and you can update them everywhere.",
    }),
    row("name", "Name", name),
    row("description", "Description", description, "Optional. Helps others to choose the right block."),
    ...questions.content,
  ];
  open("Save to library", content, "Save to library", () =>
    save({ name: name.value.trim(), description: description.value.trim(), ids: questions.ids() }),
  );
  name.select();
}

/** Ask whether to replace a block by the questions of this form; `save({ids})` returns an error or "". */
export function openReplacing(store, block, chosen, siblings, save) {
  const questions = chooser(store, siblings, new Set(chosen));
  const content = [
    el("p", {
      text: `“${block.name}” gets version ${block.version + 1} with these questions as they are in this form.`,
    }),
    el("p", { class: "help", text: "Other forms that use it stay as they are. Their designer offers the update." }),
    ...questions.content,
  ];
  open("Update the block in the library?", content, "Update library", () => save({ ids: questions.ids() }));
}

/** Checkboxes for fields beside each other, unless there is only one. */
function chooser(store, nodes, chosen) {
  const boxes = nodes.map((node) => {
    const id = fresh("question");
    return {
      node,
      box: el("input", { type: "checkbox", id, checked: chosen.has(node.id) }),
      label: el("label", { for: id, dir: "auto", text: labelOf(node, store.language) }),
    };
  });
  const list = el(
    "fieldset",
    { class: "questions" },
    el("legend", { text: "Questions" }),
    ...boxes.map(({ box, label }) => el("div", { class: "check" }, box, label)),
  );
  return {
    content: boxes.length > 1 ? [list] : [],
    ids: () => boxes.filter(({ box }) => box.checked).map(({ node }) => node.id),
  };
}

/** Show what a newer version of a block changes in this form; `apply()` applies it. */
export function openReview(store, block, changes, apply) {
  const lines = changes.map((change) => el("li", {}, ...sentence(change, store)));
  const content = [
    lines.length
      ? el("ul", { class: "changes" }, ...lines)
      : el("p", { text: "Nothing in this form changes. It already has the same questions." }),
    el("p", {
      class: "help",
      text: "Field names stay as they are in this form, so earlier answers stay comparable. Respondents see the changes when you publish the form.",
    }),
  ];
  open(`Update “${block.name}” to version ${block.version}`, content, "Apply update", () => (apply(), ""));
}

const KINDS = { added: "Adds", removed: "Removes", moved: "Moves" };

function sentence({ kind, name, field, members }, store) {
  if (kind === "reordered") return ["Changes the order of the questions."];
  const label = inLanguage(field.label, store.language) || name;
  if (kind !== "changed")
    return [
      `${KINDS[kind]} “${label}”`,
      kind === "removed" ? el("span", { class: "muted", text: ` (${name})` }) : "",
      ".",
    ];
  const parts = members.map(({ member, before, after, isOwn }) =>
    el(
      "li",
      {},
      described(member, before, after, store),
      isOwn ? el("strong", { text: " Replaces your change." }) : null,
    ),
  );
  return [`Changes “${label}”:`, el("ul", {}, ...parts)];
}

function described(member, before, after, store) {
  const name = store.page.memberNames[member] ?? member;
  const plain = (value) =>
    typeof value === "object" && !Array.isArray(value) && member !== "media"
      ? inLanguage(value, store.language)
      : value;
  const [was, will] = [plain(before ?? ""), plain(after ?? "")];
  if (typeof was !== "string" || typeof will !== "string" || (was && was === will)) return `${name}.`;
  if (!was || !will) return will ? `${name}: “${will}” is new.` : `${name}: “${was}” is removed.`;
  return `${name}: “${was}” becomes “${will}”.`;
}

/** Return the JSON at an address of the server, null if there is none, or undefined without a connection. */
export async function read(address) {
  try {
    const response = await fetch(address, { redirect: "manual" });
    return response.ok ? await response.json() : null;
  } catch {
    return undefined;
  }
}

/** Send something to the library: {answer} or {detail}, what is wrong with it. `labels(pointer)` names a field. */
export async function write(address, body, token, labels) {
  const answer = await send(address, body, token);
  if (answer.kind === "saved") return { answer };
  if (answer.kind === "faults")
    return {
      detail: answer.faults
        .map(({ pointer, detail }) => [labels(pointer), detail].filter(Boolean).join(": "))
        .join(" "),
    };
  return { detail: answer.detail ?? "Couldn’t save. Check your connection and try again." };
}
