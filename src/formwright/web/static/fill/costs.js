// The costs of rules, from the sizes of their answers: the counterpart of domain/forms/rules/costs.py, which explains them.
// Both count the same number of steps, so that the page stops at the same rule as the server.

import { OWN_METHODS, OWN_NAMES } from "./own_functions.js";
import { POSITION, ROW_COUNT } from "./row_positions.js";
import { POINTS } from "./scores.js";
import { characters } from "./text_length.js";
import { patternSize } from "./patterns.js";

export const RULE_STEPS = 1_000_000;
export const SUBMISSION_STEPS = 5_000_000;
const ITERATIONS = 9_999;
const EVALUATION = 50;
const READ = 100;
const MADE = 10;
const CALLED = 50;
const MATCHED = 6;
const HANDED = 3;
const COPIED = 5;
const CONVERTED = 40;
const [OWN_CALL, NUMBER, POINT, DATE] = [20, 3, 80, 10];
const LOOPS = ["all", "exists", "exists_one", "map", "filter"];

/** A rule that must not be evaluated, because it might need more steps than are left. */
export class OverBudget extends Error {}

/** The steps left for the rules of one submission. */
export class Budget {
  #left = SUBMISSION_STEPS;

  spend(steps) {
    this.#left -= steps;
    if (steps > RULE_STEPS || this.#left < 0) throw new OverBudget();
  }
}

/** Return the steps for evaluating the library's tree `ast` over `answers`, a map of values as rules see them. */
export function stepsOf(ast, answers) {
  const sizes = new Map([...answers].map(([name, value]) => [name, measure(value)]));
  const estimate = new Estimate(sizes);
  estimate.charge(EVALUATION);
  estimate.charge(MADE * weight(estimate.visit(ast, new Map())));
  return estimate.steps + [...sizes.values()].reduce((sum, size) => sum + HANDED * weight(size), 0);
}

/** An upper bound for a value of any type: the characters of a text, the items of a list or map, the length of keys. */
const size = (text, count = 0, item = null, key = 0) => ({ text, count, item, key });
const NOTHING = size(0);

const per = (steps, rate) => Math.floor(steps / rate);
const inside = (whole) => whole.item ?? NOTHING;
const joined = (sizes) => sizes.reduce(join, NOTHING);

/** The steps to read all of it once. */
function weight(whole) {
  const items = whole.count ? whole.count * (1 + per(whole.key, READ) + weight(inside(whole))) : 0;
  return per(whole.text, READ) + items;
}

function join(one, other) {
  if (one === NOTHING || one === other) return other;
  if (other === NOTHING) return one;
  const item = one.item && other.item ? join(one.item, other.item) : one.item ?? other.item;
  return size(Math.max(one.text, other.text), Math.max(one.count, other.count), item, Math.max(one.key, other.key));
}

function measure(value) {
  if (typeof value === "string") return size(characters(value));
  if (Array.isArray(value)) return size(0, value.length, joined(value.map(measure)));
  if (!(value instanceof Map)) return NOTHING;
  const key = Math.max(0, ...[...value.keys()].map(characters));
  return size(0, value.size, joined([...value.values()].map(measure)), key);
}

class Estimate {
  steps = 0;
  #sizes;
  #times = 1;
  #iterations = 0;

  constructor(sizes) {
    this.#sizes = sizes;
  }

  charge(steps) {
    this.steps += steps * this.#times;
    if (this.steps > RULE_STEPS) throw new OverBudget();
  }

  visit(node, local) {
    this.charge(1);
    const { op, args } = node;
    if (op === "value") return typeof args === "string" ? size(characters(args)) : NOTHING;
    if (op === "id") return local.get(args) ?? this.#sizes.get(args) ?? NOTHING;
    if (op === "rcall" && LOOPS.includes(args[0])) return this.#loop(args, local);
    if (op === "call" && [POSITION, ROW_COUNT, POINTS].includes(args[0])) return NOTHING; // On the server, it is a variable.
    const found = parts(node).map((part) => this.visit(part, local));
    if (op === "." || op === "[]") return inside(found[0]);
    if (op === "list") return this.#list(found);
    if (op === "map") return this.#map(found);
    if (op === "?:") return joined(found.slice(1));
    if (op === "+") return this.#sum(...found);
    if (op === "rcall" && args[0] === "_matches") return this.#match(found[0], args[2][0].args);
    if (op === "call" && this.#sizes.has(args[0])) return this.#sizes.get(args[0]); // The clock and totals.
    if (op === "call" || op === "rcall") return this.#call(args[0], ...found);
    return this.#operator(op, ...found);
  }

  #list(found) {
    this.charge(found.length);
    return size(0, found.length, joined(found));
  }

