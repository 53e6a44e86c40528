// Rules in CEL, evaluated like on the server (domain/forms/rules/compiler.py); tests/rules checks both with one table.
// Only this file and rule_syntax.js know the library. Its differences, and why some functions are replaced: docs/decisions/0009.

import { Environment } from "@marcbachmann/cel-js";
import { toRuleInput, TEXT_KINDS } from "./rule_inputs.js";
import { RANDOM_VARIABLES, RANDOM_VARIABLE_KINDS } from "./random_values.js";
import { OverBudgetError } from "./rule_budget.js";
import { estimateSteps } from "./rule_costs.js";
import { CLOCK_VARIABLES } from "./device_time.js";
import { OVERRIDE_CALLS, throwRuleError, OVERRIDES } from "./cel_overrides.js";
import { RULE_FUNCTIONS, FUNCTION_CALLS } from "./rule_functions.js";
import { POSITION_FUNCTION, positionVariable, ROW_COUNT_FUNCTION, rowCountVariable } from "./repeat_row_positions.js";
import { POINTS_FUNCTION, pointsVariable, TOTAL_VARIABLES } from "./quiz_points.js";

const ANSWERED = "answered";
/** The types of the library by the kinds of answers (`domain/forms/fields/answer_kinds.py`); rows have kinds of their own. */
const TYPES = {
  INTEGER: "int",
  DECIMAL: "double",
  BOOLEAN: "bool",
  ...Object.fromEntries(TEXT_KINDS.map((kind) => [kind, "string"])),
  CHOICES: "list<string>",
  FILES: "list<string>",
  POSITION: "map<string, double>",
  POSITIONS: "list<map<string, double>>",
  OPTION: "map<string, string>",
  SAVED: "map<string, dyn>",
};
const MAX_EXACT_INTEGER = 2n ** 53n;
const ROWS = "list<map<string, dyn>>";
const REPLACED_CALLS = { ...OVERRIDE_CALLS, ...FUNCTION_CALLS };
const CONSTANT_CALLS = { ...CLOCK_VARIABLES, ...TOTAL_VARIABLES, ...RANDOM_VARIABLES };
const CLOCK_TYPES = Object.fromEntries(Object.values(CLOCK_VARIABLES).map((name) => [name, "TEXT"]));
const TOTAL_TYPES = Object.fromEntries(Object.values(TOTAL_VARIABLES).map((name) => [name, "DECIMAL"]));
const NAME_VARIABLES = {
  [POSITION_FUNCTION]: positionVariable,
  [ROW_COUNT_FUNCTION]: rowCountVariable,
  [POINTS_FUNCTION]: pointsVariable,
};

const baseEnvironment = new Environment({ homogeneousAggregateLiterals: false });
baseEnvironment.registerVariable(ANSWERED, "map<string, bool>");
for (const [signature, handler] of [...OVERRIDES, ...RULE_FUNCTIONS])
  baseEnvironment.registerFunction(signature, handler, { async: false });

// The library has no way to pass a value to a function without arguments. Evaluation is synchronous.
let constants = new Map();
// The rule passes the variable with the number of the row or of all rows, or the points.
for (const name of [POSITION_FUNCTION, ROW_COUNT_FUNCTION])
  baseEnvironment.registerFunction(`${name}(int): int`, (number) => number, { async: false });
baseEnvironment.registerFunction(`${POINTS_FUNCTION}(double): double`, (points) => points, { async: false });
for (const name of Object.values(CLOCK_VARIABLES))
  baseEnvironment.registerFunction(`${name}(): string`, () => constants.get(name) ?? throwRuleError(), {
    async: false,
  });
baseEnvironment.registerFunction(
  `${RANDOM_VARIABLES.uuid}(): string`,
  () => constants.get(RANDOM_VARIABLES.uuid) ?? throwRuleError(),
  { async: false },
);
for (const name of [...Object.values(TOTAL_VARIABLES), RANDOM_VARIABLES.random])
  baseEnvironment.registerFunction(`${name}(): double`, () => constants.get(name) ?? throwRuleError(), {
    async: false,
  });

