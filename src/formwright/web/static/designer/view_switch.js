// On a phone, one of three views is visible at a time: fields, edit, preview.

/** Returns `show(view)`. */
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
