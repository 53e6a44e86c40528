// The page on which people change what they have submitted, with the secret link that they got.

import "./fill/shared/remote.js";
import "./fill/shared/proof.js";
import "./fill/shared/store.js";
import "./fill/shared/outbox.js";
import { Changing } from "./fill/change_answers.js";
import { Draft } from "./fill/draft.js";
import { openForm } from "./fill/form_session.js";
import { give } from "./fill/local_files.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
give(page.files);
await openForm(page, new Draft(null), Changing);
