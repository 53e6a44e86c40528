// Evaluates rules by the page's own module: [costs] comes first, then [text, steps, answers] gives {works, names, value, holds, steps}, line by line;
// [{steps, deviceTime}, answers] settles a whole form.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const fill = (name) => import(pathToFileURL(join(process.argv[2], "fill", name)));
const { compile } = await fill("rule_compiler.js");
const { Budget, useCosts } = await fill("rule_costs.js");
const { kindsOf, Program } = await fill("rule_program.js");
const { loadPatterns } = await fill("patterns.js");
await loadPatterns();

function evaluated(text, steps, answers) {
  const rule = compile(text, kindsOf(steps));
  const budget = new Spent();
  const value = rule.evaluate(answers, budget);
  return { works: rule.works, names: rule.names.sort(), value, holds: rule.isTrue(answers, new Budget()), steps: budget.spent };
}

/** A budget that tells how much of it was spent. */
class Spent extends Budget {
  spent = 0;

  spend(steps) {
    this.spent += steps;
    super.spend(steps);
  }
}

/** What a whole form comes to: the answers and what is broken, or where it is too costly. */
function settled({ steps, deviceTime }, answers) {
  const { costly, violations, answers: found } = new Program(steps, compile).evaluate(answers, deviceTime);
  if (costly) return { costly: costly.path };
  return { answers: found, broken: violations.map(({ path, what }) => [path, what]) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.length === 1) {
    useCosts(...asked);
    console.log("null");
    continue;
  }
  console.log(JSON.stringify(asked.length === 2 ? settled(...asked) : evaluated(...asked)));
}
