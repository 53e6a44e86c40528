// On a phone one of the three is shown at a time: fields, edit, preview.

/** Gives back `show(view)`. */
export function views(root) {
  const bar = root.querySelector(".views");
  const buttons = [...bar.querySelectorAll("button")];
  bar.hidden = false;
  const show = (view) => {
    root.dataset.view = view;
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.show === view));
  };
  bar.addEventListener("click", (event) => {
    const chosen = event.target.closest("button");
    if (chosen) show(chosen.dataset.show);
  });
  return show;
}
