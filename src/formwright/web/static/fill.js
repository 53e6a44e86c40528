// The page in which a form is filled: nothing typed is lost, and nothing is sent twice.

import { Draft } from "./fill/draft.js";
import { model } from "./fill/model.js";
import { place, show } from "./fill/problems.js";
import { submit } from "./fill/remote.js";
import { Saving } from "./fill/saving.js";
import { incoming, outgoing } from "./fill/values.js";

const RETRY = 15_000;
const STATES = { saving: "Saving…", saved: "Saved", kept: "Kept on this device", none: "" };
const NO_NETWORK = "No network. Your answers are kept on this device; press Send again when you are back.";
const NO_ROOM = "No network, and this device keeps nothing. Leave this page open and press Send again when you are back.";
const NOT_NOW = "It could not be saved just now. Your answers are kept on this device; press Send again in a while.";
const NOT_TAKEN = "It was not taken. Your answers are kept on this device.";

const at = (id) => document.getElementById(id);
const page = JSON.parse(at("form-data").textContent);
const draft = new Draft(page.base);
const survey = model(page.survey);
const call = () => ({
  address: `${page.base}/submissions/${draft.clientId}`,
  body: { versionId: page.versionId, data: outgoing(survey) },
});
const saving = new Saving(call, (state) => (at("state").textContent = STATES[state]));

let sending = false;
let kept = true;
let filling = false;
let retry = null;

function start() {
  filling = false;
  if (draft.data) survey.data = draft.data;
  else survey.mergeData(incoming(survey, page.prefill));
  filling = true;
}

function changed() {
  if (!filling) return;
  kept = draft.keep({ data: survey.data, pending: false });
  saving.changed();
  // The faults of the changed field are judged anew only after this event.
  if (!at("problems").hidden) setTimeout(() => show(survey, at("problems")));
}

async function send() {
  if (sending) return;
  sending = true;
  at("send").setAttribute("aria-disabled", "true");
  await attempt();
  at("send").removeAttribute("aria-disabled");
  sending = false;
}

async function attempt() {
  clearTimeout(retry);
  const sound = survey.validate(true, true);
  show(survey, at("problems"));
  if (!sound) return;
  kept = draft.keep({ data: survey.data, pending: true });
  at("state").textContent = "Sending…";
  answered(await handOver());
}

// What is typed while it is on its way would belong to neither this submission nor the next.
async function handOver() {
  at("form").inert = true;
  await saving.settle();
  const { address, body } = call();
  const answer = await submit(address, body);
  at("form").inert = false;
  return answer;
}

function answered(answer) {
  at("state").textContent = answer.kind === "done" ? STATES.none : STATES.kept;
  if (answer.kind === "done") return thank();
  if (answer.kind === "later") return later(answer.network);
  draft.keep({ pending: false });
  if (answer.kind === "refused") return refused(answer);
  say(answer.detail ? `${answer.detail} Your answers are kept on this device.` : NOT_TAKEN);
}

function refused({ errors, detail }) {
  say("");
  const rest = place(survey, errors);
  show(survey, at("problems"), errors.length ? rest : [detail ?? NOT_TAKEN]);
  survey.getAllQuestions().find((question) => question.errors.length)?.focus(true);
}

function later(network) {
  say(network ? (kept ? NO_NETWORK : NO_ROOM) : NOT_NOW);
  // "online" does not fire when only the server was away.
  retry = setTimeout(again, RETRY);
}

const again = () => draft.pending && send();

function say(text) {
  at("banner").textContent = text;
  at("banner").hidden = text === "";
}

function thank() {
  draft.renew();
  say("");
  at("filling").hidden = true;
  at("thanks").hidden = false;
  at("thanks").querySelector("h1").focus();
  scrollTo(0, 0);
}

function refill() {
  filling = false;
  survey.clear(true, true);
  start();
  at("thanks").hidden = true;
  at("filling").hidden = false;
  scrollTo(0, 0);
  survey.focusFirstQuestion();
}

start();
survey.onValueChanged.add(changed);
survey.render(at("form"));
at("send").addEventListener("click", send);
at("again").addEventListener("click", refill);
addEventListener("online", again);
addEventListener("pagehide", () => saving.leave());
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && saving.leave());
at("send").hidden = false;
again();
