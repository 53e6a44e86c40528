// The form in the dialog of the page that assigns a task. The answers go to that page, which sends them with the task.

import "./fill/shared/api_client.js";
import "./fill/shared/proof_of_work.js";
import "./fill/shared/outbox_storage.js";
import "./fill/shared/outbox.js";
import { Draft } from "./fill/draft.js";
import { openForm } from "./fill/form_session.js";
import { PrefillEditor } from "./fill/prefill_editor.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
const answers = parent.document.getElementById("answers");
page.prefill = JSON.parse(answers?.value || "{}");
await openForm(page, new Draft(null), PrefillEditor);
