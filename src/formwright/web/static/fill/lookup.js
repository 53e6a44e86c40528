// Rows of a datasource, searched as one types; the chosen one fills other fields.

import { fromCell } from "./values.js";
import { say } from "./words.js";

/** Let the lookups of `survey` ask under the page's address. */
export function lookups(survey, judge, { base, versionId: version }) {
  const rows = new Map();

  survey.onChoicesLazyLoad.add(async (_, { question, filter, skip, setItems }) => {
    const list = question.dropdownListModel;
    const items = await ask(base, question.name, { version, q: filter ?? "", skip, ...narrowed(question, judge.answers) });
    // One has typed on: the answer to that is on its way.
    if (list.popupModel.isVisible && (list.filterString ?? "") !== (filter ?? "")) return;
    tellFailure(list.listModel, items === null);
    const found = items ?? [];
    remember(rows, question.name, found);
    // Whether there are more shows when these are scrolled to their end.
    setItems(found.map(choice), skip + found.length + (found.length === PAGE ? 1 : 0));
    if (!skip) firstByKey(question, list.listModel);
    // Who has typed a word takes what it found with Enter.
    if (!skip && filter) list.listModel.focusFirstVisibleItem();
  });

  survey.onGetChoiceDisplayValue.add(async (_, { question, values, setItems }) => {
    const found = await Promise.all(values.map((key) => ask(base, question.name, { version, key })));
    remember(rows, question.name, found.flatMap((items) => items ?? []));
    setItems(values.map((key, index) => found[index]?.[0]?.label ?? key));
  });

  /** Fill the fields that the chosen row is mapped to: those of its own row first. */
  return function chosen(place, name, key) {
    const question = place.getQuestionByName(name);
    const row = rows.get(name)?.get(key);
    if (!question?.lookup || !row) return;
    for (const [column, target] of Object.entries(question.lookup.mapping)) {
      const other = place.getQuestionByName(target) ?? survey.getQuestionByName(target);
      if (other) other.value = fromCell(judge.step(target), row[column]);
    }
  };
}

const PAGE = 50;
const choice = ({ key, label }) => ({ value: key, text: label });

/** An empty list says why: nothing was found, or nobody answered. */
function tellFailure(list, failed) {
  if (failed) Object.defineProperty(list, "emptyMessage", { get: () => say("searchFailed"), configurable: true });
  else delete list.emptyMessage;
}

// The library would let the first arrow key choose the word that more is being loaded.
function firstByKey(question, list) {
  list.initFocusedItem = () => {
    list.focusedItem = list.visibleItems.find(({ id }) => question.isEmpty() || id === question.value);
  };
  list.resetFocusedItem();
}

/** The rows; null when nobody answers. A preview asks no server. */
async function ask(base, name, query) {
  if (!base) return [];
  const address = `${base}/lookup/${name}?${new URLSearchParams(query)}`;
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE) });
    return response.ok ? (await response.json()).items : null;
  } catch {
    return null;
  }
}

const PATIENCE = 15_000;

function remember(rows, name, items) {
  if (!rows.has(name)) rows.set(name, new Map());
  for (const { key, data } of items) rows.get(name).set(key, data);
}

/** `by.<column>` for each answer that narrows the rows; one that is not there yet narrows nothing. */
function narrowed(question, answers) {
  const own = question.parentQuestion ? question.parent.getValue() : {};
  const known = Object.entries(question.lookup.filter)
    .map(([column, name]) => [`by.${column}`, own[name] ?? answers[name]])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(known);
}
