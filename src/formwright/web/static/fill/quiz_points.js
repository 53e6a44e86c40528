// Points of options in rules: `points(field)`, `score()` and `maxScore()`, as in domain/forms/fields/choices.py.
// They are added as whole hundredths, so that the server and the page compute the same number.

/** The functions of the totals, and the variables that stand for the calls, as in domain/forms/rules/dialect.py. */
export const TOTAL_VARIABLES = { score: "_score_", maxScore: "_maxScore_" };
export const POINTS_FUNCTION = "points";
export const HUNDREDTHS_PER_POINT = 100;

/** Return the variable with the points of a field, which is not a possible name of a field. */
export const pointsVariable = (name) => `_points_${name}`;

/** Return the totals of a level as rules see them. */
export const totalVariables = ({ score, maxScore }) => ({
  _score_: score / HUNDREDTHS_PER_POINT,
  _maxScore_: maxScore / HUNDREDTHS_PER_POINT,
});

/** Return the hundredths that an answer brings, as rules see it. */
export const countPoints = (points, value) =>
  [value].flat().reduce((sum, option) => sum + (Object.hasOwn(points, option) ? points[option] : 0), 0);
