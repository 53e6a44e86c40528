// The dialog "Go to": Ctrl+K or ⌘K opens it on every page. The server searches while the user types; arrow keys move
// through the results, which are ordinary links, and Enter opens the first or the focused one.

const PAUSE = 150;

export function goTo(root) {
  const dialog = root.getElementById("go-to");
  if (dialog) new GoTo(dialog, root.getElementById("open-go-to")).listen(root);
}

class GoTo {
  #dialog;
  #opener;
  #input;
  #found;
  #status;
  #timer = null;
  #asked = 0;
  #loading = null;

  constructor(dialog, opener) {
    this.#dialog = dialog;
    this.#opener = opener;
    this.#input = dialog.querySelector("input");
    this.#found = dialog.querySelector(".results");
    this.#status = dialog.querySelector("[role=status]");
  }

  listen(root) {
    const hint = this.#opener.querySelector("kbd");
    if (/mac|iphone|ipad/i.test(navigator.platform)) hint.textContent = "⌘K";
    hint.hidden = false;
    this.#opener.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#open();
    });
    root.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      this.#open();
    });
    this.#input.addEventListener("input", () => this.#searchSoon());
    this.#dialog.addEventListener("keydown", (event) => this.#key(event));
    this.#dialog.addEventListener("click", (event) => {
      // A click on the backdrop has the dialog itself as its target.
      if (event.target === this.#dialog || event.target.closest("[data-close]")) this.#dialog.close();
    });
    this.#dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#openFirst();
    });
  }

  #open() {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#input.select();
    this.#input.focus();
    this.#search();
  }

  #searchSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), PAUSE);
  }

  #search() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#loading = this.#load(++this.#asked);
    return this.#loading;
  }

  async #load(mine) {
    const parts = await request(this.#input.value);
    // The user has typed more.
    if (mine !== this.#asked) return this.#loading;
    this.#found.replaceChildren(...parts);
    this.#found.scrollTop = 0;
    this.#status.textContent = this.#found.querySelector("[data-summary], .none")?.textContent ?? "";
  }

  async #openFirst() {
    await (this.#timer ? this.#search() : this.#loading);
    this.#links()[0]?.click();
  }

  #links() {
    return [...this.#found.querySelectorAll("a")];
  }

  #key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const stops = [this.#input, ...this.#links()];
      const at = stops.indexOf(document.activeElement);
      stops[(at + step + stops.length) % stops.length].focus();
    } else if (event.target.matches("a") && (event.key.length === 1 || event.key === "Backspace")) {
      // Letters typed on a result continue the text.
      this.#input.focus();
    }
  }
}

async function request(text) {
  try {
    const response = await fetch(`/go-to/results?${new URLSearchParams({ q: text })}`, { redirect: "manual" });
    if (response.ok) return new DOMParser().parseFromString(await response.text(), "text/html").body.childNodes;
  } catch {
    // The server may be restarting.
  }
  return [
    Object.assign(document.createElement("p"), {
      className: "none",
      textContent: "Search is unavailable. Try again, or reload the page.",
    }),
  ];
}
