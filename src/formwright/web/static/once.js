// A form that is on its way is not sent again: whoever presses twice would do twice what it says.

// Then whoever stopped it, or lost the network, can press again.
const PATIENCE = 10_000;

export function once(root) {
  const away = new Map();
  const free = (form) => {
    away.get(form)?.removeAttribute("aria-disabled");
    away.delete(form);
  };
  root.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    if (away.has(form)) return event.preventDefault();
    away.set(form, submitter);
    submitter?.setAttribute("aria-disabled", "true");
    setTimeout(() => free(form), PATIENCE);
  });
  // Back from the page that it led to.
  addEventListener("pageshow", () => [...away.keys()].forEach(free));
}
