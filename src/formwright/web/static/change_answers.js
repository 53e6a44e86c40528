// The page on which people change what they have submitted, with the secret link that they got.

import "./fill/shared/api_client.js";
import "./fill/shared/proof_of_work.js";
import "./fill/shared/outbox_storage.js";
import "./fill/shared/outbox.js";
import { RespondentEditor } from "./fill/respondent_editor.js";
import { Draft } from "./fill/draft.js";
import { openForm } from "./fill/form_session.js";
import { setServerFiles } from "./fill/local_files.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
setServerFiles(page.files);
await openForm(page, new Draft(null), RespondentEditor);
