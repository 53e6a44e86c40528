// Submits the form: stored on this device first, then sent to the server, and deleted only when it has arrived.

import { byId } from "./dom.js";
import { isAnswered } from "./rule_inputs.js";
import { markAnswered, hasAnswered } from "./device_id.js";
import { Draft } from "./draft.js";
import { OutboxSubmission } from "./outbox_submission.js";
import { storeLastSavedAnswers } from "./last_saved_answers.js";
import { waitForPendingWork } from "./local_files.js";
import { requestBackgroundSync, removePage } from "./offline_page.js";
import { addPressListener } from "./press_listener.js";
import { loadPatternEngine } from "./patterns.js";
import { showRejection, validateForm } from "./error_list.js";
import { showChangeLink } from "./return_link.js";
import { showQuizResults } from "./quiz_results.js";
import { localizedLabel, rejectionText, t } from "./texts.js";
import { showWaitingSubmissions } from "./waiting_submissions.js";
import * as outbox from "./shared/outbox.js";
import * as outboxStorage from "./shared/outbox_storage.js";

/** @import { ApiResult, FormSession, OutboxEntry } from "./types.js" */

const RETRY_MS = 15_000;
const MAX_RETRY_MS = 3_600_000;

/** Submits the form of a session through the outbox, and shows what has become of it. */
export class SubmissionSender {
  #form;
  #submission;
  #isSubmitting = false;
  /** The id of the submission that the page announced. */
  #announcedId = null;
  /** The id of the submission that this page sent last. */
  #lastSentId = null;
  #retryTimer = null;

  /** @param {FormSession} form */
  constructor(form) {
    this.#form = form;
    this.#submission = new OutboxSubmission(form);
  }

  detachSubmittedDraft() {
    return this.#submission.detachSubmittedDraft();
  }

