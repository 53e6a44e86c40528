// The input for the default of a field, by the kind of its answers.

import { el } from "./dom.js";
import { settingOf, traits } from "./field_types.js";
import { inLanguage } from "./labels.js";
import { number } from "./number_input.js";
import { choice, text } from "./rows.js";

/** Return the input, and a help if it needs one. `set` stores the value. */
export function defaultInput(field, set, language) {
  const given = field.default;
  const options = (field.options ?? []).map((one) => [one.value, inLanguage(one.label, language)]);
  switch (traits(field.type).answerKind) {
    case "BOOLEAN":
      return [choice([["", "None"], ["true", "Yes"], ["false", "No"]], given === undefined ? "" : String(given), (value) => set(value && value === "true"))];
    case "CHOICE":
      return [choice([["", "None"], ...options], given ?? "", set)];
    case "CHOICES":
      return [several(options, given ?? [], set), "Hold Ctrl or ⌘ to select several."];
    case "INTEGER":
      return [number(given, set, { step: "1" })];
    case "DECIMAL":
      return [number(given, set)];
    case "DATE":
      return [text(given, set, { type: "date" })];
    case "TIME":
      return [text(given, set, { type: "time" })];
    case "DATETIME":
      return [text(given, set, { class: "code" }), "With its offset: 2026-03-29T14:30:00+02:00"];
    case "POSITION":
      return [text(given ? coordinates(given) : "", (value) => set(position(value))), "Latitude and longitude in degrees: 47.37, 8.54"];
    case "POSITIONS":
      return [text((given ?? []).map(coordinates).join("\n"), (value) => set(points(value)), { rows: "3" }), "One point per line, in degrees: 47.37, 8.54"];
    default:
      return [text(given, set, { rows: traits(field.type).hasLongText ? "2" : null, maxlength: settingOf(field.type, "default").maxLength })];
  }
}

function several(options, chosen, set) {
  const list = el("select", { multiple: true, size: String(Math.min(Math.max(options.length, 2), 6)) }, ...options.map(([value, label]) => el("option", { value, text: label, selected: chosen.includes(value) })));
  list.addEventListener("change", () => set([...list.selectedOptions].map((option) => option.value)));
  return list;
}

const coordinates = ({ latitude, longitude }) => `${latitude}, ${longitude}`;
const points = (value) => value.split("\n").map(position).filter(Boolean);

/** Return the location of two numbers. Anything else becomes a place that does not exist, so that its error is shown. */
function position(value) {
  if (!value.trim()) return undefined;
  const numbers = value.split(/[\s,;]+/).filter(Boolean).map(Number);
  const [latitude, longitude] = numbers.length === 2 ? numbers : [];
  return { latitude: Number.isFinite(latitude) ? latitude : 1000, longitude: Number.isFinite(longitude) ? longitude : 1000 };
}
