// Evaluates rules by the page's own module: [costs] comes first, then [text, steps, answers] gives {works, names, value, holds, steps}, line by line;
// [{steps, deviceTime}, answers] evaluates a whole form.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const fill = (name) => import(pathToFileURL(join(process.argv[2], "fill", name)));
const { compileRule } = await fill("rule_compiler.js");
const { StepBudget, setCosts } = await fill("rule_budget.js");
const { answerKinds, RuleProgram } = await fill("rule_program.js");
const { loadDigests } = await fill("digests.js");
const { loadPatternEngine } = await fill("patterns.js");
await loadPatternEngine();
await loadDigests();

function evaluateRule(text, steps, answers) {
  const rule = compileRule(text, answerKinds(steps));
  const budget = new RecordingBudget();
  const value = rule.evaluate(answers, budget);
  return { works: rule.works, names: rule.names.sort(), value, holds: rule.isTrue(answers, new StepBudget()), steps: budget.spent };
}

/** A budget that tells how much of it was spent. */
class RecordingBudget extends StepBudget {
  spent = 0;

  spend(steps) {
    this.spent += steps;
    super.spend(steps);
  }
}

/** What a whole form comes to: the answers and what is broken, or where it is too costly. */
function evaluateForm({ steps, deviceTime }, answers) {
  const { costly, violations, answers: found } = new RuleProgram(steps, compileRule).evaluate(answers, deviceTime);
  if (costly) return { costly: costly.path };
  return { answers: found, broken: violations.map(({ path, what }) => [path, what]) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.length === 1) {
    setCosts(...request);
    console.log("null");
    continue;
  }
  console.log(JSON.stringify(request.length === 2 ? evaluateForm(...request) : evaluateRule(...request)));
}
