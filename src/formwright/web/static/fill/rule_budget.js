// The steps that the rules of a submission may take. What counts them, rule_costs.js, is loaded only by forms with rules.

/** The limits and the steps of operations, by the names that they have on the server. */
export let costs;

/** Take over the costs from the page. Without rules, nothing is charged. */
export function setCosts(pageCosts) {
  costs = pageCosts;
}

/** A rule that must not be evaluated, because it might need more steps than are left. */
export class OverBudgetError extends Error {}

/** The steps left for the rules of one submission. */
export class StepBudget {
  #left = costs.SUBMISSION_STEPS;

  spend(steps) {
    this.#left -= steps;
    if (steps > costs.RULE_STEPS || this.#left < 0) throw new OverBudgetError();
  }
}
