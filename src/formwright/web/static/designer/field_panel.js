// The panel for editing the selected field. It is rendered when the selection changes, not while typing.

import { announce, byId, createButton, createElement, createSelect, query, queryAll } from "../dom.js";
import { createFormRows } from "./form_panel.js";
import { FieldEditor } from "./field_editor.js";
import { hasAnswer, typeSetting, typeTraits } from "./field_types.js";
import { localizeLabel, languageName, changeLabel, readLabel } from "./labels.js";
import { createLookupRows } from "./lookup_settings.js";
import { createMediaRows } from "./media_settings.js";
import { createOptionRows } from "./option_list.js";
import { createNameRow, changeLabelAndName } from "./name_input.js";
import { createTypeRows } from "./type_settings.js";
import { createCheckboxRow, createDetails, createRow, createTextInput } from "./setting_rows.js";
import { createAnswerPicker } from "./field_pickers.js";
import { adaptDependents } from "./cascade.js";
import { findNode, updateNode } from "./field_tree.js";
import { toParent } from "./shown_for.js";
import { createRuleSection } from "./rule_settings.js";

/** What the page can fill in by itself, by the values of `metadata`. */
const METADATA_LABELS = {
  deviceId: "ID of the device",
  userName: "Name of the person invited or assigned",
  email: "Email address of the person invited or assigned",
  phoneNumber: "Phone number (only kept for XLSForm)",
  simSerial: "SIM serial number (only kept for XLSForm)",
  subscriberId: "Subscriber ID (only kept for XLSForm)",
  audit: "Time that each question took (audit.csv)",
  startLocation: "Position when the form is opened",
};

const FORMAT_HELP = {
  note: "Formats: **bold**, *italic*, [link](https://example.org), # heading, - list.",
  others: "Formats: **bold**, *italic*, [link](https://example.org).",
};

export class FieldPanel {
  #store;
  #fieldTypes;
  #actions;

  /**
   * `actions`: those of fields, and {questionLibrary, saveNameAndDescription(texts), redraw(), reloadPreview()}.
   * @param {import("./design_store.js").DesignStore} store
   * @param {import("./field_types.js").FieldTypes} fieldTypes
   * @param {any} actions
   */
  constructor(store, fieldTypes, actions) {
    this.#store = store;
    this.#fieldTypes = fieldTypes;
    this.#actions = actions;
    store.addEventListener("select", () => this.draw());
    store.addEventListener("faults", () => this.showFaults());
  }

  draw() {
    const { selectedId } = this.#store;
    const node = this.#store.get(selectedId);
    byId("edit").hidden = false;
    byId("panel").replaceChildren(
      ...(selectedId === "form"
        ? createFormRows(this.#store, this.#actions)
        : node
          ? this.#createRows(node)
          : createEmptyHint()),
    );
    byId("edit-title").textContent =
      selectedId === "form" ? "Form settings" : node ? this.#fieldTypes.title(node.field.type) : "Edit";
    this.showFaults();
  }

  focus() {
    const input = query("#panel [data-first]");
    (input ?? byId("edit-title")).focus();
    if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) input.select();
  }

  /** Show validation errors next to their inputs, and those without an input at the top. */
  showFaults() {
    const rows = queryAll("#panel [data-property]");
    const rest = [];
    const details = new Map(rows.map((row) => [row.dataset.property, []]));
    for (const fault of this.#store.faults.filter((one) => (one.id ?? "form") === this.#store.selectedId)) {
      (details.get(fault.property) ?? rest).push(fault.detail);
    }
    for (const row of rows) showRowFaults(row, details.get(row.dataset.property));
    const list = query("#panel .faults");
    if (!list) return;
    list.hidden = !rest.length;
    list.replaceChildren(...rest.map((detail) => createElement("p", { class: "field-error", text: detail })));
  }

