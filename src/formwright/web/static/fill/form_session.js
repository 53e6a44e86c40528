// A form while it is filled in: changes are validated, stored and saved; the outbox submits it.

import { byId } from "./dom.js";
import { updateAccessibleNames } from "./accessibility.js";
import { AuditLog } from "./audit_log.js";
import { CalculatedLookups } from "./calculated_lookups.js";
import { chooseLanguage, loadLanguage, showLanguageSelect } from "./languages.js";
import { loadPatternEngine } from "./patterns.js";
import { setFormOfFiles, withServerIds, deleteFiles } from "./local_files.js";
import { RuleEvaluator } from "./rule_evaluator.js";
import { lookups } from "./lookup_controller.js";
import { setMediaLinks } from "./media.js";
import { renderRemainingRows, createSurvey } from "./survey_model.js";
import { shuffleOptions } from "./offered_options.js";
import { setUpPageNavigation } from "./page_navigation.js";
import { DatasourceRows } from "./datasource_rows.js";
import { fillStartLocation } from "./start_location.js";
import { showErrorList } from "./error_list.js";
import { ContinueLaterButton } from "./continue_later_button.js";
import { DraftAutosave } from "./draft_autosave.js";
import { SubmissionSender } from "./submission_sender.js";
import { toPageAnswers } from "./answer_conversion.js";
import { t } from "./texts.js";
import { setBasemap } from "./widgets/map_picker.js";

/** Show a form in the language of the person, who can choose another one. */
export async function openForm(page, draft, Hand) {
  const spoken = Object.keys(page.languages);
  const tag = chooseLanguage(spoken, page.language);
  const rules = page.ruled ? import("./rule_compiler.js") : null;
  const patterns = page.patterns ? loadPatternEngine() : null;
  await loadLanguage(tag, page.languages[tag]);
  await patterns;
  setMediaLinks(page.media);
  const filling = new FormSession(page, draft, (await rules)?.compileRule, Hand);
  await filling.start(tag);
  showLanguageSelect(byId("language"), spoken, tag, async (other) => {
    await loadLanguage(other, page.languages[other]);
    filling.speak(other);
  });
}

class FormSession {
  #filling = false;

