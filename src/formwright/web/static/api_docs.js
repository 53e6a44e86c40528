// The search over all operations, and the language of the examples.

const search = document.querySelector("[data-search]");
if (search) {
  search.hidden = false;
  const input = search.querySelector("input");
  const found = search.querySelector("[role=status]");
  const lines = [...document.querySelectorAll("[data-words]")];
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const line of lines) {
      const text = line.dataset.words.toLowerCase();
      line.hidden = !words.every((word) => text.includes(word));
    }
    for (const group of document.querySelectorAll("[data-group]")) {
      group.hidden = !group.querySelector("[data-words]:not([hidden])");
    }
    const count = lines.filter((line) => !line.hidden).length;
    found.textContent = words.length ? `${count} of ${lines.length} operations` : "";
  });
}

const KEPT = "formwright-language";
const examples = [...document.querySelectorAll("[data-language]")];

function show(language) {
  for (const one of examples) one.open = one.dataset.language === language;
}

const kept = localStorage.getItem(KEPT);
if (examples.some((one) => one.dataset.language === kept)) show(kept);
for (const one of examples) {
  one.querySelector("summary").addEventListener("click", (event) => {
    if (one.open) return;
    event.preventDefault();
    const before = one.getBoundingClientRect().top;
    localStorage.setItem(KEPT, one.dataset.language);
    show(one.dataset.language);
    // The examples above may change their height: keep the clicked element in place.
    scrollBy(0, one.getBoundingClientRect().top - before);
  });
}
