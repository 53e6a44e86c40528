// Keeps what was entered in a form whose submission led to the sign-in page, because the session had ended, and enters it
// again once the same person has signed in. It stays in this tab only, until another page of the person is opened.

import { query, queryAll } from "./dom.js";

const KEY = "formwright:unsaved";
const KEPT = "input:not([type=hidden], [type=password], [type=file]), textarea, select";

export function keepUnsavedInput(root) {
  const person = query(".user-menu .name", HTMLElement, root)?.title;
  // On the pages for signing in there is nobody yet.
  if (!person) return;
  restore(root, person);
  root.addEventListener("submit", ({ target: form, defaultPrevented }) => {
    if (defaultPrevented || form.getAttribute("method") !== "post" || !form.querySelector("textarea")) return;
    const unsaved = { person, page: location.pathname, action: form.getAttribute("action"), values: listValues(form) };
    sessionStorage.setItem(KEY, JSON.stringify(unsaved));
  });
}

function restore(root, person) {
  const text = sessionStorage.getItem(KEY);
  if (!text) return;
  sessionStorage.removeItem(KEY);
  const unsaved = JSON.parse(text);
  // A form that was saved leads on without signing in.
  const isBack = document.referrer.startsWith(`${location.origin}/sign-in`);
  if (!isBack || unsaved.person !== person || unsaved.page !== location.pathname) return;
  const form = queryAll("form", HTMLFormElement, root).find((one) => one.getAttribute("action") === unsaved.action);
  if (!form) return;
  form.closest("details")?.setAttribute("open", "");
  listFields(form).forEach((field, index) => {
    const [name, value, isChecked] = unsaved.values[index] ?? [];
    if (field.name !== name) return;
    if (field.type === "checkbox" || field.type === "radio") field.checked = field.value === value && isChecked;
    else field.value = value;
  });
  form.querySelector("textarea").focus();
}

const listFields = (form) => /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(KEPT)]);

const listValues = (form) => listFields(form).map(({ name, value, checked }) => [name, value, checked ?? false]);
