// The parts of a page with scripts, and how one page replaces another.

import { byId, queryAll } from "../dom.js";
import { pollSection } from "../polling.js";
import { enablePreviewOptions } from "./preview_options.js";
import { showProgress } from "./progress.js";
import { enableUpload } from "./upload.js";

/** @param {Document | Element} root */
export function enableScripts(root) {
  for (const form of queryAll("form[data-sends]", HTMLFormElement, root)) enableUpload(form, replacePage);
  for (const form of queryAll("form[data-looks]", HTMLFormElement, root)) enablePreviewOptions(form, replacePage);
  for (const section of queryAll("[data-working]", HTMLElement, root)) showProgress(section);
  for (const section of queryAll("[data-changes]", HTMLElement, root)) pollSection(section);
}

/** Replace this page by `html`, and its address by `url` if there is one; the focus and opened details stay as they are. */
export function replacePage(html, url = location.href) {
  const focusedId = document.activeElement?.id;
  const page = new DOMParser().parseFromString(html, "text/html");
  const main = page.querySelector("main");
  if (!main) return location.assign(url);
  for (const details of queryAll("main details[id][open]")) page.getElementById(details.id)?.setAttribute("open", "");
  document.title = page.title;
  history.replaceState(null, "", url);
  document.querySelector("main").replaceWith(main);
  enableScripts(main);
  if (focusedId) byId(focusedId)?.focus();
}
