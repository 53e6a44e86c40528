// Searches the rows of a data source while the user types; the chosen row fills in other fields.

import { matchesFilter, activeFilter } from "./lookup_filters.js";
import { removeWithdrawnOptions } from "./offered_options.js";
import { keyBatches } from "./key_batches.js";
import { parseCell, setAnswer, acceptsCell } from "./answer_conversion.js";
import { t } from "./texts.js";

/**
 * Let the lookups of `survey` load rows from the page's address; chosen rows are recorded in `draft.seen`. Returns
 * `chosen`, to call when a row was chosen, `load`, which returns up to `most` rows that a lookup offers, `find`, which
 * returns the row with a key, null if there is none, or undefined without a response, `fill`, which fills in the
 * fields of a mapping, and `check`, to call when answers have changed.
 */
export function lookups(survey, judge, page, draft) {
  const { base, versionId: version } = page;
  const here = base && page.lookups.length ? import("./offline_rows.js").catch(() => null) : null;
  const ask = (name, query) =>
    base ? fetchRows(here, base, name, { version, ...query }) : { items: [], failed: "previewRows" };
  const rows = new Map();
  const chosenBefore = new WeakMap();

  survey.onChoicesLazyLoad.add(async (_, { question, filter, skip, setItems }) => {
    const list = question.dropdownListModel;
    const answer = await ask(question.name, {
      q: filter ?? "",
      skip,
      ...byColumn(activeFilter(question, judge.answers)),
    });
    // The user has typed more: another request is on its way.
    if (list.popupModel.isVisible && (list.filterString ?? "") !== (filter ?? "")) return;
    setEmptyMessage(list.listModel, answer.failed);
    const found = answer.items;
    remember(rows, question.name, answer);
    // Scrolling to the end loads more rows; for a single further row, the library would not ask.
    setItems(found.map(toChoice), skip + found.length + (found.length === PAGE_SIZE ? 2 : 0));
    if (!skip) focusFirstByKey(question, list.listModel);
    // Enter chooses the first match.
    if (!skip && filter) list.listModel.focusFirstVisibleItem();
  });

  survey.onGetChoiceDisplayValue.add(async (_, { question, values, setItems }) => {
    const { name } = question;
    // Rows of which a repeat was filled in are known: asking for each of them would be many requests.
    const unknown = values.filter((key) => !rows.get(name)?.has(key));
    for (const key of keyBatches(unknown)) remember(rows, name, await ask(name, { key }));
    for (const key of values) {
      const row = rows.get(name)?.get(key);
      // A prefilled row counts as seen now.
      if (row && !draft.seen[name]?.[key]) draft.saw(withSeenRow(draft.seen, name, key, row));
    }
    setItems(values.map((key) => rows.get(name)?.get(key)?.label ?? draft.seen[name]?.[key]?.label ?? key));
    // A question that nobody can edit would keep showing the keys.
    question.resetReadOnlyText();
    // The answer may have changed again.
    updateRowLabels(question);
  });

  survey.onValueChanged.add((_, { question }) => updateRowLabels(question));
  survey.onDynamicPanelValueChanged.add((_, { panel, name }) => updateRowLabels(panel.getQuestionByName(name)));

  survey.onValidateQuestion.add((_, options) => {
    const gone = options.error ? [] : findGone(options.question);
    if (!gone.length) return;
    const labels = gone.map(({ label }) => label).join(", ");
    options.error = Array.isArray(options.question.value) ? t("checkFilteredRows", labels) : t("checkFiltered");
  });

  /** The chosen rows that the other answers no longer offer. */
  function findGone(question) {
    const { lookup, name, value } = question;
    if (!lookup || question.isEmpty()) return [];
    const filter = activeFilter(question, judge.answers);
    const seen = [value].flat().map((key) => ({ ...draft.seen[name]?.[key], key }));
    return seen.filter(({ by }) => by && !matchesFilter(by, filter));
  }

  /** Remove the chosen rows that the other answers no longer offer, and say so next to the question. */
  function check() {
    // Entries that begin with the rows of a data source are removed as a whole (`datasource_rows.js`).
    const beginsEntry = ({ name, parentQuestion }) => parentQuestion?.rowsFrom === name;
    const isChecked = (question) => question.lookup && !judge.step(question.name)?.calculate && !beginsEntry(question);
    const questions = survey.getAllQuestions(false, false, true).filter(isChecked);
    for (const question of questions) {
      const gone = new Set(findGone(question).map(({ key }) => key));
      if (gone.size)
        removeWithdrawnOptions(
          question,
          { has: (key) => !gone.has(key) },
          (key) => draft.seen[question.name][key].label,
        );
    }
  }

  /** Fill in the fields that the chosen row is mapped to. */
  function chosen(place, name, value) {
    const question = place.getQuestionByName(name);
    if (!question?.lookup || judge.step(name)?.calculate) return;
    const row = rows.get(name)?.get(value);
    if (Array.isArray(value)) keepAdded(question, value);
    else if (row) draft.keep({ seen: withSeenRow(draft.seen, name, value, row) });
    if (row || question.isEmpty()) fill(place, question.lookup.mapping, row);
  }

  /** Rows that were chosen before stay as they were seen then. */
  function keepAdded(question, keys) {
    const { name } = question;
    const before = chosenBefore.get(question) ?? Object.keys(draft.seen[name] ?? {});
    chosenBefore.set(question, keys);
    const added = keys.filter((key) => !before.includes(key) && rows.get(name)?.has(key));
    const seen = added.reduce((all, key) => withSeenRow(all, name, key, rows.get(name).get(key)), draft.seen);
    if (added.length) draft.keep({ seen });
  }

  /** Fill in fields from a row: those of the same row of a repeat first, then those around it. */
  function fill(place, mapping, row) {
    for (const [column, target] of Object.entries(mapping)) {
      const step = judge.step(target);
      const around = places(place);
      const other =
        around.map((one) => one.getQuestionByName(target)).find(Boolean) ?? survey.getQuestionByName(target);
      if (!acceptsCell(step)) continue;
      if (other && row) other.value = parseCell(step, row.data[column]);
      // Without a row, a hidden field is empty: nobody could have typed into it.
      if (!other)
        setAnswer(
          survey,
          around.find((one) => ownsField(one, target)) ?? survey,
          target,
          parseCell(step, row?.data[column]),
        );
    }
  }

  async function find(name, key) {
    const known = () => rows.get(name)?.get(key);
    const answer = known() ? {} : await ask(name, { key: [key] });
    if (answer.failed) return undefined;
    if (answer.items) remember(rows, name, answer);
    if (known()) draft.saw(withSeenRow(draft.seen, name, key, known()));
    return known() ?? null;
  }

  function ownsField({ parentQuestion }, name) {
    return Boolean(judge.step(parentQuestion?.name)?.rows?.some((step) => step.name === name));
  }

  async function load(name, by, most) {
    const items = [];
    for (let page = null; items.length < most && (!page || page.items.length === PAGE_SIZE); ) {
      page = await ask(name, { q: "", skip: items.length, ...byColumn(by) });
      if (page.failed) return page;
      remember(rows, name, page);
      items.push(...page.items);
    }
    return { items: items.slice(0, most) };
  }

  return { check, chosen, fill, find, load };
}

