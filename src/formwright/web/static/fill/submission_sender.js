// Submitting: stored on this device first, then sent to the server, and deleted only when it has arrived.

import { byId } from "./dom.js";
import { isAnswered } from "./rule_inputs.js";
import { markAnswered, hasAnswered } from "./device_id.js";
import { Draft } from "./draft.js";
import { OutboxSubmission } from "./outbox_submission.js";
import { storeLastSavedAnswers } from "./last_saved_answers.js";
import { waitForPendingFiles } from "./local_files.js";
import { requestBackgroundSync, removePage } from "./offline_page.js";
import { addPressListener } from "./press_listener.js";
import { showRejection, validateForm } from "./error_list.js";
import { showChangeLink } from "./return_link.js";
import { showQuizResults } from "./quiz_results.js";
import { localizedLabel, rejectionText, t } from "./texts.js";
import { showWaitingSubmissions } from "./waiting_submissions.js";

const { outbox, store } = globalThis.formwright;
const RETRY_MS = 15_000;
const MAX_RETRY_MS = 3_600_000;

export class SubmissionSender {
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
    this.#handing = new OutboxSubmission(form);
  }

  settleOld() {
    return this.#handing.settleOld();
  }

  async begin() {
    addPressListener(byId("send"), () => this.send());
    byId("again").addEventListener("click", () => this.#again());
    addEventListener("online", () => this.#flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#flush());
    new BroadcastChannel("formwright").addEventListener("message", ({ data }) => this.#heard(data));
    document.addEventListener(
      "formwright:languagechange",
      () => byId("score").hidden || showQuizResults(byId("score"), this.#form),
    );
    if (this.#form.page.preview) return;
    await this.#flush();
    await this.#checkDevice();
  }

  /** A form that accepts one response per device is not shown again after it. */
  async #checkDevice() {
    const { page } = this.#form;
    if (!page.onePerDevice || page.again || !(await hasAnswered(page.deviceBase))) return;
    byId("filling").hidden = true;
    byId("thanks").hidden = false;
    byId("again").hidden = true;
    setText(byId("thanks").querySelector("h1"), "answeredTitle");
    setText(byId("thanks").querySelector(".about"), "deviceAnswered");
  }

  async send() {
    // A second press may end when the first has submitted everything: it would create a second submission.
    if (this.#busy || byId("filling").hidden) return;
    this.#busy = true;
    byId("send").setAttribute("aria-disabled", "true");
    await this.#attempt();
    byId("send").removeAttribute("aria-disabled");
    this.#busy = false;
  }

  async #attempt() {
    const { survey, judge } = this.#form;
    await waitForPendingFiles();
    await this.#form.calculated.ready();
    judge.settle();
    const sound = validateForm(survey, judge, byId("problems"));
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
    if (gone) storeLastSavedAnswers(this.#form.page, this.#form.judge.answers);
    if (kind === "done") return this.#thank(null, answer);
    if (kind === "later" && kept) return this.#wait(entry, answer);
    if (kind === "later") return this.#say(t(answer.busy ? "busyNotSaved" : "offlineNotSaved"));
    await store.drop("submissions", entry.id).catch(() => {});
    if (kind === "refused") return this.#refused(answer);
    if (answer.code === "submission.saved_elsewhere") return this.#form.tellSavedElsewhere();
    if (this.#isOther(answer)) return this.#sendApart(entry);
    const stays = this.#form.kept ? t("answersOnDevice") : `${t("notSavedOnDevice")}.`;
    this.#say(rejectionText(answer) ? `${rejectionText(answer)} ${stays}` : t("submitFailed"));
  }

  /** Another tab has submitted other answers; a form that one person fills in once accepts no second submission. */
  #isOther({ code }) {
    return code === "submission.submitted_already" && !this.#form.page.once;
  }

  async #sendApart({ data }) {
    await this.#handing.apart();
    for (const local of outbox.locals(data)) await store.drop("files", local).catch(() => {});
    this.#say(t("submitSeparately"));
  }

  #refused({ errors, detail }) {
    this.#say("");
    showRejection(this.#form.survey, byId("problems"), errors, detail);
  }

  #wait({ id }, { busy, wait }) {
    this.#thank(busy ? "busy" : "submitsOnline");
    this.#waiting = id;
    this.showWaiting();
    requestBackgroundSync();
    this.#flushLater(wait);
  }

  // "online" does not fire if only the server was down. The random second spreads out phones that wait for the same moment.
  #flushLater(wait = 0) {
    clearTimeout(this.#retry);
    const pause = Math.max(RETRY_MS, Math.min(wait * 1000, MAX_RETRY_MS)) + Math.random() * 1000;
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
    const waiting = await showWaitingSubmissions(byId("waiting"), this.#form.page.base, (entry) =>
      this.#takeBack(entry),
    );
    if (waiting.some(({ id, problem }) => problem && id === this.#waiting)) this.#tellRefused();
    return waiting;
  }

  /** The announced submission was rejected. */
  #tellRefused() {
    this.#waiting = null;
    setText(byId("thanks").querySelector("h1"), "rejected");
    setText(byId("thanks").querySelector(".about"), "submitFailed");
    byId("score").hidden = true;
  }

  /** A rejected submission goes back into the form, with its own id. */
  async #takeBack(entry) {
    const { page } = this.#form;
    // Only on the form's own page: this page may be editing something else.
    const draft = page.again ? new Draft(page.base) : this.#form.draft;
    if (this.#isBegun(draft)) return this.#say(t("submitCurrentFirst"));
    const kept = draft.keep({
      clientId: entry.id,
      versionId: entry.versionId,
      data: entry.draft,
      seen: entry.rows,
      audit: entry.audit,
    });
    if (!kept) return this.#say(t("notSavedOnDevice"));
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
    byId("banner").textContent = text;
    byId("banner").hidden = text === "";
  }

  /** This page, another page or the service worker has sent something. */
  async #heard({ sent, answer }) {
    await this.showWaiting();
    if (!sent || this.#busy) return;
    if (sent === this.#waiting) {
      this.#waiting = null;
      this.#tellSent(null, answer);
    } else if (sent !== this.#own || !byId("filling").hidden) this.#form.tell("savedSubmitted");
  }

  /** `waits` is the message why it waits on this device; without one it has arrived. */
  #thank(waits, answer) {
    const { page } = this.#form;
    if (page.onePerDevice) markAnswered(page.deviceBase);
    byId("again").hidden = page.once || page.onePerDevice;
    showQuizResults(byId("score"), this.#form);
    this.#form.draft.renew();
    this.#say("");
    this.#tellSent(waits, answer);
    byId("filling").hidden = true;
    byId("thanks").hidden = false;
    byId("thanks").querySelector("h1").focus();
    scrollTo(0, 0);
    // Only what has arrived leads on: otherwise nobody would see that it waits.
    if (page.redirect && !waits) this.#leadOn(page.redirect);
  }

  /** Open the next page; if there is a score to read, when the person wants to. */
  #leadOn(address) {
    if (byId("score").hidden) return location.assign(address);
    Object.assign(byId("go-on"), { href: address, hidden: false });
  }

  #tellSent(waits, { link, linkEnds } = {}) {
    const { thanks, once, preview } = this.#form.page;
    if (once && !waits) removePage();
    const heading = byId("thanks").querySelector("h1");
    setText(heading, waits ? "savedTitle" : "thanks");
    setText(byId("thanks").querySelector(".about"), waits ?? (preview ? "previewOnly" : "received"));
    if (thanks && !waits) heading.textContent = localizedLabel(thanks);
    byId("thanks").classList.toggle("is-waiting", Boolean(waits));
    if (link) showChangeLink(byId("return"), link, linkEnds);
  }

  #again() {
    const { page } = this.#form;
    // The newest version, if this one is older; an empty form, if this is a submitted one.
    if (location.search) return location.assign(page.base);
    this.#waiting = null;
    byId("thanks").hidden = true;
    byId("return").hidden = true;
    byId("filling").hidden = false;
    scrollTo(0, 0);
    this.#form.again();
  }
}

const isBlank = (value) => !isAnswered(value) || (typeof value === "object" && Object.values(value).every(isBlank));
const isDefault = (question, value) => JSON.stringify(question?.defaultValue) === JSON.stringify(value);

function setText(element, word) {
  element.dataset.word = word;
  element.textContent = t(word);
}
