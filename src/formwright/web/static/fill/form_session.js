// A form while it is filled in: changes are validated, stored and saved; the outbox submits it.

/** @import { PageData } from "./types.js" */
import { byId } from "./dom.js";
import { updateAccessibleNames } from "./accessibility.js";
import { AuditLog } from "./audit_log.js";
import { CalculatedLookups } from "./calculated_lookups.js";
import { chooseLanguage, loadLanguage, showLanguageSelect } from "./languages.js";
import { loadDigests } from "./digests.js";
import { loadPatternEngine } from "./patterns.js";
import { setFormOfFiles, withServerIds, deleteFiles } from "./local_files.js";
import { RuleEvaluator } from "./rule_evaluator.js";
import { LookupController } from "./lookup_controller.js";
import { setMediaLinks } from "./media.js";
import { renderRemainingRows, createSurvey, loadQuestionTypes } from "./survey_model.js";
import { shuffleOptions } from "./offered_options.js";
import { forgetNotices } from "./question_notices.js";
import { setUpPageNavigation } from "./page_navigation.js";
import { RepeatRowLoader } from "./repeat_row_loader.js";
import { fillStartLocation } from "./start_location.js";
import { showErrorList } from "./error_list.js";
import { ContinueLaterButton } from "./continue_later_button.js";
import { Draft } from "./draft.js";
import { DraftAutosave } from "./draft_autosave.js";
import { SubmissionSender } from "./submission_sender.js";
import { toPageAnswers } from "./answer_conversion.js";
import { t } from "./texts.js";

/**
 * Show a form in the language of the person, who can choose another one.
 * @param {PageData} page
 * @param {Draft} draft
 */
export async function openForm(page, draft, Submitter = SubmissionSender) {
  const languages = Object.keys(page.languages);
  const tag = chooseLanguage(languages, page.language);
  const rules = page.ruled ? import("./rule_compiler.js") : null;
  const hasAnswers = page.patternsAtOnce || (page.patterns && page.editor);
  const engines = [hasAnswers ? loadPatternEngine() : null, page.digests ? loadDigests() : null];
  await Promise.all([loadLanguage(tag, page), loadQuestionTypes(page), ...engines]);
  setMediaLinks(page.media);
  const session = new FormSession(page, draft, (await rules)?.compileRule, Submitter);
  await session.start(tag);
  // The engine is larger than most forms need at first, so that the first field is there before.
  if (page.patterns) loadPatternEngine().catch(() => {});
  showLanguageSelect(byId("language"), languages, tag, async (chosen) => {
    await loadLanguage(chosen, page);
    session.switchLanguage(chosen);
  });
}

class FormSession {
  #isActive = false;

  /** `Submitter` is the class that sends the answers: the outbox, or an editor of submitted answers. */
  constructor(page, draft, compileRule, Submitter) {
    this.page = page;
    this.draft = draft;
    this.survey = createSurvey(page.survey, page.language);
    if (page.correct) this.survey.getPageByName("welcome page")?.delete();
    this.evaluator = new RuleEvaluator(this.survey, page, compileRule);
    this.lookups = new LookupController(this.survey, this.evaluator, page, draft);
    this.repeatRowLoader = new RepeatRowLoader(this.survey, this.evaluator, this.lookups, !page.lookups.length);
    this.calculatedLookups = new CalculatedLookups(this.survey, this.evaluator, this.lookups, () =>
      this.#applyChange(),
    );
    this.autosave = new DraftAutosave(
      () => this.#buildSaveRequest(),
      (state) => this.showStatus(state),
    );
    this.submitter = new Submitter(this);
    // Only what happens while a form is filled in for the first time.
    const isFirst = !page.preview && !page.correct && !page.again;
    this.audit = isFirst && page.audit ? new AuditLog(this) : null;
    this.startLocation = isFirst && page.startLocation ? () => fillStartLocation(this) : null;
    this.editor = crypto.randomUUID();
    setFormOfFiles(page.base, page.versionId, Boolean(page.preview || page.correct));
  }

  async start(tag) {
    this.survey.locale = tag;
    await this.submitter.detachSubmittedDraft();
    if (this.page.begun)
      this.draft.mergeServerAnswers(this.page.begun, toPageAnswers(this.page.steps, this.page.prefill));
    this.restoreDraft();
    this.#addListeners();
    const parts = { progress: byId("progress"), back: byId("back"), next: byId("next"), send: byId("send") };
    this.updateNavigation = setUpPageNavigation(this.survey, parts, () => showErrorList(this.survey, byId("problems")));
    this.survey.render(byId("form"));
    this.survey.onCurrentPageChanged.add(() => renderRemainingRows(this.survey));
    renderRemainingRows(this.survey);
    this.showStatus("");
    this.audit?.addListeners(byId("form"));
    await this.submitter.start();
    if (byId("continue")) new ContinueLaterButton(this).start();
  }

  switchLanguage(tag) {
    this.survey.locale = tag;
    this.evaluator.evaluate();
    this.updateNavigation();
    this.showStatus(this.state);
    document.dispatchEvent(new Event("formwright:languagechange"));
    updateAccessibleNames(this.survey);
    if (!byId("problems").hidden) showErrorList(this.survey, byId("problems"));
    this.submitter.updateTexts();
  }

