// Rows of a datasource, searched as one types; the chosen one fills other fields.

import { isOffered, narrowed } from "./narrowing.js";
import { fromCell, takesCell } from "./values.js";
import { say } from "./words.js";

/** Let the lookups of `survey` ask under the page's address; what is chosen is noted in `draft.seen`. */
export function lookups(survey, judge, page, draft) {
  const { base, versionId: version } = page;
  const here = base && page.lookups.length ? import("./rows.js").catch(() => null) : null;
  const ask = (name, query) => (base ? answered(here, base, name, { version, ...query }) : { items: [], failed: "previewRows" });
  const rows = new Map();

  survey.onChoicesLazyLoad.add(async (_, { question, filter, skip, setItems }) => {
    const list = question.dropdownListModel;
    const answer = await ask(question.name, { q: filter ?? "", skip, ...byColumn(narrowed(question, judge.answers)) });
    // One has typed on: the answer to that is on its way.
    if (list.popupModel.isVisible && (list.filterString ?? "") !== (filter ?? "")) return;
    tellFailure(list.listModel, answer.failed);
    const found = answer.items;
    remember(rows, question.name, answer);
    // Whether there are more shows when these are scrolled to their end; for one more alone the library would not ask.
    setItems(found.map(choice), skip + found.length + (found.length === PAGE ? 2 : 0));
    if (!skip) firstByKey(question, list.listModel);
    // Who has typed a word takes what it found with Enter.
    if (!skip && filter) list.listModel.focusFirstVisibleItem();
  });

  const noted = (name, key, { version, label, by }) => ({ ...draft.seen, [name]: { ...draft.seen[name], [key]: { version, label, by } } });

  survey.onGetChoiceDisplayValue.add(async (_, { question: { name }, values, setItems }) => {
    const found = await Promise.all(values.map((key) => ask(name, { key })));
    for (const answer of found) remember(rows, name, answer);
    for (const key of values) {
      const row = rows.get(name)?.get(key);
      // What was filled in beforehand is seen now.
      if (row && !draft.seen[name]?.[key]) draft.saw(noted(name, key, row));
    }
    setItems(values.map((key, index) => found[index].items[0]?.label ?? draft.seen[name]?.[key]?.label ?? key));
  });

  survey.onValidateQuestion.add((_, options) => {
    const { lookup, name, value } = options.question;
    const by = lookup && draft.seen[name]?.[value]?.by;
    if (options.error || !by || isOffered(by, narrowed(options.question, judge.answers))) return;
    options.error = say("checkFiltered");
  });

  /** Fill the fields that the chosen row is mapped to: those of its own row first. */
  return function chosen(place, name, key) {
    const question = place.getQuestionByName(name);
    const row = rows.get(name)?.get(key);
    if (!question?.lookup || !row) return;
    draft.keep({ seen: noted(name, key, row) });
    for (const [column, target] of Object.entries(question.lookup.mapping)) {
      const other = place.getQuestionByName(target) ?? survey.getQuestionByName(target);
      const step = judge.step(target);
      if (other && takesCell(step)) other.value = fromCell(step, row.data[column]);
    }
  };
}

const PAGE = 50;
const choice = ({ key, label }) => ({ value: key, text: label });

/** An empty list says why: nothing was found, or nobody answered. */
function tellFailure(list, word) {
  if (word) Object.defineProperty(list, "emptyMessage", { get: () => say(word), configurable: true });
  else delete list.emptyMessage;
}

// The library would let the first arrow key choose the word that more is being loaded.
function firstByKey(question, list) {
  list.initFocusedItem = () => {
    list.focusedItem = list.visibleItems.find(({ id }) => question.isEmpty() || id === question.value);
  };
  list.resetFocusedItem();
}

/** {version, items}: from the server, else from the rows that are kept here; `failed` is the word that says why not. */
async function answered(here, base, name, query) {
  const rows = await here;
  const state = await rows?.state(base, name);
  const answer = await fromServer(base, name, query, state === "whole" ? HURRY : PATIENCE);
  if (answer) return answer;
  const { version: _, ...asked } = query;
  const kept = state === "whole" ? await rows.find(base, name, asked).catch(() => null) : null;
  return kept ?? { items: [], failed: state === "large" ? "searchOnline" : "searchFailed" };
}

const PATIENCE = 15_000;
// One bar of network is worse than none, for who has the rows.
const HURRY = 4000;

/** Null when nobody answers. */
async function fromServer(base, name, query, patience) {
  const address = `${base}/lookup/${name}?${new URLSearchParams(query)}`;
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(patience) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function remember(rows, name, { version, items }) {
  if (!rows.has(name)) rows.set(name, new Map());
  for (const { key, label, data, by } of items) rows.get(name).set(key, { version, label, data, by });
}

const byColumn = (by) => Object.fromEntries(Object.entries(by).map(([column, value]) => [`by.${column}`, value]));

/** Say at once that a chosen row does not go with what is answered since, or that it does again. */
export function judgeChosen(survey) {
  for (const question of survey.getAllQuestions(false, false, true)) {
    const filtered = question.lookup && Object.keys(question.lookup.filter).length > 0;
    if (filtered && !question.isEmpty()) question.validate(true);
  }
}
