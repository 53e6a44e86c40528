// Submitting: stored on this device first, then sent to the server, and deleted only when it has arrived.

import { isAnswered } from "./rule_inputs.js";
import { noteAnswered, wasAnswered } from "./device_id.js";
import { Draft } from "./draft.js";
import { Handing } from "./outbox_submission.js";
import { keepLastSaved } from "./last_saved_answers.js";
import { allHere } from "./local_files.js";
import { askToSend, forgetPage } from "./offline_page.js";
import { press } from "./press_listener.js";
import { showRefused, validate } from "./error_list.js";
import { showChangeLink } from "./return_link.js";
import { showScore } from "./quiz_results.js";
import { inWords, reason, say } from "./texts.js";
import { showWaiting } from "./waiting_submissions.js";

const { outbox, store } = globalThis.formwright;
const RETRY = 15_000;
const LONGEST = 3_600_000;
const at = (id) => document.getElementById(id);

export class Sending {
  #form;
  #handing;
  #busy = false;
  /** The id of the submission that the page announced. */
  #waiting = null;
  /** The id of the submission that this page sent last. */
  #own = null;
  #retry = null;

  constructor(form) {
    this.#form = form;
    this.#handing = new Handing(form);
  }

  settleOld() {
    return this.#handing.settleOld();
  }

