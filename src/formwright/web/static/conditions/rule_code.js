// A rule as code, with what helps to write it, and names that don't exist pointed out while it is typed.

import { createButton, createElement, uniqueId } from "../dom.js";
import { markInvalid } from "./condition_row.js";
import { readConditions } from "./condition_code.js";
import { findUnknownName } from "./unknown_names.js";

const CHECK_DELAY_MS = 400;
const STAYS_CODE = "Conditions can’t show this rule, so it stays code.";

/**
 * `names` are those of the fields that the rule can use; `close` shows the rule as conditions, if there is such a button.
 * @param {string} rule
 * @param {{names: string[], labelId: string, change: (rule: string, step: string) => void, close?: () => void, maxLength?: number,
 *   createCodeAids?: (area: HTMLTextAreaElement) => Node[]}} settings
 */
export function createRuleCode(rule, { names, labelId, change, close, maxLength, createCodeAids = () => [] }) {
  const fault = createElement("p", { class: "field-error", id: uniqueId("rule-fault"), role: "status", hidden: true });
  const area = createElement("textarea", {
    value: rule,
    rows: "3",
    class: "code",
    spellcheck: "false",
    autocapitalize: "none",
    autocomplete: "off",
    "aria-labelledby": labelId,
    "aria-describedby": fault.id,
    maxlength: maxLength,
  });
  const note = createElement("p", { class: "help", text: STAYS_CODE });
  const back = createButton("Edit as conditions", () => close());
  const showWays = () => {
    const isReadable = Boolean(readConditions(area.value));
    back.hidden = !isReadable;
    note.hidden = isReadable;
  };
  let timer = null;
  const checkNames = (caret) => {
    clearTimeout(timer);
    const unknown = findUnknownName(area.value, names, caret);
    const hint = unknown?.similar ? ` Did you mean ${unknown.similar}?` : "";
    fault.textContent = unknown ? `There is no field named ${unknown.name}.${hint}` : "";
    fault.hidden = !unknown;
    markInvalid(area, Boolean(unknown));
  };
  area.addEventListener("input", () => {
    change(area.value.trim() ? area.value : "", "code");
    if (close) showWays();
    clearTimeout(timer);
    timer = setTimeout(() => checkNames(area.selectionStart), CHECK_DELAY_MS);
  });
  area.addEventListener("blur", () => checkNames(-1));
  if (close) showWays();
  checkNames(-1);
  const actions = createElement("div", { class: "actions" }, ...createCodeAids(area), close ? back : null);
  return [area, fault, close ? note : null, actions].filter(Boolean);
}
