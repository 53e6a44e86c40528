// The API reference: the search over all operations, and the language of the examples.

import { query, queryAll } from "./dom.js";

const LANGUAGE_KEY = "formwright-language";

const search = query("[data-search]");
if (search) enableSearch(search);
const examples = queryAll("[data-language]", HTMLDetailsElement);
enableExamples();

function enableSearch(root) {
  root.hidden = false;
  const input = query("input", HTMLInputElement, root);
  const status = query("[role=status]", HTMLElement, root);
  const operations = queryAll("[data-words]");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const operation of operations) {
      const text = operation.dataset.words.toLowerCase();
      operation.hidden = !words.every((word) => text.includes(word));
    }
    for (const group of queryAll("[data-group]")) {
      group.hidden = !group.querySelector("[data-words]:not([hidden])");
    }
    const count = operations.filter((operation) => !operation.hidden).length;
    status.textContent = words.length ? `${count} of ${operations.length} operations` : "";
  });
}

function enableExamples() {
  const language = localStorage.getItem(LANGUAGE_KEY);
  if (examples.some((example) => example.dataset.language === language)) showLanguage(language);
  for (const example of examples) {
    query("summary", HTMLElement, example).addEventListener("click", (event) => {
      if (example.open) return;
      event.preventDefault();
      const { top } = example.getBoundingClientRect();
      localStorage.setItem(LANGUAGE_KEY, example.dataset.language);
      showLanguage(example.dataset.language);
      // The examples above may change their height: keep the clicked element in place.
      scrollBy(0, example.getBoundingClientRect().top - top);
    });
  }
}

function showLanguage(language) {
  for (const example of examples) example.open = example.dataset.language === language;
}
