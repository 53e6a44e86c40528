// Searches the rows of a data source while the user types; the chosen row fills in other fields.

import { matchesFilter, activeFilter } from "./lookup_filters.js";
import { removeWithdrawnOptions } from "./offered_options.js";
import { keyBatches } from "./key_batches.js";
import { parseCell, setAnswer, acceptsCell } from "./answer_conversion.js";
import { t } from "./texts.js";

/** As many rows as the server returns at once. */
const PAGE_SIZE = 50;

/**
 * Lets the lookups of a survey load rows from the page's address. Chosen rows are recorded in `draft.seen`. A container is the
 * survey, or a row of a repeat.
 */
export class LookupController {
  #survey;
  #evaluator;
  #draft;
  #base;
  #version;
  /** The module with the stored rows, if the form has lookups. */
  #offlineRows;
  /** The rows that have been loaded, by key, by the name of the lookup. */
  #rows = new Map();
  /** The keys that were chosen before the last change, by question. */
  #chosenBefore = new WeakMap();

  constructor(survey, evaluator, page, draft) {
    this.#survey = survey;
    this.#evaluator = evaluator;
    this.#draft = draft;
    this.#base = page.base;
    this.#version = page.versionId;
    this.#offlineRows = page.base && page.lookups.length ? import("./offline_rows.js").catch(() => null) : null;
    survey.onChoicesLazyLoad.add((_, options) => this.#loadOptions(options));
    survey.onGetChoiceDisplayValue.add((_, options) => this.#loadLabels(options));
    survey.onValueChanged.add((_, { question }) => updateRowLabels(question));
    survey.onDynamicPanelValueChanged.add((_, { panel, name }) => updateRowLabels(panel.getQuestionByName(name)));
    survey.onValidateQuestion.add((_, options) => this.#validate(options));
  }

  async #loadOptions({ question, filter, skip, setItems }) {
    const list = question.dropdownListModel;
    const query = { q: filter ?? "", skip, ...byColumn(activeFilter(question, this.#evaluator.answers)) };
    const page = await this.#fetch(question.name, query);
    // The user has typed more: another request is on its way.
    if (list.popupModel.isVisible && (list.filterString ?? "") !== (filter ?? "")) return;
    setEmptyMessage(list.listModel, page.failed);
    this.#remember(question.name, page);
    // Scrolling to the end loads more rows; for a single further row, the library would not ask.
    const total = skip + page.items.length + (page.items.length === PAGE_SIZE ? 2 : 0);
    setItems(
      page.items.map(({ key, label }) => ({ value: key, text: label })),
      total,
    );
    if (!skip) focusFirstByKey(question, list.listModel);
    // Enter chooses the first match.
    if (!skip && filter) list.listModel.focusFirstVisibleItem();
  }

  async #loadLabels({ question, values, setItems }) {
    const { name } = question;
    // Rows of which a repeat was filled in are known: asking for each of them would be many requests.
    const unknown = values.filter((key) => !this.#findLoaded(name, key));
    for (const key of keyBatches(unknown)) this.#remember(name, await this.#fetch(name, { key }));
    for (const key of values) {
      const row = this.#findLoaded(name, key);
      // A prefilled row counts as seen now.
      if (row && !this.#draft.seen[name]?.[key])
        this.#draft.recordSeenRows(withSeenRow(this.#draft.seen, name, key, row));
    }
    setItems(values.map((key) => this.#findLoaded(name, key)?.label ?? this.#draft.seen[name]?.[key]?.label ?? key));
    // A question that nobody can edit would keep showing the keys.
    question.resetReadOnlyText();
    // The answer may have changed again.
    updateRowLabels(question);
  }

  #validate(options) {
    const withdrawn = options.error ? [] : this.#findWithdrawn(options.question);
    if (!withdrawn.length) return;
    const labels = withdrawn.map(({ label }) => label).join(", ");
    options.error = Array.isArray(options.question.value) ? t("checkFilteredRows", labels) : t("checkFiltered");
  }

  /** The chosen rows that the other answers no longer offer. */
  #findWithdrawn(question) {
    const { lookup, name, value } = question;
    if (!lookup || question.isEmpty()) return [];
    const filter = activeFilter(question, this.#evaluator.answers);
    const seen = [value].flat().map((key) => ({ ...this.#draft.seen[name]?.[key], key }));
    return seen.filter(({ by }) => by && !matchesFilter(by, filter));
  }

  /** Remove the chosen rows that the changed answers no longer offer, and say so next to the question. */
  removeWithdrawnRows() {
    // Entries that begin with the rows of a data source are removed as a whole (`repeat_row_loader.js`).
    const beginsEntry = ({ name, parentQuestion }) => parentQuestion?.rowsFrom === name;
    const isChecked = (question) => question.lookup && !this.#isCalculated(question.name) && !beginsEntry(question);
    for (const question of this.#survey.getAllQuestions(false, false, true).filter(isChecked)) {
      const labels = new Map(this.#findWithdrawn(question).map(({ key, label }) => [key, label]));
      const offered = { has: (key) => !labels.has(key) };
      if (labels.size) removeWithdrawnOptions(question, offered, this.#findParents(question), (key) => labels.get(key));
    }
  }

  #findParents(question) {
    const rows = question.parentQuestion?.panels?.filter((row) => row.questions.includes(question)) ?? [];
    const find = (name) => [...rows, this.#survey].map((one) => one.getQuestionByName(name)).find(Boolean);
    return Object.values(question.lookup.filter).map(find).filter(Boolean);
  }

  /** A person has chosen a row: fill in the fields that it is mapped to. */
  handleChoice(container, name, value) {
    const question = container.getQuestionByName(name);
    if (!question?.lookup || this.#isCalculated(name)) return;
    const row = this.#findLoaded(name, value);
    if (Array.isArray(value)) this.#recordAdded(question, value);
    else if (row) this.#draft.save({ seen: withSeenRow(this.#draft.seen, name, value, row) });
    if (row || question.isEmpty()) this.fillFields(container, question.lookup.mapping, row);
  }

  /** Rows that were chosen before stay as they were seen then. */
  #recordAdded(question, keys) {
    const { name } = question;
    const before = this.#chosenBefore.get(question) ?? Object.keys(this.#draft.seen[name] ?? {});
    this.#chosenBefore.set(question, keys);
    const added = keys.filter((key) => !before.includes(key) && this.#findLoaded(name, key));
    if (!added.length) return;
    const withAdded = (seen, key) => withSeenRow(seen, name, key, this.#findLoaded(name, key));
    this.#draft.save({ seen: added.reduce(withAdded, this.#draft.seen) });
  }

  /** Fill in fields from a row: those of the same row of a repeat first, then those around it. */
  fillFields(container, mapping, row) {
    for (const [column, target] of Object.entries(mapping)) {
      const step = this.#evaluator.findStep(target);
      const around = enclosingRows(container);
      const question =
        around.map((one) => one.getQuestionByName(target)).find(Boolean) ?? this.#survey.getQuestionByName(target);
      if (!acceptsCell(step)) continue;
      if (question && row) question.value = parseCell(step, row.data[column]);
      // Without a row, a hidden field is empty: nobody could have typed into it.
      if (!question) {
        const owner = around.find((one) => this.#ownsField(one, target)) ?? this.#survey;
        setAnswer(this.#survey, owner, target, parseCell(step, row?.data[column]));
      }
    }
  }

  #ownsField({ parentQuestion }, name) {
    return Boolean(this.#evaluator.findStep(parentQuestion?.name)?.rows?.some((step) => step.name === name));
  }

  #isCalculated(name) {
    return Boolean(this.#evaluator.findStep(name)?.calculate);
  }

  /** Return the row with this key; null if there is none, undefined without a response. */
  async findRow(name, key) {
    if (!this.#findLoaded(name, key)) {
      const page = await this.#fetch(name, { key: [key] });
      if (page.failed) return undefined;
      this.#remember(name, page);
    }
    const row = this.#findLoaded(name, key);
    if (row) this.#draft.recordSeenRows(withSeenRow(this.#draft.seen, name, key, row));
    return row ?? null;
  }

  /** Return up to `maxRows` rows that a lookup offers: {items}, or {failed}. */
  async loadRows(name, by, maxRows) {
    const items = [];
    let page;
    do {
      page = await this.#fetch(name, { q: "", skip: items.length, ...byColumn(by) });
      if (page.failed) return page;
      this.#remember(name, page);
      items.push(...page.items);
    } while (items.length < maxRows && page.items.length === PAGE_SIZE);
    return { items: items.slice(0, maxRows) };
  }

  #findLoaded(name, key) {
    return this.#rows.get(name)?.get(key);
  }

  #remember(name, { version, items }) {
    if (!this.#rows.has(name)) this.#rows.set(name, new Map());
    for (const { key, label, data, by } of items) this.#rows.get(name).set(key, { version, label, data, by });
  }

  /** {version, items} from the server, or else from the stored rows; `failed` is the message why there are none. */
  async #fetch(name, query) {
    if (!this.#base) return { items: [], failed: "previewRows" };
    const stored = await this.#offlineRows;
    const state = await stored?.storageState(this.#base, name);
    const timeoutMs = state === "whole" ? STORED_ROWS_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
    const page = await fetchFromServer(this.#base, name, { version: this.#version, ...query }, timeoutMs);
    if (page) return page;
    const found = state === "whole" ? await stored.findRows(this.#base, name, query).catch(() => null) : null;
    return found ?? { items: [], failed: state === "large" ? "searchOnline" : "searchFailed" };
  }
}

/**
 * Let the library ask for the labels of rows that a rule or another row has added to an answer, or put in its place: it
 * would show the keys of the former, and the rows from before instead of the latter.
 */
function updateRowLabels(question) {
  if (!question?.lookup || question.getType() !== "tagbox" || question.isEmpty()) return;
  const { value: keys, visibleChoices, selectedItemValues, defaultSelectedItemValues, itemDisplayNameMap } = question;
  if (keys.join("\0") === (selectedItemValues ?? []).map((item) => item.value).join("\0")) return;
  const shown = new Set([...visibleChoices, ...(defaultSelectedItemValues ?? [])].map((item) => item.value));
  if (keys.every((key) => shown.has(key) || key in itemDisplayNameMap) && keys.some((key) => shown.has(key))) return;
  question.defaultSelectedItemValues = undefined;
  question.selectedItemValues = undefined;
  question.updateSelectedItemValues();
}

/** The row of a repeat, and the rows that contain it. */
function enclosingRows(row) {
  const repeat = row.parentQuestion;
  const outer = repeat?.parentQuestion?.panels?.find((one) => one.questions.includes(repeat));
  return outer ? [row, ...enclosingRows(outer)] : [row];
}

const withSeenRow = (seen, name, key, { version, label, by }) => ({
  ...seen,
  [name]: { ...seen[name], [key]: { version, label, by } },
});

/** An empty list says why: nothing was found, or the server cannot be reached. */
function setEmptyMessage(list, key) {
  if (key) Object.defineProperty(list, "emptyMessage", { get: () => t(key), configurable: true });
  else delete list.emptyMessage;
}

// The library would let the first arrow key choose the item that says that more is being loaded.
function focusFirstByKey(question, list) {
  list.initFocusedItem = () => {
    const { value } = question;
    list.focusedItem = list.visibleItems.find(({ id }) => question.isEmpty() || Array.isArray(value) || id === value);
  };
  list.resetFocusedItem();
}

const REQUEST_TIMEOUT_MS = 15_000;
// A slow network is worse than none if the rows are stored.
const STORED_ROWS_TIMEOUT_MS = 4000;

/** Null if there is no response. */
async function fetchFromServer(base, name, query, timeoutMs) {
  const pairs = Object.entries(query).flatMap(([parameter, value]) => [value].flat().map((one) => [parameter, one]));
  const address = `${base}/lookup/${name}?${new URLSearchParams(pairs)}`;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { headers: { Accept: "application/json" }, signal });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

const byColumn = (by) =>
  Object.fromEntries(Object.entries(by).map(([column, value]) => [`by.${column}`, String(value)]));
