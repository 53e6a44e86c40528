// Points of options, and what people see of the score of the form.

import { announce, createButton, createElement, createSelect, query, uniqueId } from "../dom.js";
import { typeTraits } from "./field_types.js";
import { createNode, insertNode, listNodes } from "./field_tree.js";
import { uniqueName } from "./field_names.js";
import { localizeLabel, optionLabel } from "./labels.js";
import { createIntegerInput, createNumberInput } from "./number_input.js";
import { createDetails, createRow, MAX_SHOWN_OPTIONS } from "./setting_rows.js";

const POINTS_INPUT = { placeholder: "0" };
const SCORE_CALCULATION = "score()";

/** The points of a field's options, which `setOptions(options, merge)` stores. `draw` follows changed options. */
export function createOptionPoints(editor, setOptions) {
  const list = createElement("ol", { class: "option-points" });
  const maximum = createElement("p", { class: "help", role: "status" });
  const box = createDetails(
    "Points",
    isScored(editor.field),
    createElement("p", {
      class: "help",
      text: "For quizzes and scores. Wrong answers can have negative points. Rules know them as points() and score().",
    }),
    list,
    maximum,
  );
  const showMaximum = () => {
    maximum.textContent = `Maximum: ${formatPoints(computeMaxPoints(editor.field))}`;
  };
  const createItem = (option, index) => {
    const change = (points) => {
      const { options } = editor.field;
      const { points: _, ...rest } = options[index];
      setOptions(options.with(index, points ? { ...rest, points } : rest), `${editor.id} options ${index} points`);
      showMaximum();
    };
    const input = createNumberInput(option.points, change, { ...POINTS_INPUT, id: uniqueId("points") });
    return createElement(
      "li",
      {},
      createElement("label", {
        for: input.id,
        text: optionLabel(option, editor.store.language),
      }),
      input,
    );
  };
  const draw = () => {
    list.replaceChildren(...(box.open ? editor.field.options.slice(0, MAX_SHOWN_OPTIONS).map(createItem) : []));
    showMaximum();
  };
  box.addEventListener("toggle", draw);
  draw();
  return { box, draw };
}

export const hasPoints = (options) => options.some(({ points }) => points);
const isScored = ({ options = [] }) => hasPoints(options);

/** Return the most points that an answer can bring, like the server (domain/forms/fields/choices.py). */
export function computeMaxPoints({ type, options = [], maxChoices = Infinity }) {
  // What is no number yet counts nothing.
  const worth = ({ points }) => (typeof points === "number" ? Math.round(points * 100) : 0);
  if (!typeTraits(type).isChoice) return 0;
  if (typeTraits(type).answerKind === "CHOICE") return Math.max(0, ...options.map(worth)) / 100;
  const together = options
    .filter((one) => !one.exclusive)
    .map(worth)
    .filter((one) => one > 0)
    .sort((one, other) => other - one);
  const sum = together.slice(0, maxChoices).reduce((one, other) => one + other, 0);
  return Math.max(sum, ...options.filter((one) => one.exclusive).map(worth)) / 100;
}

const formatPoints = (points) => `${new Intl.NumberFormat("en").format(points)} ${points === 1 ? "point" : "points"}`;

const SCORE_DISPLAYS = [
  ["", "Nothing"],
  ["score", "The score"],
  ["results", "The score, and which answers are right"],
];
const SOURCE_WARNING = "People who look into the page’s source can find the points there.";

/** What people see of the score after submitting, and a hidden field with it. */
export function createScoreRows(store) {
  const box = createDetails("Score", Boolean(store.settings.score));
  const summary = box.firstChild;
  const draw = () => box.replaceChildren(summary, ...createRows(store, redraw));
  const redraw = () => {
    draw();
    query("select", HTMLElement, box).focus();
  };
  draw();
  return box;
}

/** `redraw` shows the rows again. */
function createRows(store, redraw) {
  const { score } = store.settings;
  const fields = listNodes(store.nodes).map((node) => node.field);
  const show = createSelect(SCORE_DISPLAYS, score?.show ?? "", (value) => {
    store.changeSetting("score", value ? { ...store.settings.score, show: value } : undefined);
    redraw();
  });
  const passMark = createIntegerInput(score?.passPercent, (value) => {
    const { passPercent: _, ...others } = store.settings.score;
    const changed = value ? { ...others, passPercent: value } : others;
    store.changeSetting("score", changed, { merge: "passPercent", drawn: false });
  });
  const rows = [
    createRow("score", "After submitting, show", show, score ? SOURCE_WARNING : ""),
    ...(score ? [createRow("passPercent", "Pass mark (%)", passMark, "Leave empty if there is none.")] : []),
  ];
  return [
    createElement("p", { class: "help", text: describeMaximum(fields) }),
    ...rows,
    ...createScoreFieldRows(store, redraw, fields),
  ];
}

function describeMaximum(fields) {
  if (!fields.some(isScored)) return "No option has points yet. Select a choice, and open “Points” below its options.";
  const rows = fields.some(({ type }) => type === "repeat") ? " Entries of repeated groups count once each." : "";
  return `Maximum: ${formatPoints(fields.reduce((sum, field) => sum + Math.round(computeMaxPoints(field) * 100), 0) / 100)}.${rows}`;
}

/** A button that adds a hidden field with the score, or its name if there is one. */
function createScoreFieldRows(store, redraw, fields) {
  const known = fields.find(({ calculate }) => calculate?.trim() === SCORE_CALCULATION);
  if (known)
    return [
      createElement("p", {
        class: "help",
        text: `The hidden field “${localizeLabel(known.label, store.language) || known.name}” has the score, for lists, exports and rules.`,
      }),
    ];
  const add = createButton("Add a field with the score", () => {
    if (fields.length >= store.page.maxFields)
      return announce(`A form can have at most ${store.page.maxFields} fields.`);
    const field = {
      type: "decimal",
      name: uniqueName("score", store.takenNames),
      label: "Score",
      hidden: true,
      calculate: SCORE_CALCULATION,
    };
    store.applyChange({ nodes: insertNode(store.nodes, null, store.nodes.length, createNode(field)) });
    redraw();
    announce("A hidden field with the score was added at the end of the form.");
  });
  return [
    createElement("div", { class: "actions" }, add),
    createElement("p", { class: "help", text: "A hidden field, for lists, exports, rules and texts." }),
  ];
}
