// Draws the diagrams in the colours of the theme, and again when the theme changes.
const diagrams = [...document.querySelectorAll(".diagram")].map((place) => ({ place, text: place.textContent.trim() }));
const dark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const { theme } = document.body.dataset;
  return theme === "dark" || (theme !== "light" && dark.matches);
}

async function draw() {
  window.mermaid.initialize({ startOnLoad: false, theme: isDark() ? "dark" : "neutral", fontFamily: "sans-serif" });
  for (const [index, { place, text }] of diagrams.entries()) {
    const { svg } = await window.mermaid.render(`diagram-${index}`, text);
    place.innerHTML = svg;
    const drawing = place.firstElementChild;
    // Text of 16 pixels stays readable: wider diagrams scroll.
    drawing.style.minWidth = `${drawing.viewBox.baseVal.width * 0.7}px`;
  }
}

if (diagrams.length) {
  const script = document.createElement("script");
  script.src = new URL("mermaid.tiny.js", import.meta.url);
  script.onload = draw;
  document.head.append(script);
  new MutationObserver(draw).observe(document.body, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", draw);
}
