// `<button data-copy="id">` copies the value, link or text of that element, and confirms it.

import { byId, closest } from "./dom.js";

const CONFIRMATION_MS = 2_000;

export function enableCopyButtons(root) {
  root.addEventListener("click", (event) => {
    const button = closest(event, "[data-copy]");
    if (button) copyText(button, byId(button.dataset.copy));
  });
}

async function copyText(button, source) {
  const text = source.value ?? source.href ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    showConfirmation(button, "Copied");
  } catch {
    // Not allowed: select the text, so that the keyboard shortcut copies it.
    if (!source.href) selectText(source);
    showConfirmation(button, source.href ? "Couldn’t copy" : "Selected: press Ctrl+C");
  }
}

function selectText(source) {
  if (source.select) {
    source.focus();
    source.select();
  } else getSelection().selectAllChildren(source);
}

function showConfirmation(button, text) {
  const label = button.querySelector("[data-label]") ?? button;
  label.dataset.was ??= label.textContent;
  label.textContent = text;
  byId("announcement").textContent = text;
  setTimeout(() => {
    label.textContent = label.dataset.was;
  }, CONFIRMATION_MS);
}
