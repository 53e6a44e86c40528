// How long each question took, as ODK's audit.csv: a file of the submission, if the form has a field for it.

import { storeFile, deleteFile } from "./local_files.js";
import { answerPath } from "./rule_evaluator.js";

const MAX_EVENTS = 3000;
const COLUMNS = "event,node,start,end";

/** Records when questions are answered. A question lasts until another one gets the focus, or the page is left. */
export class AuditLog {
  #form;
  #events = [];
  /** The id of the draft that the events are about. */
  #id;
  /** The question that is being answered: {node, start}. */
  #open = null;
  /** The question that was being answered when the page was left. */
  #left = null;

  constructor(form) {
    this.#form = form;
  }

  /** Record from now on: a new form, or the draft of this device. */
  begin() {
    this.#open = this.#left = null;
    this.#id = this.#form.draft.clientId;
    this.#events = [...this.#form.draft.audit];
    this.#add(this.#events.length ? "form resume" : "form start");
    this.#enterOnly();
  }

  listen(area) {
    for (const event of ["focusin", "pointerdown"])
      area.addEventListener(event, ({ target }) => this.#enter(this.#find(target)));
    this.#form.survey.onCurrentPageChanged.add(() => {
      this.#leave();
      this.#enterOnly();
    });
    document.addEventListener("visibilitychange", () =>
      document.visibilityState === "hidden" ? this.#exit() : this.#resume(),
    );
    addEventListener("pagehide", () => this.#exit());
  }

  /** Attach the file to the answers, instead of one of an earlier attempt. */
  async attach() {
    const { survey, judge, page } = this.#form;
    this.#leave();
    const before = survey.getValue(page.audit) ?? [];
    const csv = toCsv([...this.#events, ["form finalize", "", Date.now(), ""]]);
    const id = await storeFile({ name: page.audit }, "audit.csv", new Blob([csv], { type: "text/csv" }));
    survey.setValue(page.audit, [id]);
    await Promise.all(before.map(deleteFile));
    // A rule may hide the field.
    if (!judge.answers[page.audit]) await deleteFile(id);
  }

  #find(target) {
    const id = target.closest?.("[data-name]")?.id;
    return id && this.#form.survey.getAllQuestions(false, false, true).find((question) => question.id === id);
  }

  #enter(question) {
    const node = question && isAsked(question) ? xpathOf(question, this.#form.judge) : null;
    if (!node || node === this.#open?.node) return;
    this.#leave();
    this.#open = { node, start: Date.now() };
  }

  /** People need not touch a question that is alone on its page. */
  #enterOnly() {
    const questions = this.#form.survey.currentPage?.questions ?? [];
    const [first, ...others] = questions.filter((question) => question.isVisible && question.getType() !== "html");
    if (!others.length) this.#enter(first);
  }

  #leave() {
    if (this.#open) this.#add("question", this.#open.node, this.#open.start, Math.max(Date.now(), this.#open.start));
    this.#open = null;
  }

  // Both the tab and the page may be reported as left.
  #exit() {
    if (this.#events.at(-1)?.[0] === "form exit") return;
    this.#left = this.#open?.node ?? null;
    this.#leave();
    this.#add("form exit");
    if (this.#form.draft.data) this.#form.draft.keep({});
  }

  #resume() {
    this.#add("form resume");
    if (this.#left) this.#open = { node: this.#left, start: Date.now() };
  }

  // Stored with the next answer, so that opening a form leaves nothing behind. After submitting, there is another draft.
  #add(event, node = "", start = Date.now(), end = "") {
    if (this.#form.draft.clientId !== this.#id) return;
    if (this.#events.length < MAX_EVENTS) this.#events.push([event, node, start, end]);
    this.#form.draft.recorded(this.#events);
  }
}

const isAsked = (question) => !["html", "paneldynamic"].includes(question.getType());

/** The path of a question as XLSForm has it, such as `/data/house/person[2]/age`. */
function xpathOf(question, judge) {
  const parts = [];
  for (const part of answerPath(question)) {
    if (typeof part === "number") parts.push(`${parts.pop()}[${part + 1}]`);
    else parts.push(...judge.step(part).sections, part);
  }
  return `/data/${parts.join("/")}`;
}

// Names and numbers need no quotes.
const toCsv = (events) => [COLUMNS, ...events.map((event) => event.join(","))].map((line) => `${line}\n`).join("");
