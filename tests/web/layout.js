// What does not fit on the page as it is now. Returns a list of messages, empty when all fits.
() => {
  const WIDTH = document.documentElement.clientWidth;
  const INTERACTIVE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=option]";
  const SMALLEST = 24; // WCAG 2.2, 2.5.8
  const found = [];

  const describe = (element) => {
    const words = (element.getAttribute("aria-label") || element.innerText || element.name || element.id || "").trim();
    const kind = element.className && typeof element.className === "string" ? `.${element.className.split(" ").join(".")}` : "";
    return `<${element.tagName.toLowerCase()}${kind}> "${words.slice(0, 40)}"`;
  };

  const clips = (element) => getComputedStyle(element).overflowX !== "visible";

  // The nearest part around it that is meant to be moved sideways: wide tables, bars of links, code, lists of boxes.
  const scroller = (element) => {
    const part = element.parentElement?.closest("[tabindex='0'], .main-nav ul, .tabs ul, pre, .options");
    return part && clips(part) ? part : null;
  };

  // The edges between which it is seen: those of the window, and of all around it that cut off what sticks out.
  const edges = (element) => {
    let [left, right] = [0, WIDTH];
    for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
      if (!clips(parent)) continue;
      const box = parent.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    }
    return [left, right];
  };

  // Behind others until it has the focus, or for screen readers only.
  const hidden = (element) => element.closest(".skip, .visually-hidden, .sv-visuallyhidden, .sv_hidden, [aria-hidden=true]") ||
    !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  // What is pressed: for a box, its label as well.
  const targets = (element) => [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect());

  const inline = (element) => element.tagName === "A" && getComputedStyle(element).display === "inline";

  const overflow = document.scrollingElement.scrollWidth - WIDTH;
  if (overflow > 0) {
    const widest = [...document.body.querySelectorAll("*")]
      .filter((one) => !scroller(one) && one.getBoundingClientRect().right > WIDTH + 1)
      .map((one) => `${describe(one)} to ${Math.round(one.getBoundingClientRect().right)}`);
    found.push(`the page is ${overflow} px too wide: ${widest.slice(0, 2).join(", ")} … ${widest.slice(-2).join(", ")}`);
  }

  const seen = [...document.querySelectorAll(INTERACTIVE)].filter((one) => !hidden(one));
  for (const element of seen) {
    const box = element.getBoundingClientRect();
    const [left, right] = scroller(element) ? [-Infinity, Infinity] : edges(element);
    if (box.left < left - 1 || box.right > right + 1) {
      found.push(`${describe(element)} lies outside, from ${Math.round(box.left)} to ${Math.round(box.right)}`);
    }
    const all = targets(element);
    const size = Math.min(Math.max(...all.map(({ width }) => width)), Math.max(...all.map(({ height }) => height)));
    if (size < SMALLEST - 0.5 && !inline(element)) found.push(`${describe(element)} is ${size.toFixed(1)} px small`);
  }

  // A word that sticks out of what holds it.
  const HOLDERS = "button, .button, .status, td, th, dd, dt, li, h1, h2, h3, h4, p, label, legend, summary, figcaption, code";
  for (const element of document.querySelectorAll(HOLDERS)) {
    const style = getComputedStyle(element);
    if (hidden(element) || style.display === "inline" || style.overflowX !== "visible") continue;
    const out = element.scrollWidth - element.clientWidth;
    const inner = [...element.querySelectorAll("*")];
    if (out > 1 && element.clientWidth > 0 && !scroller(element) && !inner.some((one) => getComputedStyle(one).position === "absolute")) {
      found.push(`${describe(element)} sticks out by ${out} px`);
    }
  }

  // Two that are pressed and lie on each other.
  const fixed = (element) => {
    for (let one = element; one; one = one.parentElement) {
      if (["sticky", "fixed", "absolute"].includes(getComputedStyle(one).position)) return true;
    }
    return false;
  };
  const boxes = seen.filter((one) => !inline(one) && !fixed(one)).map((one) => [one, one.getBoundingClientRect()]);
  boxes.forEach(([one, a], index) => {
    for (const [other, b] of boxes.slice(index + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1 && !one.contains(other) && !other.contains(one)) {
        found.push(`${describe(one)} and ${describe(other)} overlap`);
      }
    }
  });
  return [...new Set(found)];
}
