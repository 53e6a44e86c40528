// Judges answers by the page's own modules: for each line {steps, costs, sets} it writes one, a
// {sent, answers, wrong: [path, …]} for each set of answers.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const module = (name) => import(pathToFileURL(join(process.argv[2], "fill", name)));
const [{ Program, hasAnswer }, { compile }, { check }, { isAnswered }, { outgoing }, { loadPatterns }, { useCosts }] = await Promise.all(
  ["rule_program.js", "rule_compiler.js", "../fields/types.js", "rule_inputs.js", "answer_conversion.js", "patterns.js", "rule_costs.js"].map(module),
);
await loadPatterns();

function judged({ steps, costs, sets }) {
  useCosts(costs);
  const program = new Program(steps, compile);
  return sets.map((data) => judgement(program, steps, outgoing(steps, data)));
}

function judgement(program, steps, sent) {
  const found = program.evaluate(sent);
  return { sent, answers: found.answers, wrong: [...found.violations.map(({ path }) => path), ...faults(steps, found, [])] };
}

// What the form library asks for as required, and what `fields/types.js` says of each answer.
function faults(steps, level, path) {
  return steps.filter((step) => hasAnswer(step) && level.shown.has(step.name)).flatMap((step) => [
    ...(wrong(step, level.answers[step.name]) ? [[...path, step.name]] : []),
    ...(level.rows[step.name] ?? []).flatMap((row, index) => faults(step.rows, row, [...path, step.name, index])),
  ]);
}

const wrong = (step, value) => (isAnswered(value) ? check(step, value) : step.required && !step.calculate);

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(judged(JSON.parse(line)))}\n`);
}
