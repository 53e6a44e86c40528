// The list of this form's submissions that have not arrived: how many, since when, and their errors.

import { rejectionText, t } from "./texts.js";
import { button, element } from "./dom.js";
import * as outboxStorage from "./shared/outbox_storage.js";

const loadWaiting = async (base) =>
  (await outboxStorage.getAll("submissions").catch(() => []))
    .filter((one) => one.base === base)
    .sort((one, other) => one.at - other.at);

/** Show them in `box`, and return them; `open(entry)` loads a rejected one back into the form. */
export async function showWaitingSubmissions(box, base, open) {
  const waiting = await loadWaiting(base);
  box.hidden = waiting.length === 0;
  box.querySelector("summary").textContent = describeCounts(waiting);
  box.querySelector("ul").replaceChildren(...waiting.map((one) => renderEntry(one, open)));
  if (waiting.some((one) => one.problem)) box.open = true;
  return waiting;
}

function describeCounts(entries) {
  const rejected = entries.filter(({ problem }) => problem).length;
  const waiting = entries.length - rejected;
  const parts = [
    waiting && (waiting === 1 ? t("oneWaiting") : t("waiting", waiting)),
    rejected && `${t("rejected")}: ${rejected}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

function renderEntry(entry, open) {
  const when = new Date(entry.at).toLocaleString(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const { problem } = entry;
  const state = problem
    ? `${t("rejected")}: ${problem.errors?.[0]?.detail ?? rejectionText(problem) ?? ""}`
    : t("waitingToSubmit");
  const content = [element("span", {}, when), element("span", { className: "file-state" }, state)];
  if (problem && open) content.push(button(t("open"), () => open(entry)));
  return element("li", {}, ...content);
}
