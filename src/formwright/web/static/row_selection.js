// Ticking rows of a list: all of the page, a range with Shift, and `x` on the focused row. The bar with the actions appears
// once a row is ticked.

export function ticking(bar) {
  const ticks = [...document.querySelectorAll('input[name="row"]')];
  const all = document.querySelector("[data-tick-all]");
  const everything = bar.elements.namedItem("scope");
  let last = 0;
  all.hidden = false;

  const isEverything = () => Boolean(everything?.checked);

  function show() {
    const count = ticks.filter((tick) => tick.checked).length;
    const box = all.querySelector("input");
    box.checked = count === ticks.length;
    box.indeterminate = count > 0 && count < ticks.length;
    bar.toggleAttribute("data-none", count === 0 && !isEverything());
    const text = isEverything() ? everything.parentElement.textContent.trim() : String(count);
    bar.querySelector("[data-count]").textContent = text;
    const noun = count === 1 ? "submission" : "submissions";
    for (const place of document.querySelectorAll("[data-selection]")) {
      place.textContent = isEverything() ? "all matching submissions" : `${count} ${noun}`;
    }
  }

  all.addEventListener("change", (event) => {
    for (const tick of ticks) tick.checked = event.target.checked;
    if (!event.target.checked && everything) everything.checked = false;
    show();
  });
  ticks.forEach((tick, index) =>
    tick.addEventListener("click", (event) => {
      if (event.shiftKey) {
        const [from, to] = [Math.min(last, index), Math.max(last, index)];
        for (const one of ticks.slice(from, to + 1)) one.checked = tick.checked;
      }
      last = index;
      show();
    }),
  );
  everything?.addEventListener("change", () => {
    if (everything.checked) for (const tick of ticks) tick.checked = true;
    show();
  });
  document.addEventListener("keydown", (event) => {
    // Otherwise, Enter on a tick would press the first button of the bar.
    if (event.key === "Enter" && event.target.matches?.("input[type=checkbox]")) event.preventDefault();
    const row = event.target.closest?.("tr.row-link");
    if (event.key !== "x" || !row || event.target.matches("input:not([type=checkbox])")) return;
    row.querySelector('input[name="row"]').click();
  });
  // Approving what one has ticked can be undone; approving everything is asked for.
  bar.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens-all]");
    if (!opener || !isEverything()) return;
    event.preventDefault();
    document.getElementById(opener.dataset.opensAll).showModal();
  });
  addEventListener("pageshow", show);
  show();
}
