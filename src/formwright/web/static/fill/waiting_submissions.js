// The list of this form's submissions that have not arrived: how many, since when, and their errors.

import { reason, say } from "./texts.js";
import { button, element } from "./dom.js";

const { store } = globalThis.formwright;

const waitingOf = async (base) =>
  (await store.all("submissions").catch(() => []))
    .filter((one) => one.base === base)
    .sort((one, other) => one.at - other.at);

/** Show them in `box`, and return them; `open(entry)` loads a rejected one back into the form. */
export async function showWaiting(box, base, open) {
  const waiting = await waitingOf(base);
  box.hidden = waiting.length === 0;
  box.querySelector("summary").textContent = describeCounts(waiting);
  box.querySelector("ul").replaceChildren(...waiting.map((one) => line(one, open)));
  if (waiting.some((one) => one.problem)) box.open = true;
  return waiting;
}

function describeCounts(entries) {
  const refused = entries.filter(({ problem }) => problem).length;
  const waiting = entries.length - refused;
  const parts = [
    waiting && (waiting === 1 ? say("oneWaiting") : say("waiting", waiting)),
    refused && `${say("rejected")}: ${refused}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

function line(entry, open) {
  const when = new Date(entry.at).toLocaleString(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const { problem } = entry;
  const state = problem
    ? `${say("rejected")}: ${problem.errors?.[0]?.detail ?? reason(problem) ?? ""}`
    : say("waitingToSubmit");
  const content = [element("span", {}, when), element("span", { className: "file-state" }, state)];
  if (problem && open) content.push(button(say("open"), () => open(entry)));
  return element("li", {}, ...content);
}
