// The page for filling in a form: no input is lost, and nothing is submitted twice.

import "./fill/shared/api_client.js";
import "./fill/shared/proof_of_work.js";
import "./fill/shared/outbox_storage.js";
import "./fill/shared/outbox.js";
import { Draft } from "./fill/draft.js";
import { openForm } from "./fill/form_session.js";
import { setServerFiles } from "./fill/local_files.js";
import { storePage } from "./fill/offline_page.js";
import { trackOpened } from "./fill/open_tracking.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
setServerFiles(page.files);
const draft = new Draft(page.preview ? null : page.base, page.again);
const pinned = `?version=${draft.versionId}`;

// A draft continues with the version it was begun with, if that is available.
if (draft.data && draft.versionId && draft.versionId !== page.versionId && location.search !== pinned) {
  location.replace(page.base + pinned);
} else {
  await open();
}

async function open() {
  await openForm(page, draft);
  if (page.preview) return;
  if (page.once && !page.returned) trackOpened(page.base);
  // The page of a rejected submission is not the one to keep for this address offline.
  if (!page.again) storePage([...page.keep, ...(page.keepMedia ?? [])]);
  if (page.lookups.length) await downloadRows();
}

async function downloadRows() {
  const rows = await import("./fill/offline_rows.js");
  addEventListener("online", () => rows.downloadRows(page));
  await rows.downloadRows(page);
}
