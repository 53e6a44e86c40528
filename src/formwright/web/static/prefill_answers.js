// The form in the dialog of the page that assigns a task. The answers go to that page, which sends them with the task.

import "./fill/shared/remote.js";
import "./fill/shared/proof.js";
import "./fill/shared/store.js";
import "./fill/shared/outbox.js";
import { Draft } from "./fill/draft.js";
import { Filling } from "./fill/form_session.js";
import { first, learn, offer } from "./fill/languages.js";
import { loadPatterns } from "./fill/patterns.js";
import { Prefilling } from "./fill/prefill.js";

const page = JSON.parse(document.getElementById("form-data").textContent);
const answers = parent.document.getElementById("answers");
page.prefill = JSON.parse(answers?.value || "{}");
const spoken = Object.keys(page.languages);
const tag = first(spoken, page.language);
const rules = page.ruled ? import("./fill/rules.js") : null;
const patterns = page.patterns ? loadPatterns() : null;
await learn(tag, page.languages[tag]);
await patterns;
const filling = new Filling(page, new Draft(null), (await rules)?.compile, Prefilling);
await filling.start(tag);
offer(document.getElementById("language"), spoken, tag, async (other) => {
  await learn(other, page.languages[other]);
  filling.speak(other);
});