  /** `Hand` sends it to its address. */
  constructor(page, draft, compile, Hand = SubmissionSender) {
    this.page = page;
    this.draft = draft;
    this.survey = createSurvey(page.survey, page.language);
    if (page.correct) this.survey.getPageByName("welcome page")?.delete();
    this.judge = new RuleEvaluator(this.survey, page, compile);
    this.lookups = lookups(this.survey, this.judge, page, draft);
    this.sourceRows = new DatasourceRows(this.survey, this.judge, this.lookups, !page.lookups.length);
    this.calculated = new CalculatedLookups(this.survey, this.judge, this.lookups, () => this.#settle());
    this.saving = new DraftAutosave(
      () => this.#call(),
      (state) => this.tell(state),
    );
    this.sending = new Hand(this);
    // Only what happens while a form is filled in for the first time.
    const isFirst = !page.preview && !page.correct && !page.again;
    this.audit = isFirst && page.audit ? new AuditLog(this) : null;
    this.startLocation = isFirst && page.startLocation ? () => fillStartLocation(this) : null;
    this.editor = crypto.randomUUID();
    setBasemap(page.map);
    setFormOfFiles(page.base, page.versionId, Boolean(page.preview || page.correct));
  }

  async start(tag) {
    this.survey.locale = tag;
    await this.sending.settleOld();
    if (this.page.begun) this.draft.meet(this.page.begun, toPageAnswers(this.page.steps, this.page.prefill));
    this.restore();
    this.#listen();
    const parts = { progress: byId("progress"), back: byId("back"), next: byId("next"), send: byId("send") };
    this.showPages = setUpPageNavigation(this.survey, parts, () => showErrorList(this.survey, byId("problems")));
    this.survey.render(byId("form"));
    this.survey.onCurrentPageChanged.add(() => renderRemainingRows(this.survey));
    renderRemainingRows(this.survey);
    this.tell("");
    this.audit?.listen(byId("form"));
    await this.sending.begin();
    if (byId("continue")) new ContinueLaterButton(this).begin();
  }

  speak(tag) {
    this.survey.locale = tag;
    this.judge.settle();
    this.showPages();
    this.tell(this.state);
    document.dispatchEvent(new Event("formwright:languagechange"));
    updateAccessibleNames(this.survey);
    if (!byId("problems").hidden) showErrorList(this.survey, byId("problems"));
    this.sending.showWaiting();
  }

  /** Show the state of the answers at the top. "savedOnDevice" becomes "notSavedOnDevice" if the device stores nothing. */
  tell(name) {
    const state = name === "savedOnDevice" && !this.kept ? "notSavedOnDevice" : name;
    this.state = state;
    const away = !navigator.onLine && !["saving", "submitting"].includes(state);
    byId("state").textContent = away ? t("offline") : state ? t(state) : "";
    byId("state").classList.toggle("is-offline", away);
  }

  /** Show the empty form again. */
  again() {
    this.#filling = false;
    this.survey.clear(true, true);
    for (const question of this.survey.getAllQuestions()) question.unread = undefined;
    this.restore();
    this.survey.focusFirstQuestion();
  }

  /** Return the stored draft, or the form's initial answers. */
  restore() {
    this.#filling = false;
    // In a submission that is edited, options are where the form has them.
    if (!this.page.correct) shuffleOptions(this.survey, (name) => this.judge.step(name), this.draft.clientId);
    if (this.draft.data) this.survey.data = this.draft.data;
    // Fields left empty stay empty: defaults do not fill them again.
    else if (this.page.correct) this.survey.data = toPageAnswers(this.page.steps, this.page.prefill);
    else this.survey.mergeData(toPageAnswers(this.page.steps, this.page.prefill));
    this.judge.begin(Boolean(this.draft.data || this.page.correct || this.page.begun));
    const page = this.survey.getPageByName(this.draft.page ?? this.page.position ?? "");
    if (page?.isVisible) this.survey.currentPage = page;
    this.#filling = true;
    this.sourceRows.begin();
    this.sourceRows.fill();
    this.calculated.begin();
    this.calculated.fill();
    this.audit?.begin();
    this.startLocation?.();
  }

  #listen() {
    this.survey.onValueChanged.add((_, { name, value }) => this.#changed(this.survey, name, value));
    this.survey.onDynamicPanelValueChanged.add((_, { panel, name, value }) => this.#changed(panel, name, value));
    // A reload returns to the page on which the user was.
    this.survey.onCurrentPageChanged.add(
      () => this.draft.data && this.draft.keep({ page: this.survey.currentPage.name }),
    );
    this.survey.onDynamicPanelAdded.add(() => this.#rowAdded());
    // A row that a person removed does not come back.
    this.survey.onDynamicPanelRemoved.add(
      (_, { panel }) => this.#filling && !this.judge.busy && deleteFiles(panel.questions.map(({ value }) => value)),
    );
    for (const change of ["online", "offline"]) addEventListener(change, () => this.tell(this.state));
    addEventListener("pagehide", () => this.saving.leave());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.saving.leave());
  }

  #changed(place, name, value) {
    if (!this.#filling || this.judge.busy) return;
    this.lookups.chosen(place, name, value);
    this.#settle();
  }

  #rowAdded() {
    if (this.judge.busy) return;
    this.judge.settle();
    if (this.#filling) this.calculated.fill();
  }

  /** Apply the rules to changed answers, and keep them. */
  #settle() {
    this.judge.settle();
    this.sourceRows.fill();
    this.calculated.fill();
    this.lookups.check();
    if (this.page.preview || this.page.correct) return this.#look();
    this.kept = this.draft.keep({ data: this.survey.data, versionId: this.page.versionId });
    this.saving.changed();
    this.#look();
  }

  // The changed field is validated again only after this event.
  #look() {
    if (!byId("problems").hidden) setTimeout(() => showErrorList(this.survey, byId("problems")));
  }

  #call() {
    const { page, draft } = this;
    const body = { versionId: page.versionId, data: withServerIds(this.judge.answers), ...this.openPage };
    const typed = structuredClone(this.survey.data);
    const arrived = ({ revision }) => page.once && draft.arrived(revision, typed);
    const refused = ({ code }) => code === "submission.saved_elsewhere" && this.tellSavedElsewhere();
    return { address: `${page.base}/submissions/${draft.clientId}`, body, arrived, refused };
  }

  /**
   * What tells the server whether another page has saved the answers of a return link meanwhile, and whether this page
   * has created a link that it did not receive.
   */
  get openPage() {
    if (this.page.returned) return { editor: this.editor, revision: this.draft.revision, position: this.position };
    return byId("continue") ? { editor: this.editor } : {};
  }

  /** The name of the current page; null if there is only one. */
  get position() {
    return this.survey.visiblePageCount > 1 ? this.survey.currentPage.name : undefined;
  }

  /** Answers typed here stay on the device, and are merged when the page is loaded again. */
  tellSavedElsewhere() {
    byId("elsewhere").hidden = false;
  }
}
