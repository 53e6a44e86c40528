// Settings of the form as a whole: its name, its languages, its thank-you message.

import { button, el, fresh } from "./dom.js";
import { nameOf, changeLabel, readLabel } from "./labels.js";
import { row, text } from "./rows.js";

const TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

export function formMembers(store, does) {
  return [el("div", { class: "faults", role: "alert", hidden: true }), ...about(store, does), ...languages(store, does), ...thanks(store)];
}

function about(store, does) {
  const { page } = store;
  const name = text(page.name, () => {}, { maxlength: "200", "data-first": true });
  const description = text(page.description, () => {}, { rows: "3", maxlength: "2000" });
  const send = async () => {
    const faults = await does.about({ name: name.value, description: description.value });
    show(first, faults.find((fault) => fault.pointer === "/name")?.detail);
    show(second, faults.find((fault) => fault.pointer === "/description")?.detail);
  };
  name.addEventListener("change", send);
  description.addEventListener("change", send);
  const [first, second] = [row("about name", "Form name", name), row("about description", "Description", description, "Shown below the name.")];
  return [first, second];
}

function show(one, detail) {
  const slot = one.querySelector(".field-error");
  slot.textContent = detail ?? "";
  slot.hidden = !detail;
}

function languages(store, does) {
  const own = text(store.language, (tag) => TAG.test(tag) && store.change({ settings: { ...store.settings, language: tag } }, { merge: "language" }), { maxlength: "20", spellcheck: "false" });
  own.addEventListener("change", () => does.redraw());
  const others = store.languages.filter((tag) => tag !== store.language);
  const add = text("", () => {}, { maxlength: "20", spellcheck: "false", placeholder: "de" });
  const more = button("Add language", () => {
    const tag = add.value.trim();
    if (!TAG.test(tag)) return show(added, "Enter a language tag such as de, fr or pt-BR.");
    store.added.add(tag);
    does.redraw();
  });
  const added = row("languages", "Translations", add, others.length ? `Translated into: ${others.map(nameOf).join(", ")}.` : "Lets you translate every text of the form.");
  added.append(el("div", {}, more));
  return [row("settings", "Form language", own, "A language tag such as en, de or pt-BR."), added];
}

function thanks(store) {
  return store.languages.map((language) => {
    const change = (value) => {
      const { thanks: before, ...settings } = store.settings;
      const after = changeLabel(before, language, value, store.language);
      store.change({ settings: after === undefined ? settings : { ...settings, thanks: after } }, { merge: `thanks ${language}`, drawn: false });
    };
    const label = store.languages.length > 1 ? `Thank-you message (${nameOf(language)})` : "Thank-you message";
    return row(`thanks ${language}`, label, text(readLabel(store.settings.thanks, language, store.language), change, { id: fresh("thanks"), lang: language, placeholder: "Thank you" }));
  });
}