  async begin() {
    press(at("send"), () => this.send());
    at("again").addEventListener("click", () => this.#again());
    addEventListener("online", () => this.#flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#flush());
    new BroadcastChannel("formwright").addEventListener("message", ({ data }) => this.#heard(data));
    document.addEventListener(
      "formwright:languagechange",
      () => at("score").hidden || showScore(at("score"), this.#form),
    );
    if (this.#form.page.preview) return;
    await this.#flush();
    await this.#checkDevice();
  }

  /** A form that accepts one response per device is not shown again after it. */
  async #checkDevice() {
    const { page } = this.#form;
    if (!page.onePerDevice || page.again || !(await wasAnswered(page.deviceBase))) return;
    at("filling").hidden = true;
    at("thanks").hidden = false;
    at("again").hidden = true;
    setText(at("thanks").querySelector("h1"), "answeredTitle");
    setText(at("thanks").querySelector(".about"), "deviceAnswered");
  }

  async send() {
    // A second press may end when the first has submitted everything: it would create a second submission.
    if (this.#busy || at("filling").hidden) return;
    this.#busy = true;
    at("send").setAttribute("aria-disabled", "true");
    await this.#attempt();
    at("send").removeAttribute("aria-disabled");
    this.#busy = false;
  }

  async #attempt() {
    const { survey, judge } = this.#form;
    await allHere();
    await this.#form.calculated.ready();
    judge.settle();
    const sound = validate(survey, judge, at("problems"));
    if (!sound) return;
    if (this.#form.page.preview) return this.#thank();
    await this.#form.audit?.attach();
    this.#form.tell("submitting");
    const answer = await this.#handing.over();
    this.#own = answer.entry.id;
    await this.#answered(answer);
  }

  async #answered({ kind, kept, entry, ...answer }) {
    const gone = kind === "done" || (kind === "later" && kept);
    this.#form.tell(gone ? "" : kind === "later" ? "notSavedOnDevice" : "savedOnDevice");
    if (gone) keepLastSaved(this.#form.page, this.#form.judge.answers);
    if (kind === "done") return this.#thank(null, answer);
    if (kind === "later" && kept) return this.#wait(entry, answer);
    if (kind === "later") return this.#say(say(answer.busy ? "busyNotSaved" : "offlineNotSaved"));
    await store.drop("submissions", entry.id).catch(() => {});
    if (kind === "refused") return this.#refused(answer);
    if (answer.code === "submission.saved_elsewhere") return this.#form.tellSavedElsewhere();
    if (this.#isOther(answer)) return this.#sendApart(entry);
    const stays = this.#form.kept ? say("answersOnDevice") : `${say("notSavedOnDevice")}.`;
    this.#say(reason(answer) ? `${reason(answer)} ${stays}` : say("submitFailed"));
  }

  /** Another tab has submitted other answers; a form that one person fills in once accepts no second submission. */
  #isOther({ code }) {
    return code === "submission.submitted_already" && !this.#form.page.once;
  }

  async #sendApart({ data }) {
    await this.#handing.apart();
    for (const local of outbox.locals(data)) await store.drop("files", local).catch(() => {});
    this.#say(say("submitSeparately"));
  }

  #refused({ errors, detail }) {
    this.#say("");
    showRefused(this.#form.survey, at("problems"), errors, detail);
  }

  #wait({ id }, { busy, wait }) {
    this.#thank(busy ? "busy" : "submitsOnline");
    this.#waiting = id;
    this.showWaiting();
    askToSend();
    this.#flushLater(wait);
  }

  // "online" does not fire if only the server was down. The random second spreads out phones that wait for the same moment.
  #flushLater(wait = 0) {
    clearTimeout(this.#retry);
    const pause = Math.max(RETRY, Math.min(wait * 1000, LONGEST)) + Math.random() * 1000;
    this.#retry = setTimeout(() => this.#flush(), pause);
  }

  async #flush() {
    clearTimeout(this.#retry);
    if (this.#busy) return;
    const wait = await outbox.flush().catch(() => 0);
    const waiting = await this.showWaiting();
    if (waiting.some((one) => !one.problem)) this.#flushLater(wait);
  }

  async showWaiting() {
    const waiting = await showWaiting(at("waiting"), this.#form.page.base, (entry) => this.#takeBack(entry));
    if (waiting.some(({ id, problem }) => problem && id === this.#waiting)) this.#tellRefused();
    return waiting;
  }

  /** The announced submission was rejected. */
  #tellRefused() {
    this.#waiting = null;
    setText(at("thanks").querySelector("h1"), "rejected");
    setText(at("thanks").querySelector(".about"), "submitFailed");
    at("score").hidden = true;
  }

  /** A rejected submission goes back into the form, with its own id. */
  async #takeBack(entry) {
    const { page } = this.#form;
    // Only on the form's own page: this page may be editing something else.
    const draft = page.again ? new Draft(page.base) : this.#form.draft;
    if (this.#isBegun(draft)) return this.#say(say("submitCurrentFirst"));
    const kept = draft.keep({
      clientId: entry.id,
      versionId: entry.versionId,
      data: entry.draft,
      seen: entry.rows,
      audit: entry.audit,
    });
    if (!kept) return this.#say(say("notSavedOnDevice"));
    await store.drop("submissions", entry.id);
    location.assign(page.base);
  }

  /** Return whether the user has answered anything; defaults are no answers. */
  #isBegun({ data }) {
    const { judge, survey } = this.#form;
    const own = ([name, value]) =>
      !isBlank(value) && !judge.step(name)?.calculate && !isDefault(survey.getQuestionByName(name), value);
    return Object.entries(data ?? {}).some(own);
  }

  #say(text) {
    at("banner").textContent = text;
    at("banner").hidden = text === "";
  }

  /** This page, another page or the service worker has sent something. */
  async #heard({ sent, answer }) {
    await this.showWaiting();
    if (!sent || this.#busy) return;
    if (sent === this.#waiting) {
      this.#waiting = null;
      this.#tellSent(null, answer);
    } else if (sent !== this.#own || !at("filling").hidden) this.#form.tell("savedSubmitted");
  }

  /** `waits` is the message why it waits on this device; without one it has arrived. */
  #thank(waits, answer) {
    const { page } = this.#form;
    if (page.onePerDevice) noteAnswered(page.deviceBase);
    at("again").hidden = page.once || page.onePerDevice;
    showScore(at("score"), this.#form);
    this.#form.draft.renew();
    this.#say("");
    this.#tellSent(waits, answer);
    at("filling").hidden = true;
    at("thanks").hidden = false;
    at("thanks").querySelector("h1").focus();
    scrollTo(0, 0);
    // Only what has arrived leads on: otherwise nobody would see that it waits.
    if (page.redirect && !waits) this.#leadOn(page.redirect);
  }

  /** Open the next page; if there is a score to read, when the person wants to. */
  #leadOn(address) {
    if (at("score").hidden) return location.assign(address);
    Object.assign(at("go-on"), { href: address, hidden: false });
  }

  #tellSent(waits, { link, linkEnds } = {}) {
    const { thanks, once, preview } = this.#form.page;
    if (once && !waits) forgetPage();
    const heading = at("thanks").querySelector("h1");
    setText(heading, waits ? "savedTitle" : "thanks");
    setText(at("thanks").querySelector(".about"), waits ?? (preview ? "previewOnly" : "received"));
    if (thanks && !waits) heading.textContent = inWords(thanks);
    at("thanks").classList.toggle("is-waiting", Boolean(waits));
    if (link) showChangeLink(at("return"), link, linkEnds);
  }

  #again() {
    const { page } = this.#form;
    // The newest version, if this one is older; an empty form, if this is a submitted one.
    if (location.search) return location.assign(page.base);
    this.#waiting = null;
    at("thanks").hidden = true;
    at("return").hidden = true;
    at("filling").hidden = false;
    scrollTo(0, 0);
    this.#form.again();
  }
}

const isBlank = (value) => !isAnswered(value) || (typeof value === "object" && Object.values(value).every(isBlank));
const isDefault = (question, value) => JSON.stringify(question?.defaultValue) === JSON.stringify(value);

function setText(element, word) {
  element.dataset.word = word;
  element.textContent = say(word);
}
