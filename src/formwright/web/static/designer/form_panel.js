// Settings of the form as a whole: its name, its languages, its first and last texts, and its pages.

import { createButton, createElement, createSelect, uniqueId } from "../dom.js";
import { languageName, changeLabel, readLabel } from "./labels.js";
import { fieldLabel, typeTraits } from "./field_types.js";
import { isInRepeat, listNodes } from "./field_tree.js";
import { createMediaFiles } from "./media_files.js";
import { createScoreRows } from "./score_settings.js";
import { createCheckboxRow, createDetails, createRow, createTextInput, showRowError } from "./setting_rows.js";

const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/**
 * `actions`: {saveNameAndDescription(texts), redraw(), reloadPreview()}.
 * @param {import("./design_store.js").DesignStore} store
 */
export function createFormRows(store, actions) {
  return [
    createElement("div", { class: "faults", role: "alert", hidden: true }),
    ...createNameRows(store, actions),
    ...createLanguageRows(store, actions),
    ...createWelcomeRows(store),
    ...createThanksRows(store),
    createButtonRows(store),
    createTitleRow(store),
    createQuestionPerPageRow(store),
    createScoreRows(store),
    createContinueLaterRow(store),
    createEditPeriodRow(store),
    createMediaFiles(store, actions),
  ];
}

function createNameRows(store, actions) {
  const { page } = store;
  const name = createTextInput(page.name, () => {}, { maxlength: page.maxNameLength, dir: "auto", "data-first": true });
  const description = createTextInput(page.description, () => {}, {
    rows: "3",
    dir: "auto",
    maxlength: page.maxDescriptionLength,
  });
  const save = async () => {
    const faults = await actions.saveNameAndDescription({ name: name.value, description: description.value });
    showRowError(nameRow, faults.find((fault) => fault.pointer === "/name")?.detail);
    showRowError(descriptionRow, faults.find((fault) => fault.pointer === "/description")?.detail);
  };
  name.addEventListener("change", save);
  description.addEventListener("change", save);
  const nameRow = createRow("about name", "Form name", name);
  const descriptionRow = createRow("about description", "Description", description, "Shown below the name.");
  return [nameRow, descriptionRow];
}

function createLanguageRows(store, actions) {
  const own = createTextInput(
    store.language,
    (tag) => LANGUAGE_TAG.test(tag) && store.changeSetting("language", tag, { merge: "language" }),
    { maxlength: "20", spellcheck: "false" },
  );
  own.addEventListener("change", () => actions.redraw());
  const others = store.languages.filter((tag) => tag !== store.language);
  const add = createTextInput("", () => {}, { maxlength: "20", spellcheck: "false", placeholder: "de" });
  const more = createButton("Add language", () => {
    const tag = add.value.trim();
    if (!LANGUAGE_TAG.test(tag)) return showRowError(added, "Enter a language tag such as de, fr or pt-BR.");
    store.addedLanguages.add(tag);
    actions.redraw();
  });
  const added = createRow(
    "languages",
    "Translations",
    add,
    others.length
      ? `Translated into: ${others.map(languageName).join(", ")}.`
      : "Lets you translate every text of the form.",
  );
  added.append(createElement("div", {}, more));
  return [createRow("settings", "Form language", own, "A language tag such as en, de or pt-BR."), added];
}

const createWelcomeRows = (store) =>
  createTextRows(store, "welcome", "Welcome text", {
    rows: "3",
    help: "Shown on a page of its own before the first question.",
  });
const createThanksRows = (store) => createTextRows(store, "thanks", "Thank-you message", { placeholder: "Thank you" });

const BUTTONS = [
  ["submit", "Submit"],
  ["next", "Next"],
  ["back", "Back"],
];

/** The form's own texts of its buttons. */
function createButtonRows(store) {
  const rows = BUTTONS.flatMap(([name, title]) => {
    const read = () => store.settings.buttons?.[name];
    const write = (label, options) => {
      const { [name]: _, ...others } = store.settings.buttons ?? {};
      const buttons = label === undefined ? others : { ...others, [name]: label };
      store.changeSetting("buttons", Object.keys(buttons).length ? buttons : undefined, options);
    };
    return createTextRows(store, `buttons/${name}`, `“${title}”`, { read, write });
  });
  const help =
    "Such as “Apply”. Empty ones are those of the page, which are in English for languages that it doesn’t know.";
  return createDetails(
    "Texts of buttons",
    Boolean(store.settings.buttons),
    createElement("p", { class: "help", text: help }),
    ...rows,
  );
}

// A text of the settings, in each language of the form.
function createTextRows(
  store,
  property,
  title,
  {
    help = "",
    read = () => store.settings[property],
    write = (label, options) => store.changeSetting(property, label, options),
    ...more
  },
) {
  return store.languages.map((language) => {
    const change = (value) => {
      const label = changeLabel(read(), language, value, store.language);
      write(label, { merge: `${property} ${language}`, drawn: false });
    };
    const label = store.languages.length > 1 ? `${title} (${languageName(language)})` : title;
    const value = readLabel(read(), language, store.language);
    return createRow(
      `${property} ${language}`,
      label,
      createTextInput(value, change, { id: uniqueId("setting"), lang: language, dir: "auto", ...more }),
      help,
    );
  });
}

function createTitleRow(store) {
  const fields = listNodes(store.nodes).filter(
    ({ id, field }) => typeTraits(field.type).canBeTitle && !isInRepeat(store.nodes, id),
  );
  const choices = [["", "None"], ...fields.map((one) => [one.field.name, fieldLabel(one, store.language)])];
  return createRow(
    "titleField",
    "Title of submissions",
    createSelect(choices, store.settings.titleField ?? "", (name) =>
      store.changeSetting("titleField", name || undefined),
    ),
    "The answer that submissions are called by in lists, on their page and in PDF reports.",
  );
}

function createQuestionPerPageRow(store) {
  const help = "The questions of a section stay together.";
  return createSettingCheckbox(store, "questionPerPage", "One question at a time", help);
}

function createContinueLaterRow(store) {
  const label = "People can continue later or on another device";
  const help = "With a secret link to their unfinished answers, which works for 30 days after the last change.";
  return createSettingCheckbox(store, "continueLater", label, help);
}

function createSettingCheckbox(store, name, label, help) {
  const change = (on) => store.changeSetting(name, on || undefined);
  return createCheckboxRow(name, label, Boolean(store.settings[name]), change, help);
}

const NO_EDITING = "";
const UNTIL_REVIEWED = "0";
const EDIT_PERIODS = [
  [NO_EDITING, "No"],
  [UNTIL_REVIEWED, "Until they are reviewed"],
  ["1", "For 1 hour"],
  ["24", "For 1 day"],
  ["168", "For 7 days"],
  ["720", "For 30 days"],
];

function createEditPeriodRow(store) {
  const { editAfterSubmitting } = store.settings;
  const chosen = editAfterSubmitting ? String(editAfterSubmitting.hours ?? UNTIL_REVIEWED) : NO_EDITING;
  const change = (period) => {
    const allowed = period === UNTIL_REVIEWED ? {} : { hours: Number(period) };
    store.changeSetting("editAfterSubmitting", period === NO_EDITING ? undefined : allowed);
  };
  const other = EDIT_PERIODS.some(([period]) => period === chosen) ? [] : [[chosen, `For ${chosen} hours`]];
  return createRow(
    "editAfterSubmitting",
    "Senders can change their answers",
    createSelect([...EDIT_PERIODS, ...other], chosen, change),
    "With a secret link on the thank-you page and in the email receipt, at most until the answers are reviewed.",
  );
}
