// The page for filling in a form: no input is lost, and nothing is submitted twice.

import { Draft } from "./fill/draft.js";
import { openForm } from "./fill/form_session.js";
// Rules and widgets share this kilobyte. Without it here, it would be a file and a request of its own.
import "./fill/geodesy.js";
import { setServerFiles } from "./fill/local_files.js";
import { storePage } from "./fill/offline_page.js";
import { trackOpened } from "./fill/open_tracking.js";

/** What edits answers instead of submitting them, by name. */
const EDITORS = {
  // The office edits a submission.
  submission: async () => (await import("./fill/submission_editor.js")).SubmissionEditor,
  // People change what they have submitted, with the secret link that they got.
  respondent: async () => (await import("./fill/respondent_editor.js")).RespondentEditor,
  // The dialog of the page that assigns a task: the answers go to that page, which sends them with the task.
  prefill: async () => (await import("./fill/prefill_editor.js")).PrefillEditor,
};

const page = JSON.parse(document.getElementById("form-data").textContent);
const draft = new Draft(page.preview || page.editor ? null : page.base, page.again);
const pinnedVersion = `?version=${draft.versionId}`;
setServerFiles(page.files);

// Modules that are loaded later import this one, so it must not wait for them.
if (page.editor) edit();
// A draft continues with the version it was begun with, if that is available.
else if (draft.data && draft.versionId && draft.versionId !== page.versionId && location.search !== pinnedVersion)
  location.replace(page.base + pinnedVersion);
else open();

async function edit() {
  if (page.editor === "prefill") {
    const answers = /** @type {HTMLInputElement | null} */ (parent.document.getElementById("answers"));
    page.prefill = JSON.parse(answers?.value || "{}");
  }
  await openForm(page, draft, await EDITORS[page.editor]());
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
