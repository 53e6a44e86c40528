// The page on which the office edits a submission: the form as the respondent saw it, with their answers.

import "./fill/shared/remote.js";
import "./fill/shared/proof.js";
import "./fill/shared/store.js";
import "./fill/shared/outbox.js";
import { Correcting } from "./fill/edit_submission.js";
import { Draft } from "./fill/draft.js";
import { Filling } from "./fill/form_session.js";
import { give } from "./fill/local_files.js";
import { first, learn, offer } from "./fill/languages.js";
import { loadPatterns } from "./fill/patterns.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
const spoken = Object.keys(page.languages);
const tag = first(spoken, page.language);
const rules = page.ruled ? import("./fill/rules.js") : null;
const patterns = page.patterns ? loadPatterns() : null;
give(page.correct.files);
await learn(tag, page.languages[tag]);
await patterns;
const filling = new Filling(page, new Draft(null), (await rules)?.compile, Correcting);
await filling.start(tag);
offer(document.getElementById("language"), spoken, tag, async (other) => {
  await learn(other, page.languages[other]);
  filling.speak(other);
});
