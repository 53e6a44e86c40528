// Fills the menu of versions from versions.js beside the folders of the versions, and opens the same page of another one.
const menu = document.getElementById("version");

function fill() {
  const current = menu.dataset.current;
  for (const name of window.DOCS_VERSIONS) {
    menu.add(new Option(name, name, name === current, name === current));
  }
  menu.closest("label").hidden = window.DOCS_VERSIONS.length < 2;
}

const root = new URL(document.documentElement.dataset.content_root, location.href);
menu.addEventListener("change", () => {
  const page = location.href.slice(root.href.length).replace(/[?#].*$/, "");
  location.href = new URL(`../${menu.value}/${page || "index.html"}`, root);
});
const list = document.createElement("script");
list.src = new URL("../versions.js", root);
list.onload = fill;
document.head.append(list);