  /** Show the state of the answers at the top. "savedOnDevice" becomes "notSavedOnDevice" if the device stores nothing. */
  showStatus(name) {
    const state = name === "savedOnDevice" && !this.isStored ? "notSavedOnDevice" : name;
    this.state = state;
    const isOffline = !navigator.onLine && !["saving", "submitting"].includes(state);
    byId("state").textContent = isOffline ? t("offline") : state ? t(state) : "";
    byId("state").classList.toggle("is-offline", isOffline);
  }

  /** Show the empty form again. */
  startNewResponse() {
    this.#isActive = false;
    this.survey.clear(true, true);
    for (const question of this.survey.getAllQuestions()) {
      question.unread = undefined;
      forgetNotices(question);
    }
    this.restoreDraft();
    this.survey.focusFirstQuestion();
  }

  /** Show the stored draft, or the form's initial answers. */
  restoreDraft() {
    this.#isActive = false;
    // In a submission that is edited, options are where the form has them.
    if (!this.page.correct) shuffleOptions(this.survey, (name) => this.evaluator.findStep(name), this.draft.clientId);
    if (this.draft.data) this.survey.data = this.draft.data;
    // Fields left empty stay empty: defaults do not fill them again.
    else if (this.page.correct) this.survey.data = toPageAnswers(this.page.steps, this.page.prefill);
    else this.survey.mergeData(toPageAnswers(this.page.steps, this.page.prefill));
    this.evaluator.start(Boolean(this.draft.data || this.page.correct || this.page.begun));
    const page = this.survey.getPageByName(this.draft.page ?? this.page.position ?? "");
    if (page?.isVisible) this.survey.currentPage = page;
    this.#isActive = true;
    this.repeatRowLoader.keepExistingRows();
    this.repeatRowLoader.update();
    this.calculatedLookups.reset();
    this.calculatedLookups.update();
    this.audit?.start();
    this.startLocation?.();
  }

  #addListeners() {
    this.survey.onValueChanged.add((_, { name, value }) => this.#handleValueChange(this.survey, name, value));
    this.survey.onDynamicPanelValueChanged.add((_, { panel, name, value }) =>
      this.#handleValueChange(panel, name, value),
    );
    // A reload returns to the page on which the user was.
    this.survey.onCurrentPageChanged.add(
      () => this.draft.data && this.draft.save({ page: this.survey.currentPage.name }),
    );
    this.survey.onDynamicPanelAdded.add(() => this.#handleRowAdded());
    // A row that a person removed does not come back.
    this.survey.onDynamicPanelRemoved.add(
      (_, { panel }) =>
        this.#isActive && !this.evaluator.isApplying && deleteFiles(panel.questions.map(({ value }) => value)),
    );
    for (const change of ["online", "offline"]) addEventListener(change, () => this.showStatus(this.state));
    addEventListener("pagehide", () => this.autosave.saveBeforeUnload());
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "hidden" && this.autosave.saveBeforeUnload(),
    );
  }

  #handleValueChange(container, name, value) {
    if (!this.#isActive || this.evaluator.isApplying) return;
    this.lookups.handleChoice(container, name, value);
    this.#applyChange();
  }

  #handleRowAdded() {
    if (this.evaluator.isApplying) return;
    this.evaluator.evaluate();
    if (this.#isActive) this.calculatedLookups.update();
  }

  /** Apply the rules to changed answers, and keep them. */
  #applyChange() {
    this.evaluator.evaluate();
    this.repeatRowLoader.update();
    this.calculatedLookups.update();
    this.lookups.removeWithdrawnRows();
    if (this.page.preview || this.page.correct) return this.#updateErrorList();
    this.isStored = this.draft.save({ data: this.survey.data, versionId: this.page.versionId });
    this.autosave.scheduleSave();
    this.#updateErrorList();
  }

  // The changed field is validated again only after this event.
  #updateErrorList() {
    if (!byId("problems").hidden) setTimeout(() => showErrorList(this.survey, byId("problems")));
  }

  #buildSaveRequest() {
    const { page, draft } = this;
    const body = { versionId: page.versionId, data: withServerIds(this.evaluator.answers), ...this.editorState };
    const typed = structuredClone(this.survey.data);
    const onSaved = ({ revision }) => page.once && draft.recordSaved(revision, typed);
    const onRejected = ({ code }) => code === "submission.saved_elsewhere" && this.showSavedElsewhere();
    return { address: `${page.base}/submissions/${draft.clientId}`, body, onSaved, onRejected };
  }

  /**
   * What tells the server whether another page has saved the answers of a return link meanwhile, and whether this page
   * has created a link that it did not receive.
   */
  get editorState() {
    if (this.page.returned) return { editor: this.editor, revision: this.draft.revision, position: this.position };
    return byId("continue") ? { editor: this.editor } : {};
  }

  /** The name of the current page; null if there is only one. */
  get position() {
    return this.survey.visiblePageCount > 1 ? this.survey.currentPage.name : undefined;
  }

  /** Answers typed here stay on the device, and are merged when the page is loaded again. */
  showSavedElsewhere() {
    byId("elsewhere").hidden = false;
  }
}
