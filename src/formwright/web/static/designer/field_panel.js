// The panel for editing the selected field. It is rendered when the selection changes, not while typing.

import { at, button, el, say } from "../dom.js";
import { formMembers } from "./form_panel.js";
import { hasAnswer, settingOf, traits } from "./field_types.js";
import { inLanguage, nameOf, changeLabel, readLabel } from "./labels.js";
import { lookupMembers } from "./lookup_settings.js";
import { mediaMembers } from "./media_settings.js";
import { optionMembers } from "./option_list.js";
import { nameMember, renameField } from "./name_input.js";
import { RULES } from "./field_names.js";
import { ownMembers } from "./type_settings.js";
import { check, choice, collapsible, row, text } from "./setting_rows.js";
import { answerList, ruleMembers } from "./rule_settings.js";

/** What the page can fill in by itself, by the values of `metadata`. */
const METADATA = {
  deviceId: "ID of the device",
  userName: "Name of the person invited or assigned",
  email: "Email address of the person invited or assigned",
  phoneNumber: "Phone number (only kept for XLSForm)",
  simSerial: "SIM serial number (only kept for XLSForm)",
  subscriberId: "Subscriber ID (only kept for XLSForm)",
  audit: "Time that each question took (audit.csv)",
  startLocation: "Position when the form is opened",
};

const FORMATS = {
  note: "Formats: **bold**, *italic*, [link](https://example.org), # heading, - list.",
  others: "Formats: **bold**, *italic*, [link](https://example.org).",
};

export class Panel {
  #store;
  #kinds;
  #does;

  constructor(store, kinds, does) {
    this.#store = store;
    this.#kinds = kinds;
    this.#does = does;
    store.addEventListener("choose", () => this.draw());
    store.addEventListener("faults", () => this.blame());
  }