/**
 * Let the library ask for the labels of rows that a rule or another row has added to an answer, or put in its place: it
 * would show the keys of the former, and the rows from before instead of the latter.
 */
function updateRowLabels(question) {
  if (!question?.lookup || question.getType() !== "tagbox" || question.isEmpty()) return;
  const { value: keys, visibleChoices, selectedItemValues, defaultSelectedItemValues, itemDisplayNameMap } = question;
  if (keys.join("\0") === (selectedItemValues ?? []).map((item) => item.value).join("\0")) return;
  const found = new Set([...visibleChoices, ...(defaultSelectedItemValues ?? [])].map((item) => item.value));
  if (keys.every((key) => found.has(key) || key in itemDisplayNameMap) && keys.some((key) => found.has(key))) return;
  question.defaultSelectedItemValues = undefined;
  question.selectedItemValues = undefined;
  question.updateSelectedItemValues();
}

/** The row of a repeat, and the rows that contain it. */
function places(row) {
  const repeat = row.parentQuestion;
  const outer = repeat?.parentQuestion?.panels?.find((one) => one.questions.includes(repeat));
  return outer ? [row, ...places(outer)] : [row];
}

const withSeenRow = (seen, name, key, { version, label, by }) => ({
  ...seen,
  [name]: { ...seen[name], [key]: { version, label, by } },
});

const PAGE_SIZE = 50;
const toChoice = ({ key, label }) => ({ value: key, text: label });

/** An empty list says why: nothing was found, or the server cannot be reached. */
function setEmptyMessage(list, word) {
  if (word) Object.defineProperty(list, "emptyMessage", { get: () => t(word), configurable: true });
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

/** {version, items} from the server, or else from the stored rows; `failed` is the message why there are none. */
async function fetchRows(here, base, name, query) {
  const rows = await here;
  const state = await rows?.storageState(base, name);
  const answer = await fromServer(base, name, query, state === "whole" ? STORED_ROWS_TIMEOUT_MS : REQUEST_TIMEOUT_MS);
  if (answer) return answer;
  const { version: _, ...asked } = query;
  const kept = state === "whole" ? await rows.findRows(base, name, asked).catch(() => null) : null;
  return kept ?? { items: [], failed: state === "large" ? "searchOnline" : "searchFailed" };
}

const REQUEST_TIMEOUT_MS = 15_000;
// A slow network is worse than none if the rows are stored.
const STORED_ROWS_TIMEOUT_MS = 4000;

/** Null if there is no response. */
async function fromServer(base, name, query, patience) {
  const pairs = Object.entries(query).flatMap(([parameter, value]) => [value].flat().map((one) => [parameter, one]));
  const address = `${base}/lookup/${name}?${new URLSearchParams(pairs)}`;
  try {
    const response = await fetch(address, {
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(patience),
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function remember(rows, name, { version, items }) {
  if (!rows.has(name)) rows.set(name, new Map());
  for (const { key, label, data, by } of items) rows.get(name).set(key, { version, label, data, by });
}

const byColumn = (by) =>
  Object.fromEntries(Object.entries(by).map(([column, value]) => [`by.${column}`, String(value)]));
