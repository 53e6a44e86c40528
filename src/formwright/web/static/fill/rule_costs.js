// The costs of rules, from the sizes of their answers: the counterpart of domain/forms/rules/costs.py, which explains them.
// Both count the same number of steps, so that the page stops at the same rule as the server.

import { costs, OverBudgetError } from "./rule_budget.js";
import { METHOD_NAMES, FUNCTION_NAMES } from "./rule_functions.js";
import { POSITION_FUNCTION, ROW_COUNT_FUNCTION } from "./repeat_row_positions.js";
import { POINTS_FUNCTION } from "./quiz_points.js";
import { countCharacters } from "./text_length.js";
import { patternSize } from "./patterns.js";

const LOOP_MACROS = ["all", "exists", "exists_one", "map", "filter"];

/** Return the steps for evaluating the library's tree `ast` over `answers`, a map of values as rules see them. */
export function estimateSteps(ast, answers) {
  const sizes = new Map([...answers].map(([name, value]) => [name, measure(value)]));
  const estimate = new RuleCostEstimate(sizes);
  estimate.charge(costs.EVALUATION);
  estimate.charge(costs.WRITTEN_PER_STEP * readingSteps(estimate.visit(ast, new Map())));
  return (
    estimate.steps +
    [...sizes.values()].reduce((sum, createSize) => sum + costs.STEPS_PER_INPUT * readingSteps(createSize), 0)
  );
}

/** An upper bound for a value of any type: the characters of a text, the items of a list or map, the length of keys. */
const createSize = (text, count = 0, item = null, key = 0) => ({ text, count, item, key });
const EMPTY = createSize(0);

const stepsAtRate = (steps, rate) => Math.floor(steps / rate);
const itemSize = (whole) => whole.item ?? EMPTY;
const upperBound = (sizes) => sizes.reduce(larger, EMPTY);

/** The steps to read all of it once. */
function readingSteps(whole) {
  const items = whole.count
    ? whole.count * (1 + stepsAtRate(whole.key, costs.READ_PER_STEP) + readingSteps(itemSize(whole)))
    : 0;
  return stepsAtRate(whole.text, costs.READ_PER_STEP) + items;
}

function larger(one, other) {
  if (one === EMPTY || one === other) return other;
  if (other === EMPTY) return one;
  const item = one.item && other.item ? larger(one.item, other.item) : (one.item ?? other.item);
  return createSize(
    Math.max(one.text, other.text),
    Math.max(one.count, other.count),
    item,
    Math.max(one.key, other.key),
  );
}

function measure(value) {
  if (typeof value === "string") return createSize(countCharacters(value));
  if (Array.isArray(value)) return createSize(0, value.length, upperBound(value.map(measure)));
  if (!(value instanceof Map)) return EMPTY;
  const key = Math.max(0, ...[...value.keys()].map(countCharacters));
  return createSize(0, value.size, upperBound([...value.values()].map(measure)), key);
}

class RuleCostEstimate {
  steps = 0;
  #sizes;
  #times = 1;
  #iterations = 0;

  constructor(sizes) {
    this.#sizes = sizes;
  }

  charge(steps) {
    this.steps += steps * this.#times;
    if (this.steps > costs.RULE_STEPS) throw new OverBudgetError();
  }

  visit(node, local) {
    this.charge(1);
    const { op, args } = node;
    if (op === "value") return typeof args === "string" ? createSize(countCharacters(args)) : EMPTY;
    if (op === "id") return local.get(args) ?? this.#sizes.get(args) ?? EMPTY;
    if (op === "rcall" && LOOP_MACROS.includes(args[0])) return this.#visitLoop(args, local);
    if (op === "call" && [POSITION_FUNCTION, ROW_COUNT_FUNCTION, POINTS_FUNCTION].includes(args[0])) return EMPTY; // On the server, it is a variable.
    const sizes = childNodes(node).map((part) => this.visit(part, local));
    if (op === "." || op === "[]") return itemSize(sizes[0]);
    if (op === "list") return this.#visitList(sizes);
    if (op === "map") return this.#visitMap(sizes);
    if (op === "?:") return upperBound(sizes.slice(1));
    if (op === "+") return this.#visitSum(...sizes);
    if (op === "rcall" && args[0] === "_matches") return this.#visitMatch(sizes[0], args[2][0].args);
    if (op === "call" && this.#sizes.has(args[0])) return this.#sizes.get(args[0]); // The clock and totals.
    if (op === "call" || op === "rcall") return this.#visitCall(args[0], ...sizes);
    return this.#visitOperator(op, ...sizes);
  }

  #visitList(sizes) {
    this.charge(sizes.length);
    return createSize(0, sizes.length, upperBound(sizes));
  }

