// The page for filling in a form: no input is lost, and nothing is submitted twice.

import "./fill/shared/remote.js";
import "./fill/shared/proof.js";
import "./fill/shared/store.js";
import "./fill/shared/outbox.js";
import { Draft } from "./fill/draft.js";
import { Filling } from "./fill/form_session.js";
import { first, learn, offer } from "./fill/languages.js";
import { keepPage } from "./fill/offline.js";
import { noteOpened } from "./fill/open_notice.js";
import { loadPatterns } from "./fill/patterns.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
const draft = new Draft(page.preview ? null : page.base, page.again);
const pinned = `?version=${draft.versionId}`;

// A draft continues with the version it was begun with, if that is available.
if (draft.data && draft.versionId && draft.versionId !== page.versionId && location.search !== pinned) {
  location.replace(page.base + pinned);
} else {
  await open();
}

async function open() {
  const spoken = Object.keys(page.languages);
  const tag = first(spoken, page.language);
  const rules = page.ruled ? import("./fill/rules.js") : null;
  const patterns = page.patterns ? loadPatterns() : null;
  await learn(tag, page.languages[tag]);
  await patterns;
  const filling = new Filling(page, draft, (await rules)?.compile);
  await filling.start(tag);
  offer(document.getElementById("language"), spoken, tag, async (other) => {
    await learn(other, page.languages[other]);
    filling.speak(other);
  });
  if (page.preview) return;
  if (page.once) noteOpened(page.base);
  // The page of a rejected submission is not the one to keep for this address offline.
  if (!page.again) keepPage(page.keep);
  if (page.lookups.length) await keepRows();
}

async function keepRows() {
  const rows = await import("./fill/offline_rows.js");
  addEventListener("online", () => rows.keepRows(page));
  await rows.keepRows(page);
}
