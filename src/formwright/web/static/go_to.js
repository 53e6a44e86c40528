// The dialog "Go to": Ctrl+K or ⌘K opens it on every page. The server searches while the user types; arrow keys move
// through the results, which are ordinary links, and Enter opens the first or the focused one.

import { closest, createElement, query, queryAll, targetOf } from "./dom.js";

const SEARCH_DELAY_MS = 150;

export function enableGoTo(root) {
  const dialog = root.getElementById("go-to");
  if (dialog) new GoToDialog(dialog, root.getElementById("open-go-to")).listen(root);
}

class GoToDialog {
  #dialog;
  #opener;
  #input;
  #results;
  #status;
  #timer = null;
  #requestCount = 0;
  #loading = null;

  /** @param {HTMLDialogElement} dialog  @param {HTMLElement} opener */
  constructor(dialog, opener) {
    this.#dialog = dialog;
    this.#opener = opener;
    this.#input = query("input", HTMLInputElement, dialog);
    this.#results = query(".results", HTMLElement, dialog);
    this.#status = query("[role=status]", HTMLElement, dialog);
  }

  listen(root) {
    const hint = query("kbd", HTMLElement, this.#opener);
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
    this.#dialog.addEventListener("keydown", (event) => this.#handleKey(event));
    this.#dialog.addEventListener("click", (event) => {
      // A click on the backdrop has the dialog itself as its target.
      if (event.target === this.#dialog || closest(event, "[data-close]")) this.#dialog.close();
    });
    query("form", HTMLFormElement, this.#dialog).addEventListener("submit", (event) => {
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
    this.#timer = setTimeout(() => this.#search(), SEARCH_DELAY_MS);
  }

  #search() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#requestCount += 1;
    this.#loading = this.#load(this.#requestCount);
    return this.#loading;
  }

  async #load(requestNumber) {
    const nodes = await fetchResults(this.#input.value);
    // The user has typed more.
    if (requestNumber !== this.#requestCount) return this.#loading;
    this.#results.replaceChildren(...nodes);
    this.#results.scrollTop = 0;
    this.#status.textContent = this.#results.querySelector("[data-summary], .none")?.textContent ?? "";
  }

  async #openFirst() {
    await (this.#timer ? this.#search() : this.#loading);
    this.#listLinks()[0]?.click();
  }

  #listLinks() {
    return queryAll("a", HTMLAnchorElement, this.#results);
  }

  #handleKey(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      /** @type {HTMLElement[]} */
      const stops = [this.#input, ...this.#listLinks()];
      const index = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      stops[(index + step + stops.length) % stops.length].focus();
    } else if (targetOf(event)?.matches("a") && (event.key.length === 1 || event.key === "Backspace")) {
      // Letters typed on a result continue the text.
      this.#input.focus();
    }
  }
}

async function fetchResults(text) {
  try {
    const response = await fetch(`/go-to/results?${new URLSearchParams({ q: text })}`, { redirect: "manual" });
    if (response.ok) return new DOMParser().parseFromString(await response.text(), "text/html").body.childNodes;
  } catch {
    // The server may be restarting.
  }
  return [createElement("p", { class: "none", text: "Search is unavailable. Try again, or reload the page." })];
}
