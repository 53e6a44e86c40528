// Where the rows of a list are. `actions` are buttons of a row that are not in one line, and words that break in them.
() => {
  const boxOf = (element) => element.getBoundingClientRect();
  const rows = [...document.querySelectorAll("main tbody tr")].filter((row) => row.checkVisibility());
  const stacked = [];
  for (const group of document.querySelectorAll("main tbody .tight .actions")) {
    const shown = [...group.querySelectorAll(".button, button")].filter((one) => one.checkVisibility() && boxOf(one).width);
    const middles = shown.map((one) => boxOf(one).top + boxOf(one).height / 2);
    if (Math.max(...middles) - Math.min(...middles) > 4) stacked.push(`${group.innerText} is stacked`);
    for (const one of shown) if (boxOf(one).height > 45) stacked.push(`${one.innerText} breaks`);
  }
  return {
    top: Math.round(boxOf(rows[0]).top + scrollY),
    height: Math.round(Math.max(...rows.map((row) => boxOf(row).height))),
    overflow: document.documentElement.scrollWidth - innerWidth,
    strip: Math.round(Math.max(0, ...[...document.querySelectorAll(".strip")].map((one) => boxOf(one).height))),
    stacked,
  };
}
