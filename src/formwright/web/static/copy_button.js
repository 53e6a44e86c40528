// `<button data-copy="id">` copies the value, link or text of that element, and confirms it.

const SHOWN = 2_000;

export function copying(root) {
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button, document.getElementById(button.dataset.copy));
  });
}

async function copy(button, source) {
  const text = source.value ?? source.href ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    say(button, "Copied");
  } catch {
    // Not allowed: select the text, so that the keyboard shortcut copies it.
    if (!source.href) select(source);
    say(button, source.href ? "Couldn’t copy" : "Selected: press Ctrl+C");
  }
}

function select(source) {
  if (source.select) return (source.focus(), source.select());
  getSelection().selectAllChildren(source);
}

function say(button, text) {
  const label = button.querySelector("[data-label]") ?? button;
  label.dataset.was ??= label.textContent;
  label.textContent = text;
  document.getElementById("announcement").textContent = text;
  setTimeout(() => (label.textContent = label.dataset.was), SHOWN);
}
