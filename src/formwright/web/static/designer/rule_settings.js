// Rules of a field: written by hand with a list of field names, or composed from menus.

import { button, el, select } from "../dom.js";
import { hasAnswer, isNumber, labelOf, settingOf, traits } from "./field_types.js";
import { notationOf } from "./number_input.js";
import { inLanguage } from "./labels.js";
import { row, text } from "./setting_rows.js";
import { listAncestors, walk } from "./field_tree.js";

const WORDS = {
  countRule: [
    "Number of entries",
    "Computes how many entries there are, instead of letting people add and remove them. Example: children",
  ],
  visibleIf: ["Show if", "Leave empty to always show it. Example: people > 10 && answered.contact"],
  requiredIf: ["Require if", "An answer is required while this is true. Example: people > 10"],
  readOnlyIf: ["Lock if", "While this is true, people can’t change the answer. Example: answered.approved"],
  validIf: ["Valid if", "Leave empty to accept any answer. Example: size(name) > 2"],
  optionFilter: [
    "Offer an option if",
    "Uses columns of the options, which you add under “Edit as text”. Example: option.country == country",
  ],
  defaultRule: [
    "Initial answer",
    "Fills in the answer once, when the field is first shown. People can change it. Example: today()",
  ],
  calculate: ["Calculation", "Computes the answer from other answers. Example: double(price) * double(pieces)"],
};

const VALUES = ["calculate", "defaultRule", "countRule"];
const MESSAGES = {
  requiredIf: ["requiredMessage", "Message if the answer is missing"],
  validIf: ["message", "Error message"],
};

export function ruleMembers(edit, texts) {
  const { type } = edit.get();
  const { acceptsCalculation, acceptsDefaultRule } = traits(type);
  const fits = { calculate: acceptsCalculation, defaultRule: acceptsDefaultRule };
  // A rule that an earlier version accepted is shown, so that people can remove it.
  const rules = !hasAnswer(type)
    ? ["visibleIf"]
    : Object.keys(WORDS).filter((member) => (fits[member] ?? settingOf(type, member)) || edit.get()[member]);
  const rows = rules.flatMap((member) => [
    rule(edit, member),
    ...(MESSAGES[member] ? texts(edit, ...MESSAGES[member]) : []),
    ...(member === "defaultRule" ? [recalculation(edit, AGAIN)] : []),
  ]);
  return rules.includes("defaultRule") || !hasAnswer(type) || type === "repeat"
    ? rows
    : [...rows, recalculation(edit, CLEARED)];
}

const AGAIN = [
  "Set the initial answer again when these change",
  "Names of fields, separated by commas. It then replaces what people entered. Without a rule for the initial answer, the answer is removed.",
];
const CLEARED = ["Clear the answer when these change", "Names of fields, separated by commas."];

/** The fields whose changes set the initial answer again, or remove the answer. */
function recalculation(edit, [label, help]) {
  const read = (value) => value.split(/[\s,]+/).filter(Boolean);
  const control = text(
    (edit.get().recalculateOn ?? []).join(", "),
    (value) => edit.set("recalculateOn", read(value).length ? read(value) : undefined),
    { class: "code", spellcheck: "false", autocapitalize: "none" },
  );
  const whole = row("recalculateOn", label, control, help);
  const answers = listVisibleFields(edit).filter((one) => one.id !== edit.id);
  whole.append(
    el(
      "div",
      { class: "actions" },
      names(control, answers, edit.store.language, "Insert a field…", (name) =>
        control.value.trim() ? `, ${name}` : name,
      ),
    ),
  );
  edit.store.addEventListener("change", () => {
    if (whole.isConnected && edit.store.get(edit.id) && document.activeElement !== control)
      control.value = (edit.get().recalculateOn ?? []).join(", ");
  });
  return whole;
}

function rule(edit, member) {
  const [label, help] = WORDS[member];
  const area = text(edit.get()[member], (value) => edit.set(member, value.trim() ? value : undefined), {
    rows: "2",
    class: "code",
    spellcheck: "false",
    autocapitalize: "none",
    maxlength: settingOf(edit.get().type, member).maxLength,
  });
  const whole = row(member, label, area, help);
  whole.classList.add("rule");
  const aids = () => {
    // Only validation can refer to the field itself: anything else would be a circular reference, or useless.
    const answers = listVisibleFields(edit).filter((one) => member === "validIf" || one.id !== edit.id);
    const list = el("div", { class: "actions" }, names(area, answers, edit.store.language), functions(area));
    return VALUES.includes(member) || member === "optionFilter"
      ? [list]
      : [list, builder(area, answers, edit.store.language)];
  };
  let beside = aids();
  let named = edit.get().name;
  whole.append(...beside);
  // The field may be renamed while its rule, which follows, is shown.
  edit.store.addEventListener("change", () => {
    if (!whole.isConnected || !edit.store.get(edit.id)) return;
    if (document.activeElement !== area) area.value = edit.get()[member] ?? "";
    if (named === edit.get().name) return;
    named = edit.get().name;
    for (const one of beside) one.remove();
    whole.append(...(beside = aids()));
  });
  return whole;
}

