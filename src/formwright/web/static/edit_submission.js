// The page on which the office edits a submission: the form as the respondent saw it, with their answers.

import "./fill/shared/remote.js";
import "./fill/shared/proof.js";
import "./fill/shared/store.js";
import "./fill/shared/outbox.js";
import { Correcting } from "./fill/edit_submission.js";
import { Draft } from "./fill/draft.js";
import { openForm } from "./fill/form_session.js";
import { give } from "./fill/local_files.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
give(page.files);
await openForm(page, new Draft(null), Correcting);