  draw() {
    const { chosen } = this.#store;
    const node = this.#store.get(chosen);
    at("edit").hidden = false;
    at("panel").replaceChildren(
      ...(chosen === "form" ? formMembers(this.#store, this.#does) : node ? this.#members(node) : nothing()),
    );
    at("edit-title").textContent =
      chosen === "form" ? "Form settings" : node ? this.#kinds.name(node.field.type) : "Edit";
    this.blame();
  }

  focus() {
    const first = at("panel").querySelector("[data-first]") ?? at("edit-title");
    first.focus();
    first.select?.();
  }

  /** Show validation errors next to their inputs, and those without an input at the top. */
  blame() {
    const rows = [...at("panel").querySelectorAll("[data-member]")];
    const rest = [];
    const of = new Map(rows.map((one) => [one.dataset.member, []]));
    for (const fault of this.#store.faults.filter((one) => (one.id ?? "form") === this.#store.chosen)) {
      (of.get(fault.member) ?? rest).push(fault.detail);
    }
    for (const one of rows) show(one, of.get(one.dataset.member));
    const all = at("panel").querySelector(".faults");
    if (!all) return;
    all.hidden = !rest.length;
    all.replaceChildren(...rest.map((detail) => el("p", { class: "field-error", text: detail })));
  }

  #members(node) {
    const edit = this.#editor(node.id);
    const { type } = node.field;
    return [
      this.#tools(node),
      ...this.#does.shelf.notice(node),
      el("div", { class: "faults", role: "alert", hidden: true }),
      ...this.#texts(
        edit,
        "label",
        hasAnswer(type) ? "Question" : type === "note" ? "Text" : "Title",
        FORMATS[type] ?? FORMATS.others,
      ),
      nameMember(this.#store, node.id),
      ...(type === "section" || type === "repeat" ? [] : this.#texts(edit, "hint", "Help text")),
      this.#kind(node),
      ...(hasAnswer(type)
        ? [
            check("required", "Required", Boolean(edit.get().required), (on) =>
              edit.set("required", on || undefined, true),
            ),
          ]
        : []),
      ...optionMembers(edit),
      ...lookupMembers(edit),
      ...ownMembers(edit, this.#texts.bind(this)),
      collapsible(
        "Further help",
        Boolean(edit.get().guidance),
        ...this.#texts(edit, "guidance", "More information", "A longer text that people can show and hide."),
      ),
      collapsible("Image, audio and video", Boolean(edit.get().media), ...mediaMembers(edit)),
      collapsible(
        "Rules",
        RULES.some((member) => node.field[member]),
        ...ruleMembers(edit, this.#texts.bind(this)),
      ),
      ...(hasAnswer(type) ? [collapsible("More", false, ...this.#rare(edit))] : []),
    ];
  }

  /** How the rest of the panel reads and changes this field. */
  #editor(id) {
    const store = this.#store;
    return {
      id,
      store,
      get: () => store.get(id).field,
      set(member, value, drawn = false, merge = `${id} ${member}`) {
        const change = ({ [member]: _, ...field }) => (value === undefined ? field : { ...field, [member]: value });
        store.edit(id, change, { merge, drawn });
      },
      become: (type) => this.#become(id, type),
      redraw: () => this.draw(),
    };
  }

  /** An input for a text of the field in each of the form's languages. */
  #texts(edit, member, label, help = "") {
    const { language: own, languages } = this.#store;
    return languages.map((language) => {
      const change = (value) =>
        this.#write(edit, member, changeLabel(edit.get()[member], language, value, own), language);
      const shown = readLabel(edit.get()[member], language, own);
      // A line would lose the line breaks of a text.
      const long = (edit.get().type === "note" && member === "label") || member === "guidance" || shown.includes("\n");
      const control = text(shown, change, {
        maxlength: settingOf(edit.get().type, member).maxLength,
        lang: language,
        rows: long ? "4" : null,
      });
      if (member === "label" && language === own) control.dataset.first = "";
      const whole = row(
        language === own ? member : `${member} ${language}`,
        languages.length > 1 ? `${label} (${nameOf(language)})` : label,
        control,
        language === own ? help : "",
      );
      const list =
        language === own && ["label", "hint", "guidance", "rowLabel"].includes(member)
          ? answerList(edit, control, member === "rowLabel")
          : null;
      if (list) whole.append(el("div", { class: "actions" }, list));
      return whole;
    });
  }

  #write(edit, member, value, language) {
    if (member !== "label") return edit.set(member, value);
    const before = inLanguage(edit.get().label, this.#store.language);
    // An empty label stays so that its error is visible; it is not saved until there is one.
    const change = (field) => ({ ...field, label: value ?? "" });
    renameField(this.#store, edit.id, before, change, `${edit.id} label ${language}`);
  }

  #kind(node) {
    const choices = this.#kinds.beside(node.field.type).map((type) => [type, this.#kinds.name(type)]);
    const change = (type) => this.#become(node.id, type);
    const before = this.#store.page.published[node.field.name];
    const help = before && before !== node.field.type ? "The published version uses a different type." : "";
    return row("type", "Type", choice(choices, node.field.type, change), help);
  }

  #become(id, type) {
    this.#store.edit(id, (field) => this.#kinds.become(field, type), { drawn: true });
    this.draw();
    say(`Type changed to ${this.#kinds.name(type)}`);
  }

  #rare(edit) {
    const hidden = check(
      "hidden",
      "Hidden",
      Boolean(edit.get().hidden),
      (on) => edit.set("hidden", on || undefined, true),
      "Not shown in the form. For calculated or prefilled answers.",
    );
    return [
      check(
        "readOnly",
        "Read only",
        Boolean(edit.get().readOnly),
        (on) => edit.set("readOnly", on || undefined, true),
        "Shown, but can’t be changed.",
      ),
      ...(traits(edit.get().type).canBeHidden ? [hidden] : []),
      ...this.#metadata(edit, hidden.querySelector("input")),
      ...(traits(edit.get().type).isFilterable
        ? [
            check(
              "indexed",
              "Index for fast filtering",
              Boolean(edit.get().indexed),
              (on) => edit.set("indexed", on || undefined),
              "Speeds up filtering submissions by this field.",
            ),
          ]
        : []),
    ];
  }

  #metadata(edit, hidden) {
    const { type, metadata } = edit.get();
    const setting = settingOf(type, "metadata");
    if (!setting) return [];
    const set = (kind) => {
      edit.set("metadata", kind || undefined, true);
      if (!kind || hidden.checked) return;
      hidden.checked = true;
      edit.set("hidden", true, true);
    };
    const choices = setting.values.map((kind) => [kind, METADATA[kind]]);
    return [
      row(
        "metadata",
        "Fill in",
        choice([["", "Nothing"], ...choices], metadata ?? "", set),
        "Hides the field: the page fills it in by itself.",
      ),
    ];
  }

  #tools(node) {
    const { id } = node;
    const { move, duplicate, remove, shelf } = this.#does;
    return el(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Field actions" },
      button("Move up", () => move(id, "up")),
      button("Move down", () => move(id, "down")),
      button("Move into group", () => move(id, "into")),
      button("Move out of group", () => move(id, "out")),
      button("Duplicate", () => duplicate(id)),
      this.#store.page.mayEditLibrary && !node.field.block
        ? button("Save to library", () => shelf.saveToLibrary(node))
        : null,
      button("Delete", () => remove(id), { class: "danger small" }),
    );
  }
}

const nothing = () => [el("p", { class: "help", text: "Select a field to edit it, or add one." })];

function show(one, details) {
  const slot = one.querySelector(".field-error");
  const control = one.querySelector("input, select, textarea");
  if (!slot) return;
  // The page knows better than the server why a number can't be read.
  slot.textContent = control?.dataset.refusal || details.join(" ");
  slot.hidden = !details.length;
  if (details.length) control?.setAttribute("aria-invalid", "true");
  else control?.removeAttribute("aria-invalid");
  if (details.length)
    for (let outer = one.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
}
