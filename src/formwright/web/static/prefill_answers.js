// The form in the dialog of the page that assigns a task. The answers go to that page, which sends them with the task.

import "./fill/shared/remote.js";
import "./fill/shared/proof.js";
import "./fill/shared/store.js";
import "./fill/shared/outbox.js";
import { Draft } from "./fill/draft.js";
import { openForm } from "./fill/form_session.js";
import { Prefilling } from "./fill/prefill.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
const answers = parent.document.getElementById("answers");
page.prefill = JSON.parse(answers?.value || "{}");
await openForm(page, new Draft(null), Prefilling);
