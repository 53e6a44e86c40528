// Fills in forms with the page's own modules, as a person does: [{steps, costs, defaults, deviceTime}, actions] gives the
// result of the rules, line by line. An action is [path, value]; the value "!row" adds a row.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const fill = (name) => import(pathToFileURL(join(process.argv[2], "fill", name)));
const { compileRule } = await fill("rule_compiler.js");
const { setCosts } = await fill("rule_budget.js");
const { RuleProgram } = await fill("rule_program.js");
const { InitialAnswers } = await fill("initial_answers.js");
const { loadPatternEngine } = await fill("patterns.js");
const { toApiAnswers, toPageAnswer } = await fill("answer_conversion.js");
await loadPatternEngine();

/** The answers of a form or row, in place of the survey that the page shows. */
class Place {
  answers = {};
  rows = {};
  data = this;

  constructor(steps, defaults) {
    this.steps = steps;
    this.defaults = defaults;
    for (const step of steps) {
      if (step.rows) this.rows[step.name] = [];
      else if (defaults[step.name] !== undefined) this.answers[step.name] = toPageAnswer(step, defaults[step.name]);
    }
  }

  getQuestionByName(name) {
    return this.rows[name] && { panels: this.rows[name] };
  }

  setValue(name, value) {
    this.answers[name] = value;
  }

  addRow(name) {
    this.rows[name].push(new Place(this.steps.find((step) => step.name === name).rows, this.defaults));
  }

  get values() {
    const rows = Object.entries(this.rows).map(([name, some]) => [name, some.map(({ values }) => values)]);
    return { ...this.answers, ...Object.fromEntries(rows.filter(([, some]) => some.length)) };
  }

  /** Remove chosen options that are no longer offered, as the page does. Returns whether there were any. */
  withdraw(found) {
    let changed = false;
    for (const { name, calculate, rows } of this.steps) {
      for (const [index, row] of (rows ? (found.rows[name] ?? []) : []).entries()) changed = this.rows[name][index].withdraw(row) || changed;
      const offered = found.shown.has(name) && !calculate && found.offered[name];
      const chosen = [this.answers[name] ?? []].flat();
      if (!offered || chosen.every((value) => offered.has(value))) continue;
      const rest = chosen.filter((value) => offered.has(value));
      this.setValue(name, rest.length ? rest : undefined);
      changed = true;
    }
    return changed;
  }
}

function play({ steps, costs, defaults, deviceTime }, actions) {
  setCosts(costs);
  const program = new RuleProgram(steps, compileRule);
  const survey = new Place(steps, defaults);
  const initial = new InitialAnswers(steps, survey, () => undefined);
  let found;
  const settle = () => {
    initial.startChange();
    let changed = true;
    for (let turn = 0; changed; turn++) {
      if (turn === 50) throw new Error("The answers do not settle.");
      found = program.evaluate(toApiAnswers(steps, survey.values), deviceTime);
      changed = survey.withdraw(found);
      changed = initial.apply(found) || changed;
    }
  };
  settle();
  for (const [path, value] of actions) {
    let [place, level] = [survey, found];
    const around = value === "!row" ? path.length - 2 : path.length - 1;
    for (let at = 0; at < around; at += 2) [place, level] = [place.rows[path[at]][path[at + 1]], level?.rows[path[at]]?.[path[at + 1]]];
    if (value === "!row") place.addRow(path.at(-2));
    // Nobody can answer a hidden question.
    else if (level?.shown.has(path.at(-1))) place.setValue(path.at(-1), toPageAnswer(place.steps.find(({ name }) => name === path.at(-1)), value));
    settle();
  }
  const broken = found.violations.map(({ path, what }) => [path, what]);
  return { level: asJson(found), broken, sent: toApiAnswers(steps, survey.values) };
}

function asJson({ answers, shown, required, readOnly, offered, counts, rows }) {
  const sets = Object.fromEntries(Object.entries(offered).map(([name, values]) => [name, [...values]]));
  const inner = Object.fromEntries(Object.entries(rows).map(([name, some]) => [name, some.map(asJson)]));
  return { answers, shown: [...shown], required: [...required], readOnly: [...readOnly], offered: sets, counts, rows: inner };
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(play(...JSON.parse(line))));
