// Points of options, and what people see of the score of the form.

import { button, el, fresh, say } from "../dom.js";
import { traits } from "./field_types.js";
import { insert, node, walk } from "./field_tree.js";
import { unique } from "./field_names.js";
import { inLanguage } from "./labels.js";
import { number } from "./number_input.js";
import { choice, collapsible, row } from "./setting_rows.js";

const SHOWN = 100;
const LIMITS = { placeholder: "0" };
const CALCULATION = "score()";

/** The points of a field's options, which `set(options, typed)` stores. `draw` follows changed options. */
export function optionPoints(edit, set) {
  const list = el("ol", { class: "option-points" });
  const most = el("p", { class: "help", role: "status" });
  const box = collapsible(
    "Points",
    isScored(edit.get()),
    el("p", {
      class: "help",
      text: "For quizzes and scores. Wrong answers can have negative points. Rules know them as points() and score().",
    }),
    list,
    most,
  );
  const tell = () => (most.textContent = `Maximum: ${format(maxPoints(edit.get()))}`);
  const line = (option, index) => {
    const change = (points) => {
      const { options } = edit.get();
      const { points: _, ...rest } = options[index];
      set(options.with(index, points ? { ...rest, points } : rest), `${edit.id} options ${index} points`);
      tell();
    };
    const input = number(option.points, change, { ...LIMITS, id: fresh("points") });
    return el(
      "li",
      {},
      el("label", { for: input.id, text: inLanguage(option.label, edit.store.language) || option.value }),
      input,
    );
  };
  const draw = () => {
    list.replaceChildren(...(box.open ? edit.get().options.slice(0, SHOWN).map(line) : []));
    tell();
  };
  box.addEventListener("toggle", draw);
  draw();
  return { box, draw };
}

export const hasPoints = (options) => options.some(({ points }) => points);
const isScored = ({ options = [] }) => hasPoints(options);

/** Return the most points that an answer can bring, like the server (domain/forms/fields/choices.py). */
export function maxPoints({ type, options = [], maxChoices = Infinity }) {
  // What is no number yet counts nothing.
  const worth = ({ points }) => (typeof points === "number" ? Math.round(points * 100) : 0);
  if (!traits(type).isChoice) return 0;
  if (traits(type).answerKind === "CHOICE") return Math.max(0, ...options.map(worth)) / 100;
  const together = options
    .filter((one) => !one.exclusive)
    .map(worth)
    .filter((one) => one > 0)
    .sort((one, other) => other - one);
  const sum = together.slice(0, maxChoices).reduce((one, other) => one + other, 0);
  return Math.max(sum, ...options.filter((one) => one.exclusive).map(worth)) / 100;
}

const format = (points) => `${new Intl.NumberFormat("en").format(points)} ${points === 1 ? "point" : "points"}`;

const DISPLAYS = [
  ["", "Nothing"],
  ["score", "The score"],
  ["results", "The score, and which answers are right"],
];
const OPEN = "People who look into the page’s source can find the points there.";

/** What people see of the score after submitting, and a hidden field with it. */
export function scoreMembers(store) {
  const box = collapsible("Score", Boolean(store.settings.score));
  const summary = box.firstChild;
  const draw = () =>
    box.replaceChildren(summary, ...scoreRows(store, () => (draw(), box.querySelector("select").focus())));
  draw();
  return box;
}

/** `redraw` shows the rows again. */
function scoreRows(store, redraw) {
  const { score } = store.settings;
  const fields = [...walk(store.nodes)].map((one) => one.node.field);
  const write = (change, more) => {
    const { score: before, ...settings } = store.settings;
    const after = change(before);
    store.change({ settings: after ? { ...settings, score: after } : settings }, more);
  };
  const show = choice(DISPLAYS, score?.show ?? "", (value) => {
    write((before) => value && { ...before, show: value });
    redraw();
  });
  const mark = number(
    score?.passPercent,
    (value) =>
      write(({ passPercent: _, ...before }) => (value ? { ...before, passPercent: value } : before), {
        merge: "passPercent",
        drawn: false,
      }),
    { step: "1" },
  );
  const members = [
    row("score", "After submitting, show", show, score ? OPEN : ""),
    ...(score ? [row("passPercent", "Pass mark (%)", mark, "Leave empty if there is none.")] : []),
  ];
  return [el("p", { class: "help", text: describe(fields) }), ...members, ...scoreField(store, redraw, fields)];
}

function describe(fields) {
  if (!fields.some(isScored)) return "No option has points yet. Select a choice, and open “Points” below its options.";
  const rows = fields.some(({ type }) => type === "repeat") ? " Entries of repeated groups count once each." : "";
  return `Maximum: ${format(fields.reduce((sum, field) => sum + Math.round(maxPoints(field) * 100), 0) / 100)}.${rows}`;
}

/** A button that adds a hidden field with the score, or its name if there is one. */
function scoreField(store, redraw, fields) {
  const known = fields.find(({ calculate }) => calculate?.trim() === CALCULATION);
  if (known)
    return [
      el("p", {
        class: "help",
        text: `The hidden field “${inLanguage(known.label, store.language) || known.name}” has the score, for lists, exports and rules.`,
      }),
    ];
  const add = button("Add a field with the score", () => {
    if (fields.length >= store.page.maxFields) return say(`A form can have at most ${store.page.maxFields} fields.`);
    const field = {
      type: "decimal",
      name: unique("score", store.taken),
      label: "Score",
      hidden: true,
      calculate: CALCULATION,
    };
    store.change({ nodes: insert(store.nodes, null, store.nodes.length, node(field)) });
    redraw();
    say("A hidden field with the score was added at the end of the form.");
  });
  return [
    el("div", { class: "actions" }, add),
    el("p", { class: "help", text: "A hidden field, for lists, exports, rules and texts." }),
  ];
}
