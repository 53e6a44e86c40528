// Sending: kept on this device first, then handed to the server, and forgotten only when it has arrived.

import { copied, keepAgain } from "./held.js";
import { askToSend } from "./offline.js";
import { press } from "./press.js";
import { place, show } from "./problems.js";
import { inWords, reason, say } from "./words.js";
import { showWaiting } from "./waiting.js";

const { outbox, store } = globalThis.formwright;
const RETRY = 15_000;
const at = (id) => document.getElementById(id);

export class Sending {
  #form;
  #busy = false;
  #retry = null;

  constructor(form) {
    this.#form = form;
  }

  /** What was on its way when the page was closed is the outbox's business; the form begins anew. */
  async settleOld() {
    const { draft } = this.#form;
    if (!draft.data) return;
    const old = await store.get("submissions", draft.clientId).catch(() => null);
    if (old && same(old.draft, draft.data)) draft.renew();
    // Another tab has sent its own, and this one went on.
    else if (old) await this.#part();
  }

  async begin() {
    press(at("send"), () => this.send());
    at("again").addEventListener("click", () => this.#again());
    addEventListener("online", () => this.#flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#flush());
    new BroadcastChannel("formwright").addEventListener("message", () => this.showWaiting());
    if (!this.#form.page.preview) await this.#flush();
  }

  async send() {
    if (this.#busy) return;
    this.#busy = true;
    at("send").setAttribute("aria-disabled", "true");
    await this.#attempt();
    at("send").removeAttribute("aria-disabled");
    this.#busy = false;
  }

  async #attempt() {
    const { survey, judge } = this.#form;
    judge.settle();
    const sound = survey.validate(true, true);
    show(survey, at("problems"));
    if (!sound || this.#form.page.preview) return;
    this.#form.tell("sending");
    this.#answered(await this.#handOver());
  }

  // What is typed while it is on its way would belong to neither this submission nor the next.
  async #handOver() {
    const { draft, judge, page, saving, survey } = this.#form;
    at("form").inert = true;
    await saving.settle();
    // Another tab that has sent what it had of this draft has made the device forget it.
    draft.keep({ data: survey.data, versionId: page.versionId });
    await keepAgain(judge.answers).catch(() => {});
    const kept = await this.#put().then(() => true, () => false);
    const entry = this.#entry();
    const sending = kept ? outbox.send(entry.id) : outbox.deliver(entry);
    // A device that takes no more notes must not leave the form locked.
    const answer = await sending.catch(() => ({ kind: "later" }));
    at("form").inert = false;
    return { ...answer, kept, entry };
  }

  /** Into the outbox, where nothing is written over: two tabs share a draft, and may send different answers of it. */
  async #put() {
    let entry = this.#entry();
    while (!(await store.add("submissions", entry))) {
      const other = await store.get("submissions", entry.id);
      if (other && same(other.data, entry.data)) return;
      if (other) entry = await this.#apart();
    }
  }

  async #apart() {
    await this.#part();
    this.#form.restore();
    return this.#entry();
  }

  /** Go on as a submission of its own, with files of its own: those of the other go with it. */
  async #part() {
    const { draft } = this.#form;
    draft.keep({ clientId: crypto.randomUUID(), data: await copied(draft.data) });
  }

  #entry() {
    const { page, draft, judge, survey } = this.#form;
    const { clientId: id } = draft;
    const sent = { id, base: page.base, versionId: page.versionId, data: judge.answers, seen: draft.versions };
    return { ...sent, draft: survey.data, rows: draft.seen, at: Date.now() };
  }

  #answered({ kind, kept, entry, ...answer }) {
    this.#form.tell(kind === "done" || (kind === "later" && kept) ? "" : "kept");
    if (kind === "done") return this.#thank(this.#form.page.thanks, "thanks", "arrived");
    if (kind === "later" && kept) return this.#wait();
    if (kind === "later") return this.#say(say("noRoom"));
    store.drop("submissions", entry.id).catch(() => {});
    if (kind === "refused") return this.#refused(answer);
    this.#say(reason(answer) ? `${reason(answer)} ${say("keptHere")}` : say("notTaken"));
  }

  #refused({ errors, detail }) {
    const { survey } = this.#form;
    this.#say("");
    const rest = place(survey, errors);
    show(survey, at("problems"), errors.length ? rest : [detail ?? say("notTaken")]);
    survey.getAllQuestions(false, false, true).find((question) => question.errors.length)?.focus(true);
  }

  #wait() {
    this.#thank(null, "savedHere", "willBeSent");
    this.showWaiting();
    askToSend();
    this.#flushLater();
  }

  // "online" does not fire when only the server was away.
  #flushLater() {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#flush(), RETRY);
  }

  async #flush() {
    clearTimeout(this.#retry);
    if (this.#busy) return;
    await outbox.flush().catch(() => {});
    const waiting = await this.showWaiting();
    if (waiting.some((one) => !one.problem)) this.#flushLater();
  }

  showWaiting() {
    return showWaiting(at("waiting"), this.#form.page.base, (entry) => this.#takeBack(entry));
  }

  /** A refused submission goes back into the form, under its own id. */
  async #takeBack(entry) {
    const { draft, page } = this.#form;
    if (draft.data) return this.#say(say("first"));
    draft.keep({ clientId: entry.id, versionId: entry.versionId, data: entry.draft, seen: entry.rows });
    await store.drop("submissions", entry.id);
    location.assign(page.base);
  }

  #say(text) {
    at("banner").textContent = text;
    at("banner").hidden = text === "";
  }

  #thank(own, title, about) {
    this.#form.draft.renew();
    this.#say("");
    const heading = at("thanks").querySelector("h1");
    told(heading, title);
    told(at("thanks").querySelector(".about"), about);
    if (own) heading.textContent = inWords(own);
    at("thanks").classList.toggle("waits", title === "savedHere");
    at("filling").hidden = true;
    at("thanks").hidden = false;
    heading.focus();
    scrollTo(0, 0);
  }

  #again() {
    const { page } = this.#form;
    // The newest version, should this one be older; an empty form, should this be what was sent before.
    if (location.search) return location.assign(page.base);
    at("thanks").hidden = true;
    at("filling").hidden = false;
    scrollTo(0, 0);
    this.#form.again();
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function told(element, word) {
  element.dataset.word = word;
  element.textContent = say(word);
}
