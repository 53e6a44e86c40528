// The page on which the office edits a submission: the form as the respondent saw it, with their answers.

import "./fill/shared/api_client.js";
import "./fill/shared/proof_of_work.js";
import "./fill/shared/outbox_storage.js";
import "./fill/shared/outbox.js";
import { SubmissionEditor } from "./fill/submission_editor.js";
import { Draft } from "./fill/draft.js";
import { openForm } from "./fill/form_session.js";
import { setServerFiles } from "./fill/local_files.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
setServerFiles(page.files);
await openForm(page, new Draft(null), SubmissionEditor);