  async start() {
    addPressListener(byId("send"), () => this.submit());
    byId("again").addEventListener("click", () => this.#startNewResponse());
    addEventListener("online", () => this.#flushOutbox());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#flushOutbox());
    new BroadcastChannel("formwright").addEventListener("message", ({ data }) => this.#handleOutboxMessage(data));
    document.addEventListener(
      "formwright:languagechange",
      () => byId("score").hidden || showQuizResults(byId("score"), this.#form),
    );
    if (this.#form.page.preview) return;
    await this.#flushOutbox();
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

  async submit() {
    // A second press may end when the first has submitted everything: it would create a second submission.
    if (this.#isSubmitting || byId("filling").hidden) return;
    this.#isSubmitting = true;
    byId("send").setAttribute("aria-disabled", "true");
    await this.#validateAndSubmit();
    byId("send").removeAttribute("aria-disabled");
    this.#isSubmitting = false;
  }

  async #validateAndSubmit() {
    const { survey, evaluator } = this.#form;
    await waitForPendingWork();
    await this.#form.calculatedLookups.waitUntilLoaded();
    // Without it, the server checks patterns.
    if (this.#form.page.patterns) await loadPatternEngine().catch(() => {});
    evaluator.evaluate();
    if (!validateForm(survey, evaluator, byId("problems"))) return;
    if (this.#form.page.preview) return this.#showThanks();
    await this.#form.audit?.attachFile();
    this.#form.showStatus("submitting");
    const result = await this.#submission.submit();
    this.#lastSentId = result.entry.id;
    await this.#handleResult(result);
  }

  /** @param {ApiResult & { isStored: boolean, entry: OutboxEntry }} result */
  async #handleResult({ kind, isStored, entry, ...result }) {
    const isGone = kind === "done" || (kind === "later" && isStored);
    this.#form.showStatus(isGone ? "" : kind === "later" ? "notSavedOnDevice" : "savedOnDevice");
    if (isGone) storeLastSavedAnswers(this.#form.page, this.#form.evaluator.answers);
    if (kind === "done") return this.#showThanks(null, result);
    if (kind === "later" && isStored) return this.#showThatItWaits(entry, result);
    if (kind === "later") return this.#showMessage(t(result.busy ? "busyNotSaved" : "offlineNotSaved"));
    await outboxStorage.remove("submissions", entry.id).catch(() => {});
    if (kind === "refused") return this.#showErrors(result);
    if (result.code === "submission.saved_elsewhere") return this.#form.showSavedElsewhere();
    if (this.#isSubmittedElsewhere(result)) return this.#continueAsNew(entry);
    const storageText = this.#form.isStored ? t("answersOnDevice") : `${t("notSavedOnDevice")}.`;
    this.#showMessage(rejectionText(result) ? `${rejectionText(result)} ${storageText}` : t("submitFailed"));
  }

  /**
   * Another tab has submitted other answers; a form that one person fills in once accepts no second submission.
   * @param {Partial<ApiResult>} result
   */
  #isSubmittedElsewhere({ code }) {
    return code === "submission.submitted_already" && !this.#form.page.once;
  }

  async #continueAsNew({ data }) {
    await this.#submission.continueAsNew();
    for (const id of outbox.findLocalFiles(data)) await outboxStorage.remove("files", id).catch(() => {});
    this.#showMessage(t("submitSeparately"));
  }

  /** @param {Partial<ApiResult>} result */
  #showErrors({ errors, detail }) {
    this.#showMessage("");
    showRejection(this.#form.survey, byId("problems"), errors, detail);
  }

  /**
   * @param {OutboxEntry} entry
   * @param {Partial<ApiResult>} result
   */
  #showThatItWaits({ id }, { busy, wait }) {
    this.#showThanks(busy ? "busy" : "submitsOnline");
    this.#announcedId = id;
    this.#showWaiting();
    requestBackgroundSync();
    this.#scheduleFlush(wait);
  }

  // "online" does not fire if only the server was down. The random second spreads out phones that wait for the same moment.
  #scheduleFlush(wait = 0) {
    clearTimeout(this.#retryTimer);
    const pause = Math.max(RETRY_MS, Math.min(wait * 1000, MAX_RETRY_MS)) + Math.random() * 1000;
    this.#retryTimer = setTimeout(() => this.#flushOutbox(), pause);
  }

  async #flushOutbox() {
    clearTimeout(this.#retryTimer);
    if (this.#isSubmitting) return;
    const wait = await outbox.flush().catch(() => 0);
    const waiting = await this.#showWaiting();
    if (waiting.some((one) => !one.problem)) this.#scheduleFlush(wait);
  }

  updateTexts() {
    return this.#showWaiting();
  }

  async #showWaiting() {
    const waiting = await showWaitingSubmissions(byId("waiting"), this.#form.page.base, (entry) =>
      this.#reopenRejected(entry),
    );
    if (waiting.some(({ id, problem }) => problem && id === this.#announcedId)) this.#showAnnouncedRejected();
    return waiting;
  }

  /** The announced submission was rejected. */
  #showAnnouncedRejected() {
    this.#announcedId = null;
    setText(byId("thanks").querySelector("h1"), "rejected");
    setText(byId("thanks").querySelector(".about"), "submitFailed");
    byId("score").hidden = true;
  }

  /** A rejected submission goes back into the form, with its own id. */
  async #reopenRejected(entry) {
    const { page } = this.#form;
    // Only on the form's own page: this page may be editing something else.
    const draft = page.again ? new Draft(page.base) : this.#form.draft;
    if (this.#hasOwnAnswers(draft)) return this.#showMessage(t("submitCurrentFirst"));
    const isStored = draft.save({
      clientId: entry.id,
      versionId: entry.versionId,
      data: entry.draft,
      seen: entry.rows,
      audit: entry.audit,
    });
    if (!isStored) return this.#showMessage(t("notSavedOnDevice"));
    await outboxStorage.remove("submissions", entry.id);
    location.assign(page.base);
  }

  /** Return whether the user has answered anything; defaults are no answers. */
  #hasOwnAnswers({ data }) {
    const { evaluator, survey } = this.#form;
    const isOwn = ([name, value]) =>
      !isBlank(value) && !evaluator.findStep(name)?.calculate && !isDefault(survey.getQuestionByName(name), value);
    return Object.entries(data ?? {}).some(isOwn);
  }

  #showMessage(text) {
    byId("banner").textContent = text;
    byId("banner").hidden = text === "";
  }

  /** This page, another page or the service worker has sent something. */
  async #handleOutboxMessage({ sent, answer: result }) {
    await this.#showWaiting();
    if (!sent || this.#isSubmitting) return;
    if (sent === this.#announcedId) {
      this.#announcedId = null;
      this.#showSent(null, result);
    } else if (sent !== this.#lastSentId || !byId("filling").hidden) this.#form.showStatus("savedSubmitted");
  }

  /**
   * `waitingText` is the key of the text why it waits on this device; without one it has arrived.
   * @param {string | null} [waitingText]
   * @param {Partial<ApiResult>} [result]
   */
  #showThanks(waitingText, result) {
    const { page } = this.#form;
    if (page.onePerDevice) markAnswered(page.deviceBase);
    byId("again").hidden = page.once || page.onePerDevice;
    showQuizResults(byId("score"), this.#form);
    this.#form.draft.startNew();
    this.#showMessage("");
    this.#showSent(waitingText, result);
    byId("filling").hidden = true;
    byId("thanks").hidden = false;
    byId("thanks").querySelector("h1").focus();
    scrollTo(0, 0);
    // Only what has arrived leads on: otherwise nobody would see that it waits.
    if (page.redirect && !waitingText) this.#openNextPage(page.redirect);
  }

  /** Open the next page; if there is a score to read, when the person wants to. */
  #openNextPage(address) {
    if (byId("score").hidden) return location.assign(address);
    Object.assign(byId("go-on"), { href: address, hidden: false });
  }

  /**
   * @param {string | null} waitingText
   * @param {Partial<ApiResult>} [result]
   */
  #showSent(waitingText, { link, linkEnds } = {}) {
    const { thanks, once, preview } = this.#form.page;
    if (once && !waitingText) removePage();
    const heading = byId("thanks").querySelector("h1");
    setText(heading, waitingText ? "savedTitle" : "thanks");
    setText(byId("thanks").querySelector(".about"), waitingText ?? (preview ? "previewOnly" : "received"));
    if (thanks && !waitingText) heading.textContent = localizedLabel(thanks);
    byId("thanks").classList.toggle("is-waiting", Boolean(waitingText));
    if (link) showChangeLink(byId("return"), link, linkEnds);
  }

  #startNewResponse() {
    const { page } = this.#form;
    // The newest version, if this one is older; an empty form, if this is a submitted one.
    if (location.search) return location.assign(page.base);
    this.#announcedId = null;
    byId("thanks").hidden = true;
    byId("return").hidden = true;
    byId("filling").hidden = false;
    scrollTo(0, 0);
    this.#form.startNewResponse();
  }
}

const isBlank = (value) => !isAnswered(value) || (typeof value === "object" && Object.values(value).every(isBlank));
const isDefault = (question, value) => JSON.stringify(question?.defaultValue) === JSON.stringify(value);

function setText(element, key) {
  element.dataset.word = key;
  element.textContent = t(key);
}
