// Prevents submitting a form twice: a second press would repeat its action.

// If the request was stopped or the network failed, the button works again.
const REENABLE_AFTER_MS = 10_000;

export function preventDoubleSubmit(root) {
  /** @type {Map<HTMLFormElement, HTMLElement | null>} */
  const submittedForms = new Map();
  const enableForm = (form) => {
    submittedForms.get(form)?.removeAttribute("aria-disabled");
    submittedForms.delete(form);
  };
  root.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    // A download leaves the page as it is, and may be wanted in another format.
    if ("repeatable" in (submitter?.dataset ?? {})) return;
    if (submittedForms.has(form)) return event.preventDefault();
    submittedForms.set(form, submitter);
    submitter?.setAttribute("aria-disabled", "true");
    setTimeout(() => enableForm(form), REENABLE_AFTER_MS);
  });
  // Back from the page that it led to.
  addEventListener("pageshow", () => [...submittedForms.keys()].forEach(enableForm));
}
