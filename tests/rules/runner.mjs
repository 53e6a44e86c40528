// Evaluates rules by the page's own module: [text, types, answers] gives {works, names, value, holds, steps}, line by line;
// [{steps, kinds, deviceTime}, answers] settles a whole form.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const fill = (name) => import(pathToFileURL(join(process.argv[2], "fill", name)));
const { compile } = await fill("rules.js");
const { Budget } = await fill("costs.js");
const { Program } = await fill("program.js");
const { loadPatterns } = await fill("patterns.js");
await loadPatterns();

function evaluated(text, types, answers) {
  const rule = compile(text, types);
  const budget = new Spent();
  const value = rule.value(answers, budget);
  return { works: rule.works, names: rule.names.sort(), value, holds: rule.holds(answers, new Budget()), steps: budget.spent };
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
function settled({ steps, kinds, deviceTime }, answers) {
  const { costly, broken, answers: found } = new Program(steps, kinds, compile).settle(answers, deviceTime);
  if (costly) return { costly: costly.path };
  return { answers: found, broken: broken.map(({ path, what }) => [path, what]) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  console.log(JSON.stringify(asked.length === 2 ? settled(...asked) : evaluated(...asked)));
}
