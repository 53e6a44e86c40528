// How long each question took, as ODK's audit.csv: a file of the submission, if the form has a field for it.

import { storeFile, deleteFile } from "./local_files.js";
import { answerPath } from "./rule_evaluator.js";

/** @import { FormSession } from "./types.js" */

const MAX_EVENTS = 3000;
const COLUMNS = "event,node,start,end";

/** Records when questions are answered. A question lasts until another one gets the focus, or the page is left. */
export class AuditLog {
  #form;
  #events = [];
  /** The id of the draft that the events are about. */
  #draftId;
  /** The question that is being answered: {node, start}. */
  #current = null;
  /** The question that was being answered when the page was left. */
  #nodeBeforeExit = null;

  /** @param {FormSession} form */
  constructor(form) {
    this.#form = form;
  }

  /** Record from now on: a new form, or the draft of this device. */
  start() {
    this.#current = this.#nodeBeforeExit = null;
    this.#draftId = this.#form.draft.clientId;
    this.#events = [...this.#form.draft.audit];
    this.#recordEvent(this.#events.length ? "form resume" : "form start");
    this.#startOnlyQuestion();
  }

  addListeners(area) {
    for (const event of ["focusin", "pointerdown"])
      area.addEventListener(event, ({ target }) => this.#startQuestion(this.#findQuestion(target)));
    this.#form.survey.onCurrentPageChanged.add(() => {
      this.#endQuestion();
      this.#startOnlyQuestion();
    });
    document.addEventListener("visibilitychange", () =>
      document.visibilityState === "hidden" ? this.#recordExit() : this.#recordResume(),
    );
    addEventListener("pagehide", () => this.#recordExit());
  }

  /** Attach the file to the answers, instead of one of an earlier attempt. */
  async attachFile() {
    const { survey, evaluator, page } = this.#form;
    this.#endQuestion();
    const before = survey.getValue(page.audit) ?? [];
    const csv = toCsv([...this.#events, ["form finalize", "", Date.now(), ""]]);
    const id = await storeFile({ name: page.audit }, "audit.csv", new Blob([csv], { type: "text/csv" }));
    survey.setValue(page.audit, [id]);
    await Promise.all(before.map(deleteFile));
    // A rule may hide the field.
    if (!evaluator.answers[page.audit]) await deleteFile(id);
  }

  #findQuestion(target) {
    const id = target.closest?.("[data-name]")?.id;
    return id && this.#form.survey.getAllQuestions(false, false, true).find((question) => question.id === id);
  }

  #startQuestion(question) {
    const node = question && hasInput(question) ? xpathOf(question, this.#form.evaluator) : null;
    if (!node || node === this.#current?.node) return;
    this.#endQuestion();
    this.#current = { node, start: Date.now() };
  }

  /** People need not touch a question that is alone on its page. */
  #startOnlyQuestion() {
    const questions = this.#form.survey.currentPage?.questions ?? [];
    const [first, ...others] = questions.filter((question) => question.isVisible && question.getType() !== "html");
    if (!others.length) this.#startQuestion(first);
  }

  #endQuestion() {
    if (this.#current)
      this.#recordEvent("question", this.#current.node, this.#current.start, Math.max(Date.now(), this.#current.start));
    this.#current = null;
  }

  // Both the tab and the page may be reported as left.
  #recordExit() {
    if (this.#events.at(-1)?.[0] === "form exit") return;
    this.#nodeBeforeExit = this.#current?.node ?? null;
    this.#endQuestion();
    this.#recordEvent("form exit");
    if (this.#form.draft.data) this.#form.draft.save({});
  }

  #recordResume() {
    this.#recordEvent("form resume");
    if (this.#nodeBeforeExit) this.#current = { node: this.#nodeBeforeExit, start: Date.now() };
  }

  /**
   * Add an event; `end` is empty for those that take no time.
   * @param {string} event
   * @param {string} node
   * @param {number} start
   * @param {number | ""} end
   */
  // Stored with the next answer, so that opening a form leaves nothing behind. After submitting, there is another draft.
  #recordEvent(event, node = "", start = Date.now(), end = "") {
    if (this.#form.draft.clientId !== this.#draftId) return;
    if (this.#events.length < MAX_EVENTS) this.#events.push([event, node, start, end]);
    this.#form.draft.recordAudit(this.#events);
  }
}

const hasInput = (question) => !["html", "paneldynamic"].includes(question.getType());

/** The path of a question as XLSForm has it, such as `/data/house/person[2]/age`. */
function xpathOf(question, evaluator) {
  const parts = [];
  for (const part of answerPath(question)) {
    if (typeof part === "number") parts.push(`${parts.pop()}[${part + 1}]`);
    else parts.push(...evaluator.findStep(part).sections, part);
  }
  return `/data/${parts.join("/")}`;
}

// Names and numbers need no quotes.
const toCsv = (events) => [COLUMNS, ...events.map((event) => event.join(","))].map((line) => `${line}\n`).join("");
