// The score and the results of a quiz, which the page shows after submitting, also without a network.

import { answerPath } from "./rule_evaluator.js";
import { countPoints, HUNDREDTHS_PER_POINT } from "./quiz_points.js";
import { t } from "./texts.js";
import { element } from "./dom.js";

/** Show in `box` what the form shows of the score: nothing, the points, or also the questions with points. */
export function showQuizResults(box, { survey, evaluator, page }) {
  const { score = 0, maxScore = 0 } = evaluator.level ?? {};
  box.hidden = !page.score || (!score && !maxScore);
  if (box.hidden) return;
  const shown = page.score.show === "results" ? listQuestions(survey, evaluator) : [];
  box.replaceChildren(
    ...renderSummary(score, maxScore, page.score.passPercent),
    ...(shown.length ? renderResults(shown) : []),
  );
}

function renderSummary(score, maximum, percent) {
  const title = element(
    "h2",
    {},
    maximum ? t("score", formatPoints(score), formatPoints(maximum)) : t("scoreAlone", formatPoints(score)),
  );
  if (!maximum || percent === undefined) return [title];
  const isPassed = score * 100 >= maximum * percent;
  const needed = new Intl.NumberFormat(language(), { style: "percent" }).format(percent / 100);
  return [
    title,
    resultLine(isPassed ? "passed" : "notPassed", isPassed ? "good" : "bad"),
    element("p", { className: "help" }, t("passMark", needed)),
  ];
}

const language = () => document.documentElement.lang;
const formatPoints = (hundredths) => new Intl.NumberFormat(language()).format(hundredths / HUNDREDTHS_PER_POINT);
const resultLine = (key, style, ...more) => element("p", { className: `verdict is-${style}` }, t(key), ...more);

function renderResults(shown) {
  return [element("h2", {}, t("results")), element("ol", {}, ...shown.map(renderResult))];
}

function renderResult({ question, step, value }) {
  const [points, maximum] = [countPoints(step.points, value), step.maxPoints];
  const [key, style] =
    points >= maximum ? ["correct", "good"] : points > 0 ? ["partlyCorrect", "warn"] : ["incorrect", "bad"];
  const optionLabel = (one) => question.choices.find((item) => item.value === one)?.text ?? one;
  const joinLabels = (values) => values.map(optionLabel).join(", ");
  const correctOptions = points < maximum ? bestOptions(question, step) : [];
  return element(
    "li",
    { dir: "auto" },
    element("h3", {}, question.processedTitle),
    maximum ? resultLine(key, style) : "",
    element("p", {}, value === undefined ? t("noAnswer") : t("yourAnswer", joinLabels([value].flat()))),
    correctOptions.length ? element("p", {}, t("correctAnswer", joinLabels(correctOptions))) : "",
    element(
      "p",
      { className: "help" },
      maximum ? t("pointsOf", formatPoints(points), formatPoints(maximum)) : t("points", formatPoints(points)),
    ),
  );
}

/** Return the options that bring the most points together. */
function bestOptions({ choices }, { kind, points, maxPoints, exclusive = [] }) {
  const scoring = choices.map(({ value }) => value).filter((value) => points[value] > 0);
  const best = Math.max(0, ...scoring.map((value) => points[value]));
  const exclusiveBest = scoring.filter((value) => exclusive.includes(value) && points[value] === maxPoints);
  if (kind === "CHOICE") return scoring.filter((value) => points[value] === best);
  return exclusiveBest.length ? exclusiveBest : scoring.filter((value) => !exclusive.includes(value));
}

/** Return the shown questions with points, in their order, also those in rows. */
function listQuestions(survey, evaluator) {
  return survey.getAllQuestions(false, false, true).flatMap((question) => {
    const step = evaluator.findStep(question.name);
    const level = step?.points && findLevel(evaluator.level, answerPath(question));
    return level?.shown.has(step.name) ? [{ question, step, value: level.answers[step.name] }] : [];
  });
}

function findLevel(form, path) {
  let level = form;
  for (let index = 0; index < path.length - 1; index += 2)
    level = level?.shown.has(path[index]) ? level.rows[path[index]]?.[path[index + 1]] : undefined;
  return level;
}
