// Checks answers by the page's own modules: for each line {steps, costs, sets} it writes one, a
// {sent, answers, wrong: [path, …]} for each set of answers.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const module = (name) => import(pathToFileURL(join(process.argv[2], "fill", name)));
const [{ RuleProgram, hasAnswer }, { compileRule }, { checkAnswer }, { isAnswered }, { toApiAnswers }, { loadPatternEngine }, { setCosts }] = await Promise.all(
  ["rule_program.js", "rule_compiler.js", "../fields/types.js", "rule_inputs.js", "answer_conversion.js", "patterns.js", "rule_budget.js"].map(module),
);
await loadPatternEngine();

function checkSets({ steps, costs, sets }) {
  setCosts(costs);
  const program = new RuleProgram(steps, compileRule);
  return sets.map((data) => checkAnswers(program, steps, toApiAnswers(steps, data)));
}

function checkAnswers(program, steps, sent) {
  const found = program.evaluate(sent);
  return { sent, answers: found.answers, wrong: [...found.violations.map(({ path }) => path), ...findWrong(steps, found, [])] };
}

// What the form library asks for as required, and what `fields/types.js` says of each answer.
function findWrong(steps, level, path) {
  return steps.filter((step) => hasAnswer(step) && level.shown.has(step.name)).flatMap((step) => [
    ...(isWrong(step, level.answers[step.name]) ? [[...path, step.name]] : []),
    ...(level.rows[step.name] ?? []).flatMap((row, index) => findWrong(step.rows, row, [...path, step.name, index])),
  ]);
}

const isWrong = (step, value) => (isAnswered(value) ? checkAnswer(step, value) : step.required && !step.calculate);

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(checkSets(JSON.parse(line)))}\n`);
}