  #createRows(node) {
    const panel = { convert: (id, type) => this.#convertField(id, type), redraw: () => this.draw() };
    const editor = new FieldEditor(this.#store, node.id, panel);
    const { type } = node.field;
    return [
      this.#createToolbar(node),
      ...this.#actions.questionLibrary.createNotice(node),
      createElement("div", { class: "faults", role: "alert", hidden: true }),
      ...this.#createTextRows(
        editor,
        "label",
        hasAnswer(type) ? "Question" : type === "note" ? "Text" : "Title",
        FORMAT_HELP[type] ?? FORMAT_HELP.others,
      ),
      createNameRow(this.#store, node.id),
      ...(type === "section" || type === "repeat" ? [] : this.#createTextRows(editor, "hint", "Help text")),
      this.#createTypeRow(node),
      ...(hasAnswer(type)
        ? [
            createCheckboxRow("required", "Required", Boolean(editor.field.required), (on) =>
              editor.setProperty("required", on || undefined, true),
            ),
          ]
        : []),
      ...createOptionRows(editor),
      ...createLookupRows(editor),
      ...createTypeRows(editor, this.#createTextRows.bind(this)),
      createDetails(
        "Further help",
        Boolean(editor.field.guidance),
        ...this.#createTextRows(editor, "guidance", "More information", "A longer text that people can show and hide."),
      ),
      createDetails("Image, audio and video", Boolean(editor.field.media), ...createMediaRows(editor)),
      createRuleSection(editor, this.#createTextRows.bind(this)),
      ...(hasAnswer(type) ? [createDetails("More", false, ...this.#createFurtherRows(editor))] : []),
    ];
  }

  /** An input for a text of the field in each of the form's languages. */
  #createTextRows(editor, property, label, help = "") {
    const { language: own, languages } = this.#store;
    return languages.map((language) => {
      const change = (value) =>
        this.#setText(editor, property, changeLabel(editor.field[property], language, value, own), language);
      const shownText = readLabel(editor.field[property], language, own);
      // A line would lose the line breaks of a text.
      const long =
        (editor.field.type === "note" && property === "label") || property === "guidance" || shownText.includes("\n");
      const control = createTextInput(shownText, change, {
        maxlength: typeSetting(editor.field.type, property).maxLength,
        lang: language,
        dir: "auto",
        rows: long ? "4" : null,
      });
      if (property === "label" && language === own) control.dataset.first = "";
      const row = createRow(
        language === own ? property : `${property} ${language}`,
        languages.length > 1 ? `${label} (${languageName(language)})` : label,
        control,
        language === own ? help : "",
      );
      const list =
        language === own && ["label", "hint", "guidance", "rowLabel"].includes(property)
          ? createAnswerPicker(editor, control, property === "rowLabel")
          : null;
      if (list) row.append(createElement("div", { class: "actions" }, list));
      return row;
    });
  }

  #setText(editor, property, value, language) {
    if (property !== "label") return editor.setProperty(property, value);
    const before = localizeLabel(editor.field.label, this.#store.language);
    // An empty label stays so that its error is visible; it is not saved until there is one.
    const change = (field) => ({ ...field, label: value ?? "" });
    changeLabelAndName(this.#store, editor.id, before, change, `${editor.id} label ${language}`);
  }

  #createTypeRow(node) {
    const choices = this.#fieldTypes
      .convertibleTypes(node.field.type)
      .map((type) => [type, this.#fieldTypes.title(type)]);
    const change = (type) => this.#convertField(node.id, type);
    const before = this.#store.page.published[node.field.name];
    const help = before && before !== node.field.type ? "The published version uses a different type." : "";
    return createRow("type", "Type", createSelect(choices, node.field.type, change), help);
  }

  #convertField(id, type) {
    const convert = (one) => ({ ...one, field: this.#fieldTypes.convertField(one.field, type) });
    const nodes = updateNode(this.#store.nodes, id, convert);
    const changed = findNode(nodes, id).node;
    this.#store.applyChange({ nodes: adaptDependents(nodes, toParent(changed)) });
    this.draw();
    announce(`Type changed to ${this.#fieldTypes.title(type)}`);
  }

  #createFurtherRows(editor) {
    const hidden = createCheckboxRow(
      "hidden",
      "Hidden",
      Boolean(editor.field.hidden),
      (on) => editor.setProperty("hidden", on || undefined, true),
      "Not shown in the form. For calculated or prefilled answers.",
    );
    return [
      createCheckboxRow(
        "readOnly",
        "Read only",
        Boolean(editor.field.readOnly),
        (on) => editor.setProperty("readOnly", on || undefined, true),
        "Shown, but can’t be changed.",
      ),
      ...(typeTraits(editor.field.type).canBeHidden ? [hidden] : []),
      ...this.#createMetadataRows(editor, hidden.querySelector("input")),
      ...(typeTraits(editor.field.type).isFilterable
        ? [
            createCheckboxRow(
              "indexed",
              "Index for fast filtering",
              Boolean(editor.field.indexed),
              (on) => editor.setProperty("indexed", on || undefined),
              "Speeds up filtering submissions by this field.",
            ),
          ]
        : []),
    ];
  }

  #createMetadataRows(editor, hidden) {
    const { type, metadata } = editor.field;
    const setting = typeSetting(type, "metadata");
    if (!setting) return [];
    const set = (kind) => {
      editor.setProperty("metadata", kind || undefined, true);
      if (!kind || hidden.checked) return;
      hidden.checked = true;
      editor.setProperty("hidden", true, true);
    };
    const choices = setting.values.map((kind) => [kind, METADATA_LABELS[kind]]);
    return [
      createRow(
        "metadata",
        "Fill in",
        createSelect([["", "Nothing"], ...choices], metadata ?? "", set),
        "Hides the field: the page fills it in by itself.",
      ),
    ];
  }

  #createToolbar(node) {
    const { id } = node;
    const { move, duplicate, remove, questionLibrary } = this.#actions;
    return createElement(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Field actions" },
      createButton("Move up", () => move(id, "up")),
      createButton("Move down", () => move(id, "down")),
      createButton("Move into group", () => move(id, "into")),
      createButton("Move out of group", () => move(id, "out")),
      createButton("Duplicate", () => duplicate(id)),
      this.#store.page.mayEditLibrary && !node.field.block
        ? createButton("Save to library", () => questionLibrary.openSave(node))
        : null,
      createButton("Delete", () => remove(id), { class: "danger small" }),
    );
  }
}

const createEmptyHint = () => [createElement("p", { class: "help", text: "Select a field to edit it, or add one." })];

function showRowFaults(row, details) {
  const slot = query(".field-error:not(.conditions .field-error)", HTMLElement, row);
  if (!slot) return;
  // A rule says itself which of its conditions is wrong, or which name, and does so without waiting for the server.
  const explained = query("[data-explained]", HTMLElement, row);
  const control = query("input, select, textarea", HTMLElement, row);
  // The page knows better than the server why a number can't be read.
  slot.textContent = explained ? "" : control?.dataset.refusal || details.join(" ");
  slot.hidden = !details.length || Boolean(explained);
  if (explained) return;
  if (details.length) control?.setAttribute("aria-invalid", "true");
  else control?.removeAttribute("aria-invalid");
  if (!details.length) return;
  for (let outer = row.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
}
