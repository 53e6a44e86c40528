// Settings of the form as a whole: its name, its languages, its first and last texts, and its pages.

import { button, el, fresh } from "../dom.js";
import { nameOf, changeLabel, readLabel } from "./labels.js";
import { labelOf, traits } from "./field_types.js";
import * as tree from "./field_tree.js";
import { mediaFiles } from "./media_files.js";
import { scoreMembers } from "./score_settings.js";
import { check, choice, row, text } from "./setting_rows.js";

const TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

export function formMembers(store, does) {
  return [
    el("div", { class: "faults", role: "alert", hidden: true }),
    ...about(store, does),
    ...languages(store, does),
    ...welcome(store),
    ...thanks(store),
    title(store),
    perPage(store),
    scoreMembers(store),
    continuing(store),
    editing(store),
    mediaFiles(store, does),
  ];
}

function about(store, does) {
  const { page } = store;
  const name = text(page.name, () => {}, { maxlength: page.maxNameLength, "data-first": true });
  const description = text(page.description, () => {}, { rows: "3", maxlength: page.maxDescriptionLength });
  const send = async () => {
    const faults = await does.about({ name: name.value, description: description.value });
    show(first, faults.find((fault) => fault.pointer === "/name")?.detail);
    show(second, faults.find((fault) => fault.pointer === "/description")?.detail);
  };
  name.addEventListener("change", send);
  description.addEventListener("change", send);
  const [first, second] = [
    row("about name", "Form name", name),
    row("about description", "Description", description, "Shown below the name."),
  ];
  return [first, second];
}

function show(one, detail) {
  const slot = one.querySelector(".field-error");
  slot.textContent = detail ?? "";
  slot.hidden = !detail;
}

function languages(store, does) {
  const own = text(
    store.language,
    (tag) => TAG.test(tag) && store.change({ settings: { ...store.settings, language: tag } }, { merge: "language" }),
    { maxlength: "20", spellcheck: "false" },
  );
  own.addEventListener("change", () => does.redraw());
  const others = store.languages.filter((tag) => tag !== store.language);
  const add = text("", () => {}, { maxlength: "20", spellcheck: "false", placeholder: "de" });
  const more = button("Add language", () => {
    const tag = add.value.trim();
    if (!TAG.test(tag)) return show(added, "Enter a language tag such as de, fr or pt-BR.");
    store.added.add(tag);
    does.redraw();
  });
  const added = row(
    "languages",
    "Translations",
    add,
    others.length ? `Translated into: ${others.map(nameOf).join(", ")}.` : "Lets you translate every text of the form.",
  );
  added.append(el("div", {}, more));
  return [row("settings", "Form language", own, "A language tag such as en, de or pt-BR."), added];
}

const welcome = (store) =>
  texts(store, "welcome", "Welcome text", { rows: "3", help: "Shown on a page of its own before the first question." });
const thanks = (store) => texts(store, "thanks", "Thank-you message", { placeholder: "Thank you" });

// A text of the settings, in each language of the form.
function texts(store, member, title, { help = "", ...more }) {
  return store.languages.map((language) => {
    const change = (value) => {
      const { [member]: before, ...settings } = store.settings;
      const after = changeLabel(before, language, value, store.language);
      store.change(
        { settings: after === undefined ? settings : { ...settings, [member]: after } },
        { merge: `${member} ${language}`, drawn: false },
      );
    };
    const label = store.languages.length > 1 ? `${title} (${nameOf(language)})` : title;
    const value = readLabel(store.settings[member], language, store.language);
    return row(
      `${member} ${language}`,
      label,
      text(value, change, { id: fresh(member), lang: language, ...more }),
      help,
    );
  });
}

function title(store) {
  const fields = [...tree.walk(store.nodes)]
    .map(({ node }) => node)
    .filter(({ id, field }) => traits(field.type).canBeTitle && !tree.inRepeat(store.nodes, id));
  const change = (name) => {
    const { titleField: before, ...settings } = store.settings;
    store.change({ settings: name ? { ...settings, titleField: name } : settings });
  };
  const choices = [["", "None"], ...fields.map((one) => [one.field.name, labelOf(one, store.language)])];
  return row(
    "titleField",
    "Title of submissions",
    choice(choices, store.settings.titleField ?? "", change),
    "The answer that submissions are called by in lists, on their page and in PDF reports.",
  );
}

function perPage(store) {
  const change = (on) => {
    const { questionPerPage: before, ...settings } = store.settings;
    store.change({ settings: on ? { ...settings, questionPerPage: true } : settings });
  };
  return check(
    "questionPerPage",
    "One question at a time",
    Boolean(store.settings.questionPerPage),
    change,
    "The questions of a section stay together.",
  );
}

function continuing(store) {
  const change = (on) => {
    const { continueLater: before, ...settings } = store.settings;
    store.change({ settings: on ? { ...settings, continueLater: true } : settings });
  };
  return check(
    "continueLater",
    "People can continue later or on another device",
    Boolean(store.settings.continueLater),
    change,
    "With a secret link to their unfinished answers, which works for 30 days after the last change.",
  );
}

const NEVER = "";
const REVIEWED = "0";
const PERIODS = [
  [NEVER, "No"],
  [REVIEWED, "Until they are reviewed"],
  ["1", "For 1 hour"],
  ["24", "For 1 day"],
  ["168", "For 7 days"],
  ["720", "For 30 days"],
];

function editing(store) {
  const { editAfterSubmitting: now } = store.settings;
  const chosen = now ? String(now.hours ?? REVIEWED) : NEVER;
  const change = (period) => {
    const { editAfterSubmitting: before, ...settings } = store.settings;
    const after = period === REVIEWED ? {} : { hours: Number(period) };
    store.change({ settings: period === NEVER ? settings : { ...settings, editAfterSubmitting: after } });
  };
  const other = PERIODS.some(([period]) => period === chosen) ? [] : [[chosen, `For ${chosen} hours`]];
  return row(
    "editAfterSubmitting",
    "Senders can change their answers",
    choice([...PERIODS, ...other], chosen, change),
    "With a secret link on the thank-you page and in the email receipt, at most until the answers are reviewed.",
  );
}
