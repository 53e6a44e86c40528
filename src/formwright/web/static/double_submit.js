// Prevents submitting a form twice: a second press would repeat its action.

// If the request was stopped or the network failed, the button works again.
const PATIENCE = 10_000;

export function preventDoubleSubmit(root) {
  const away = new Map();
  const free = (form) => {
    away.get(form)?.removeAttribute("aria-disabled");
    away.delete(form);
  };
  root.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    // A download leaves the page as it is, and may be wanted in another format.
    if ("repeatable" in (submitter?.dataset ?? {})) return;
    if (away.has(form)) return event.preventDefault();
    away.set(form, submitter);
    submitter?.setAttribute("aria-disabled", "true");
    setTimeout(() => free(form), PATIENCE);
  });
  // Back from the page that it led to.
  addEventListener("pageshow", () => [...away.keys()].forEach(free));
}
