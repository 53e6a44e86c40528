// The syntax tree of a rule, with the same nodes as on the server (domain/forms/rules/syntax.py), to read rules without
// evaluating them. Like rule_compiler.js, it knows the library, so that nothing else has to.

import { parse } from "@marcbachmann/cel-js";

/**
 * `text` is the name of a function, field or property; `value` that of a literal: integers are of type BigInt. The first
 * argument of a method is the value before the dot. Parentheses have no node.
 * @typedef {{op: string, text: string, value?: any, args: SyntaxNode[]}} SyntaxNode
 */

/**
 * Return the tree of a rule, or null if it has a syntax error.
 * @returns {SyntaxNode | null}
 */
export function parseSyntax(rule) {
  try {
    return convert(parse(rule).ast);
  } catch {
    return null;
  }
}

/** @returns {SyntaxNode} */
const createNode = (op, args, text = "") => ({ op, text, args: args.map(convert) });

const CONVERTERS = {
  value: (value) => ({ op: "value", text: "", value, args: [] }),
  id: (name) => createNode("name", [], name),
  ".": ([of, name]) => createNode("select", [of], name),
  "[]": (args) => createNode("index", args),
  call: ([name, args]) => createNode("call", args, name),
  rcall: ([name, of, args]) => createNode("method", [of, ...args], name),
  map: (entries) => createNode("map", entries.flat()),
  "!_": (one) => createNode("!", [one]),
  "-_": (one) => negate(createNode("-", [one])),
};

/** @returns {SyntaxNode} */
const convert = ({ op, args }) => CONVERTERS[op]?.(args) ?? createNode(op, args);

/** A sign before a number is part of it. */
function negate(node) {
  const [{ op, value }] = node.args;
  return op === "value" && ["bigint", "number"].includes(typeof value) ? { ...node.args[0], value: -value } : node;
}
