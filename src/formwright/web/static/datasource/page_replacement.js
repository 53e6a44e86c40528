// The parts of a page with scripts, and how one page replaces another.

import { changing } from "../polling.js";
import { choosing } from "./preview_options.js";
import { sending } from "./upload.js";
import { watching } from "./progress.js";

export function ready(root) {
  for (const form of root.querySelectorAll("form[data-sends]")) sending(form, show);
  for (const form of root.querySelectorAll("form[data-looks]")) choosing(form, show);
  for (const section of root.querySelectorAll("[data-working]")) watching(section);
  for (const section of root.querySelectorAll("[data-changes]")) changing(section);
}

/** Replace this page by `html`, and its address by `url` if there is one; the focus and opened details stay as they are. */
export function show(html, url = location.href) {
  const focused = document.activeElement?.id;
  const other = new DOMParser().parseFromString(html, "text/html");
  const main = other.querySelector("main");
  if (!main) return location.assign(url);
  for (const details of document.querySelectorAll("main details[id][open]"))
    other.getElementById(details.id)?.setAttribute("open", "");
  document.title = other.title;
  history.replaceState(null, "", url);
  document.querySelector("main").replaceWith(main);
  ready(main);
  if (focused) document.getElementById(focused)?.focus();
}