/**
 * A rule: `isTrue(answers, budget)` tells whether it is true, `evaluate(answers, budget)` returns its value; false and
 * null if it fails. Both throw `OverBudgetError` before evaluating anything if `budget` might not be enough.
 *
 * `kinds` has the kinds of the answers by name; for a repeat, those of its rows.
 * `answers` are in the format of the API. `names` are the answers that the rule depends on.
 */
export function compileRule(text, kinds) {
  kinds = { ...kinds, ...CLOCK_TYPES, ...TOTAL_TYPES, ...RANDOM_VARIABLE_KINDS };
  const used = { names: new Set(), answeredNames: new Set() };
  const program = attempt(() => parse(text, kinds, used));
  const value = (answers, budget) =>
    (program ? attempt(() => evaluate(program, toContext(used, kinds, answers), budget)) : null) ?? null;
  const names = [...new Set([...used.names, ...used.answeredNames])];
  return {
    names,
    works: program !== undefined,
    evaluate: value,
    isTrue: (answers, budget) => value(answers, budget) === true,
  };
}

function evaluate(program, answers, budget) {
  const sized = new Map([...answers].filter(([name]) => name !== ANSWERED));
  budget.spend(estimateSteps(program.ast, sized));
  constants = answers;
  return toJsonValue(program(answers));
}

function parse(text, kinds, used) {
  const scope = baseEnvironment.clone();
  const program = scope.parse(text);
  collectNames(program.ast, used);
  used.names = new Set([...used.names].filter((name) => Object.hasOwn(kinds, name)));
  for (const name of used.names) scope.registerVariable(name, TYPES[kinds[name]] ?? ROWS);
  const { valid, error } = program.check();
  if (!valid) throw error;
  return program;
}

// Only the answers that the rule names are passed; missing ones, or those of another type, are absent.
function toContext({ names, answeredNames }, kinds, answers) {
  const readAnswer = (name) => (Object.hasOwn(answers, name) ? toRuleInput(kinds[name], answers[name]) : undefined);
  const context = new Map();
  for (const name of names) {
    const answer = readAnswer(name);
    if (answer !== undefined) context.set(name, answer);
  }
  const isAnswered = new Map();
  for (const name of answeredNames) isAnswered.set(name, readAnswer(name) !== undefined);
  return context.set(ANSWERED, isAnswered);
}

// Collects the names used by a rule, and replaces functions for which the library differs from the server.
function collectNames(node, used) {
  if (Array.isArray(node)) {
    for (const inner of node) collectNames(inner, used);
    return;
  }
  if (!node?.op || node.op === "value") return;
  if (node.op === "call" && Object.hasOwn(CONSTANT_CALLS, node.args[0])) {
    node.args[0] = CONSTANT_CALLS[node.args[0]];
    used.names.add(node.args[0]);
  }
  if (node.op === "call" && Object.hasOwn(NAME_VARIABLES, node.args[0]))
    node.args[1][0].args = NAME_VARIABLES[node.args[0]](node.args[1][0].args);
  if (node.op === "id") return void used.names.add(node.args);
  if ((node.op === "call" || node.op === "rcall") && Object.hasOwn(REPLACED_CALLS, node.args[0])) {
    node.args[0] = REPLACED_CALLS[node.args[0]];
  }
  if ((node.op === "." || node.op === "[]") && node.args[0].args === ANSWERED) {
    used.answeredNames.add(node.args[1].args ?? node.args[1]);
  }
  collectNames(node.args, used);
}

// As in JSON; values that JSON cannot represent exactly become null.
function toJsonValue(value) {
  if (typeof value === "bigint")
    return value <= MAX_EXACT_INTEGER && value >= -MAX_EXACT_INTEGER ? Number(value) : null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (value instanceof Map) return toJsonValue(Object.fromEntries(value));
  if (value?.constructor === Object) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJsonValue(member)]));
  }
  return typeof value === "object" ? null : value;
}

function attempt(act) {
  try {
    return act();
  } catch (error) {
    if (error instanceof OverBudgetError) throw error;
    return undefined;
  }
}