  #visitMap(sizes) {
    this.charge(sizes.length);
    const keys = sizes.filter((_, at) => at % 2 === 0);
    const values = sizes.filter((_, at) => at % 2 === 1);
    return createSize(0, values.length, upperBound(values), upperBound(keys).text);
  }

  #visitSum(one, other) {
    const item = upperBound([itemSize(one), itemSize(other)]);
    const whole = createSize(one.text + other.text, one.count + other.count, item);
    this.charge(stepsAtRate(whole.text, costs.WRITTEN_PER_STEP) + whole.count);
    return whole;
  }

  #visitMatch(subject, pattern) {
    this.charge(costs.STEPS_PER_MATCH + stepsAtRate(subject.text * patternSize(pattern), costs.MATCHED_PER_STEP));
    return EMPTY;
  }

  #visitCall(name, subject, ...args) {
    if (FUNCTION_NAMES.has(name)) {
      this.charge(costs.STEPS_PER_OWN_CALL);
      return this.#visitRuleFunction(name, subject, ...args);
    }
    const { text: length } = args[0] ?? EMPTY;
    if (name === "contains") this.charge(stepsAtRate(subject.text * Math.max(length, 1), costs.READ_PER_STEP));
    else if (name === "startsWith" || name === "endsWith")
      this.charge(stepsAtRate(Math.min(subject.text, length), costs.READ_PER_STEP));
    else this.charge(stepsAtRate(subject.text, name === "_string" ? costs.WRITTEN_PER_STEP : costs.READ_PER_STEP));
    return name === "_string" ? createSize(Math.max(subject.text, costs.MAX_CONVERTED_LENGTH)) : EMPTY;
  }

  #visitRuleFunction(name, subject, ...args) {
    if (["_sum", "_min", "_max"].includes(name)) {
      this.charge(subject.count * costs.STEPS_PER_NUMBER);
      return EMPTY;
    }
    if (["_distance", "_perimeter", "_area"].includes(name)) {
      this.charge(subject.count * costs.STEPS_PER_POINT);
      return EMPTY;
    }
    if (name === "_join") {
      const writtenLength = subject.count * (itemSize(subject).text + args[0].text);
      this.charge(subject.count + stepsAtRate(writtenLength, costs.WRITTEN_PER_STEP));
      return createSize(writtenLength);
    }
    if (name === "_words") {
      this.charge(stepsAtRate(subject.text, costs.WRITTEN_PER_STEP) + stepsAtRate(subject.text, 2));
      return createSize(0, stepsAtRate(subject.text + 1, 2), createSize(subject.text));
    }
    if (name === "_replace") {
      const writtenLength = subject.text * Math.max(args[1].text, 1);
      this.charge(stepsAtRate(subject.text + writtenLength, costs.WRITTEN_PER_STEP));
      return createSize(writtenLength);
    }
    if (name === "_digest") {
      this.charge(stepsAtRate(subject.text, costs.WRITTEN_PER_STEP));
      return createSize(costs.DIGEST_LENGTH);
    }
    if (name === "_addDays" || name === "_addMonths") {
      this.charge(stepsAtRate(subject.text, costs.READ_PER_STEP));
      return createSize(costs.DATE_LENGTH);
    }
    if (name === "_indexOf") {
      this.charge(stepsAtRate(subject.text * Math.max(args[0].text, 1), costs.READ_PER_STEP));
      return EMPTY;
    }
    const length = args.reduce((sum, { text }) => sum + text, subject.text);
    if (METHOD_NAMES.has(name)) {
      this.charge(stepsAtRate(length, costs.WRITTEN_PER_STEP));
      return createSize(subject.text);
    }
    this.charge(stepsAtRate(length, costs.READ_PER_STEP));
    return EMPTY;
  }

  #visitOperator(op, one, other = EMPTY) {
    if (op === "==" || op === "!=") this.charge(Math.min(readingSteps(one), readingSteps(other)));
    else if (["<", "<=", ">", ">="].includes(op))
      this.charge(stepsAtRate(Math.min(one.text, other.text), costs.READ_PER_STEP));
    else if (op === "in") {
      const each = Math.max(stepsAtRate(other.key, costs.READ_PER_STEP), readingSteps(itemSize(other)));
      this.charge(other.count * (1 + Math.min(readingSteps(one), each)));
    }
    return EMPTY;
  }

  #visitLoop([name, through, [variable, ...bodies]], local) {
    const whole = this.visit(through, local);
    // A loop over a map iterates over its keys.
    const [rounds, each] = [whole.count, upperBound([itemSize(whole), createSize(whole.key)])];
    const before = this.#times;
    this.#times *= rounds;
    this.#iterations += this.#times;
    if (this.#iterations > costs.ITERATIONS) throw new OverBudgetError();
    const sizes = bodies.map((body) => this.visit(body, new Map([...local, [variable.args, each]])));
    this.#times = before;
    if (name !== "map" && name !== "filter") return EMPTY;
    this.charge(stepsAtRate(rounds * rounds, costs.COPIED_PER_STEP));
    return createSize(0, rounds, name === "map" ? sizes.at(-1) : each);
  }
}

/** The children of a node, in the order of the server's tree. */
function childNodes({ op, args }) {
  if (op === "call") return args[1];
  if (op === "rcall") return [args[1], ...args[2]];
  if (op === "list") return args;
  if (op === "map") return args.flat();
  if (op === ".") return [args[0]];
  return Array.isArray(args) ? args : [args];
}