  #map(found) {
    this.charge(found.length);
    const keys = found.filter((_, at) => at % 2 === 0);
    const values = found.filter((_, at) => at % 2 === 1);
    return size(0, values.length, joined(values), joined(keys).text);
  }

  #sum(one, other) {
    const item = joined([inside(one), inside(other)]);
    const whole = size(one.text + other.text, one.count + other.count, item);
    this.charge(per(whole.text, MADE) + whole.count);
    return whole;
  }

  #match(on, pattern) {
    this.charge(CALLED + per(on.text * patternSize(pattern), MATCHED));
    return NOTHING;
  }

  #call(name, on, ...args) {
    if (OWN_NAMES.has(name)) {
      this.charge(OWN_CALL);
      return this.#own(name, on, ...args);
    }
    const { text: length } = args[0] ?? NOTHING;
    if (name === "contains") this.charge(per(on.text * Math.max(length, 1), READ));
    else if (name === "startsWith" || name === "endsWith") this.charge(per(Math.min(on.text, length), READ));
    else this.charge(per(on.text, name === "_string" ? MADE : READ));
    return name === "_string" ? size(Math.max(on.text, CONVERTED)) : NOTHING;
  }

  #own(name, on, ...args) {
    if (["_sum", "_min", "_max"].includes(name)) {
      this.charge(on.count * NUMBER);
      return NOTHING;
    }
    if (["_distance", "_perimeter", "_area"].includes(name)) {
      this.charge(on.count * POINT);
      return NOTHING;
    }
    if (name === "_join") {
      const made = on.count * (inside(on).text + args[0].text);
      this.charge(on.count + per(made, MADE));
      return size(made);
    }
    if (name === "_words") {
      this.charge(per(on.text, MADE) + per(on.text, 2));
      return size(0, per(on.text + 1, 2), size(on.text));
    }
    if (name === "_replace") {
      const made = on.text * Math.max(args[1].text, 1);
      this.charge(per(on.text + made, MADE));
      return size(made);
    }
    if (name === "_addDays" || name === "_addMonths") {
      this.charge(per(on.text, READ));
      return size(DATE);
    }
    if (OWN_METHODS.has(name)) {
      this.charge(per(on.text, MADE));
      return size(on.text);
    }
    this.charge(per(on.text + args.reduce((sum, { text }) => sum + text, 0), READ));
    return NOTHING;
  }

  #operator(op, one, other = NOTHING) {
    if (op === "==" || op === "!=") this.charge(Math.min(weight(one), weight(other)));
    else if (["<", "<=", ">", ">="].includes(op)) this.charge(per(Math.min(one.text, other.text), READ));
    else if (op === "in") {
      const each = Math.max(per(other.key, READ), weight(inside(other)));
      this.charge(other.count * (1 + Math.min(weight(one), each)));
    }
    return NOTHING;
  }

  #loop([name, through, [variable, ...bodies]], local) {
    const whole = this.visit(through, local);
    // A loop over a map iterates over its keys.
    const [turns, each] = [whole.count, joined([inside(whole), size(whole.key)])];
    const before = this.#times;
    this.#times *= turns;
    this.#iterations += this.#times;
    if (this.#iterations > ITERATIONS) throw new OverBudget();
    const found = bodies.map((body) => this.visit(body, new Map([...local, [variable.args, each]])));
    this.#times = before;
    if (name !== "map" && name !== "filter") return NOTHING;
    this.charge(per(turns * turns, COPIED));
    return size(0, turns, name === "map" ? found.at(-1) : each);
  }
}

/** The children of a node, in the order of the server's tree. */
function parts({ op, args }) {
  if (op === "call") return args[1];
  if (op === "rcall") return [args[1], ...args[2]];
  if (op === "list") return args;
  if (op === "map") return args.flat();
  if (op === ".") return [args[0]];
  return Array.isArray(args) ? args : [args];
}