/** A list that inserts the answer of another field into a text, or one in a row of this repeat; null if there is none. */
export function answerList(edit, control, inRow = false) {
  const shown = listVisibleFields(edit, inRow).filter((one) => one.id !== edit.id && traits(one.field.type).fitsInText);
  return shown.length ? names(control, shown, edit.store.language, "Insert an answer…", (name) => `{{${name}}}`) : null;
}

/** Return the fields that a rule of this field, or of the rows of this repeat, can refer to. */
function listVisibleFields({ id, store }, inRow = false) {
  const mine = new Set(
    [...listAncestors(store.nodes, id), ...(inRow ? [store.get(id)] : [])]
      .filter((one) => one.field.type === "repeat")
      .map((one) => one.id),
  );
  const open = ({ node }) =>
    hasAnswer(node.field.type) &&
    listAncestors(store.nodes, node.id).every((one) => one.field.type !== "repeat" || mine.has(one.id));
  const rows = [...walk(store.nodes)].some(({ node }) => node.field.type === "repeat");
  return [...walk(store.nodes)]
    .filter((place) => (rows ? open(place) : hasAnswer(place.node.field.type)))
    .map(({ node }) => node);
}

function names(area, answers, language, title = "Insert a field…", word = (name) => name) {
  const lines = answers.map((one) => [one.field.name, `${labelOf(one, language)} (${one.field.name})`]);
  const list = select(
    [["", title], ...lines],
    "",
    (name) => {
      if (name) insert(area, word(name));
      list.value = "";
    },
    { "aria-label": title.slice(0, -1) },
  );
  return list;
}

const FUNCTIONS = [
  ["today()", "Today’s date"],
  ["now()", "Current date and time"],
  ["yearsBetween(, today())", "Full years since a date (age)"],
  ["daysBetween(, today())", "Days since a date"],
  ["addDays(today(), 7)", "Date some days later"],
  ["round(, 2)", "Rounded number"],
  ["roundHalfUp(, 2)", "Rounded number, halves up"],
  ["number()", "Number in a text"],
  ["sqrt()", "Square root"],
  ["pow(, 2)", "Power"],
  ["remainder(, 2.0)", "Remainder of a division"],
  ["exp()", "Exponential function"],
  ["log()", "Natural logarithm"],
  ["log10()", "Decimal logarithm"],
  ["sin()", "Sine of an angle in radians"],
  ["cos()", "Cosine of an angle in radians"],
  ["tan()", "Tangent of an angle in radians"],
  ["asin()", "Angle with this sine"],
  ["acos()", "Angle with this cosine"],
  ["atan()", "Angle with this tangent"],
  ["atan2(, )", "Angle to a point, from y and x"],
  ["sum([])", "Sum of numbers"],
  ["max([])", "Largest number"],
  ["min([])", "Smallest number"],
  [".words()", "Words of a text, as a list"],
  ["rowCount()", "Number of entries of a repeat around the field"],
  ["points()", "Points of an answer"],
  ["score()", "Points of all answers"],
  ["maxScore()", "Most points that can be reached"],
  ["distance()", "Length of a line in metres"],
  ["perimeter()", "Length around an area in metres"],
  ["area()", "Size of an area in square metres"],
];

