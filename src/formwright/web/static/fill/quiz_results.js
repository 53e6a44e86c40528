// The score and the results of a quiz, which the page shows after submitting, also without a network.

import { answerPath } from "./rule_evaluator.js";
import { countPoints, HUNDREDTHS_PER_POINT } from "./scores.js";
import { t } from "./texts.js";
import { element } from "./dom.js";

/** Show in `box` what the form shows of the score: nothing, the points, or also the questions with points. */
export function showQuizResults(box, { survey, evaluator, page }) {
  const { score = 0, maxScore = 0 } = evaluator.level ?? {};
  box.hidden = !page.score || (!score && !maxScore);
  if (box.hidden) return;
  const shown = page.score.show === "results" ? listQuestions(survey, evaluator) : [];
  box.replaceChildren(...summary(score, maxScore, page.score.passPercent), ...(shown.length ? results(shown) : []));
}

function summary(score, most, percent) {
  const title = element(
    "h2",
    {},
    most ? t("score", formatPoints(score), formatPoints(most)) : t("scoreAlone", formatPoints(score)),
  );
  if (!most || percent === undefined) return [title];
  const isPassed = score * 100 >= most * percent;
  const needed = new Intl.NumberFormat(language(), { style: "percent" }).format(percent / 100);
  return [
    title,
    resultLine(isPassed ? "passed" : "notPassed", isPassed ? "good" : "bad"),
    element("p", { className: "help" }, t("passMark", needed)),
  ];
}

const language = () => document.documentElement.lang;
const formatPoints = (hundredths) => new Intl.NumberFormat(language()).format(hundredths / HUNDREDTHS_PER_POINT);
const resultLine = (word, look, ...more) => element("p", { className: `verdict is-${look}` }, t(word), ...more);

function results(shown) {
  return [element("h2", {}, t("results")), element("ol", {}, ...shown.map(result))];
}

function result({ question, step, value }) {
  const [points, most] = [countPoints(step.points, value), step.maxPoints];
  const [word, look] =
    points >= most ? ["correct", "good"] : points > 0 ? ["partlyCorrect", "warn"] : ["incorrect", "bad"];
  const textOf = (one) => question.choices.find((item) => item.value === one)?.text ?? one;
  const list = (values) => values.map(textOf).join(", ");
  const right = points < most ? bestOptions(question, step) : [];
  return element(
    "li",
    { dir: "auto" },
    element("h3", {}, question.processedTitle),
    most ? resultLine(word, look) : "",
    element("p", {}, value === undefined ? t("noAnswer") : t("yourAnswer", list([value].flat()))),
    right.length ? element("p", {}, t("correctAnswer", list(right))) : "",
    element(
      "p",
      { className: "help" },
      most ? t("pointsOf", formatPoints(points), formatPoints(most)) : t("points", formatPoints(points)),
    ),
  );
}

/** Return the options that bring the most points together. */
function bestOptions({ choices }, { kind, points, maxPoints, exclusive = [] }) {
  const good = choices.map(({ value }) => value).filter((value) => points[value] > 0);
  const best = Math.max(0, ...good.map((value) => points[value]));
  const alone = good.filter((value) => exclusive.includes(value) && points[value] === maxPoints);
  if (kind === "CHOICE") return good.filter((value) => points[value] === best);
  return alone.length ? alone : good.filter((value) => !exclusive.includes(value));
}

/** Return the shown questions with points, in their order, also those in rows. */
function listQuestions(survey, evaluator) {
  return survey.getAllQuestions(false, false, true).flatMap((question) => {
    const step = evaluator.findStep(question.name);
    const level = step?.points && levelOf(evaluator.level, answerPath(question));
    return level?.shown.has(step.name) ? [{ question, step, value: level.answers[step.name] }] : [];
  });
}

function levelOf(form, path) {
  let level = form;
  for (let at = 0; at < path.length - 1; at += 2)
    level = level?.shown.has(path[at]) ? level.rows[path[at]]?.[path[at + 1]] : undefined;
  return level;
}
