// Opens each dialog and each menu of the page in turn. Returns what of it lies outside of the window.
() => {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const found = [];
  const check = (name, part, tall) => {
    const box = part.getBoundingClientRect();
    const out = Math.max(-box.left, box.right - width, tall ? -box.top : 0, tall ? box.bottom - height : 0);
    if (out > 1) found.push(`${name} is ${Math.round(out)} px outside`);
    if (part.scrollWidth > part.clientWidth + 1) found.push(`${name} is ${part.scrollWidth - part.clientWidth} px too narrow`);
  };
  for (const dialog of document.querySelectorAll("dialog")) {
    const open = dialog.open;
    dialog.close();
    dialog.showModal();
    check(`dialog #${dialog.id}`, dialog, true);
    dialog.close();
    if (open) dialog.show();
  }
  for (const menu of document.querySelectorAll("details.menu")) {
    if (!menu.checkVisibility()) continue;
    menu.open = true;
    const name = menu.querySelector("summary").innerText.trim();
    check(`menu "${name}"`, menu.lastElementChild, false);
    if (document.scrollingElement.scrollWidth > width) found.push(`menu "${name}" makes the page too wide`);
    menu.open = false;
  }
  document.activeElement?.blur();
  return found;
}