function functions(area) {
  const list = select(
    [["", "Insert a function…"], ...FUNCTIONS],
    "",
    (words) => {
      if (words)
        insert(
          area,
          words,
          words.search(/(?<=[([])[,\]]|(?<=[a-z0-9]\()\)(?<!^(today|now|score|maxScore|\.words)\(\))/i),
        );
      list.value = "";
    },
    { "aria-label": "Insert a function" },
  );
  return list;
}

/** Insert the words and place the cursor `inside` them, where something is missing, or after them. */
function insert(area, words, inside = -1) {
  const start = area.selectionStart;
  area.setRangeText(words, start, area.selectionEnd, "end");
  if (inside >= 0) area.setSelectionRange(start + inside, start + inside);
  area.dispatchEvent(new Event("input"));
  area.focus();
}

const TESTS = {
  equal: ["is", (name, value) => `${name} == ${value}`],
  unequal: ["is not", (name, value) => `${name} != ${value}`],
  more: ["is more than", (name, value) => `${name} > ${value}`],
  less: ["is less than", (name, value) => `${name} < ${value}`],
  later: ["is after", (name, value) => `${name} > ${value}`],
  earlier: ["is before", (name, value) => `${name} < ${value}`],
  past: ["is before today", (name) => `${name} < today()`],
  future: ["is after today", (name) => `${name} > today()`],
  holds: ["includes", (name, value) => `${value} in ${name}`],
  yes: ["is yes", (name) => name],
  no: ["is no", (name) => `!${name}`],
  answered: ["is answered", (name) => `answered.${name}`],
  empty: ["is not answered", (name) => `!answered.${name}`],
};
const ALONE = ["yes", "no", "past", "future", "answered", "empty"];

const EQUALITY = ["equal", "unequal"];
const ORDER = ["equal", "unequal", "more", "less"];
/** What can be asked about an answer, by its kind, beside whether there is one. */
const KINDS = {
  TEXT: EQUALITY,
  INTEGER: ORDER,
  DECIMAL: ORDER,
  BOOLEAN: ["yes", "no"],
  DATE: ["equal", "later", "earlier", "past", "future"],
  TIME: ["equal", "later", "earlier"],
  DATETIME: EQUALITY,
  CHOICE: EQUALITY,
  CHOICES: ["holds"],
};

function testsFor(type) {
  const { answerKind, canFilterRows } = traits(type);
  // No value can be typed that is an answer, or a part of one, unless a cell can be.
  return [...(canFilterRows ? KINDS[answerKind] : []), "answered", "empty"];
}

/** A condition composed from menus: field, operator, value. */
function builder(area, answers, language) {
  const box = el("details", { class: "builder" }, el("summary", { text: "Build a condition" }));
  box.addEventListener(
    "toggle",
    () => box.open && box.children.length === 1 && box.append(controls(area, answers, language)),
    { once: true },
  );
  return box;
}

function controls(area, answers, language) {
  const parts = el("div", { class: "parts" });
  const state = { field: answers[0]?.field, test: "", value: null };
  const draw = () => {
    const tests = testsFor(state.field.type);
    if (!tests.includes(state.test)) state.test = tests[0];
    state.value = ALONE.includes(state.test) ? null : valueFor(state.field, language);
    parts.replaceChildren(
      select(
        answers.map((one) => [one.field.name, labelOf(one, language)]),
        state.field.name,
        (name) => (
          (state.field = answers.find((one) => one.field.name === name).field), draw(), parts.children[0].focus()
        ),
        { "aria-label": "Field" },
      ),
      select(
        tests.map((test) => [test, TESTS[test][0]]),
        state.test,
        (test) => ((state.test = test), draw(), parts.children[1].focus()),
        { "aria-label": "Comparison" },
      ),
      ...(state.value ? [state.value] : []),
      button("Add condition", () => add(area, state)),
    );
  };
  if (state.field) draw();
  return parts;
}

function valueFor({ type, options }, language) {
  if (options)
    return select(
      options.map((one) => [one.value, inLanguage(one.label, language)]),
      options[0]?.value ?? "",
      () => {},
      { "aria-label": "Value" },
    );
  const { inputmode, placeholder = "0" } = isNumber(type) ? notationOf(type) : {};
  const input = isNumber(type)
    ? { inputmode, value: placeholder }
    : { DATE: { type: "date" }, TIME: { type: "time" } }[traits(type).answerKind];
  return el("input", { type: "text", "aria-label": "Value", value: "", ...input });
}

function add(area, { field, test, value }) {
  if (value && isNumber(field.type) && !isRead(value, field.type)) return;
  const condition = TESTS[test][1](field.name, value && literal(field.type, value.value));
  const before = area.value.trim();
  // Parenthesise the existing rule: && binds more tightly than || and ?.
  const whole = /\|\||\?/.test(before) ? `(${before})` : before;
  area.value = before ? `${whole} && ${condition}` : condition;
  area.dispatchEvent(new Event("input"));
}

/** Return whether the text is a number; if not, the browser says why. */
function isRead(control, type) {
  const { value, refusal } = notationOf(type).read(control.value);
  control.setCustomValidity(refusal || (value === undefined ? "Enter a number." : ""));
  control.addEventListener("input", () => control.setCustomValidity(""), { once: true });
  return control.reportValidity();
}

const isWhole = (type) => traits(type).answerKind === "INTEGER";

// Integers and decimals are different types in a rule.
function literal(type, text) {
  if (!isNumber(type)) return JSON.stringify(text);
  const { value } = notationOf(type).read(text);
  return !isWhole(type) && /^-?\d+$/.test(String(value)) ? `${value}.0` : String(value);
}
