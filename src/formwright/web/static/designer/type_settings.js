// The settings that only some field types have.

import { el } from "./dom.js";
import { NUMBERS, hasSetting } from "./field_types.js";
import { inLanguage } from "./labels.js";
import { number } from "./number_input.js";
import { check, choice, row, text } from "./rows.js";

const WHOLE = { step: "1" };
const LABELS = {
  text: { minLength: "Minimum length", maxLength: "Maximum length" },
  textarea: { maxLength: "Maximum length" },
  integer: { min: "Minimum", max: "Maximum" },
  decimal: { min: "Minimum", max: "Maximum" },
  choices: { minChoices: "Minimum choices", maxChoices: "Maximum choices" },
  lookups: { minChoices: "Minimum rows", maxChoices: "Maximum rows" },
  rating: { max: "Number of stars" },
  slider: { min: "Minimum", max: "Maximum", step: "Step" },
  photo: { maxFiles: "Maximum number of photos" },
  audio: { maxFiles: "Maximum number of recordings" },
  video: { maxFiles: "Maximum number of videos" },
  file: { maxFiles: "Maximum number of files" },
  repeat: { min: "Minimum entries", max: "Maximum entries" },
};
const RANDOM = "Options that exclude others, and “other”, keep their place.";
const TABLE = "One row per question, one column per option. All questions must be choices with the same options.";
const USUAL = { lookups: { maxChoices: 100 }, rating: { max: 5 }, slider: { min: 0, max: 100, step: 1 }, photo: { maxFiles: 1 }, audio: { maxFiles: 1 }, video: { maxFiles: 1 }, file: { maxFiles: 1 }, repeat: { min: 0, max: 100 } };

export function ownMembers(edit, texts) {
  const { type } = edit.get();
  const numbers = Object.entries(LABELS[type] ?? {}).map(([member, label]) => {
    const input = number(edit.get()[member], (value) => edit.set(member, value), { ...(type === "decimal" ? {} : WHOLE), placeholder: USUAL[type]?.[member] });
    return row(member, label, input);
  });
  const page = type === "section" ? [check("page", "Show on its own page", Boolean(edit.get().page), (on) => edit.set("page", on || undefined)), check("table", "Show as a table", Boolean(edit.get().table), (on) => edit.set("table", on || undefined), TABLE)] : [];
  const random = hasSetting(type, "randomize") ? [check("randomize", "Show options in random order", Boolean(edit.get().randomize), (on) => edit.set("randomize", on || undefined), RANDOM)] : [];
  const ends = type === "nps" ? [...texts(edit, "lowLabel", "Text next to 0"), ...texts(edit, "highLabel", "Text next to 10")] : [];
  const titles = type === "repeat" ? texts(edit, "rowLabel", "Title of each entry", "Shows answers of the entry. Example: {{name}}") : [];
  return [...numbers, ...titles, ...drawing(edit, type), ...looks(edit, type), ...unit(edit, type), ...random, ...pattern(edit, type), ...page, ...ends, ...preset(edit, type)];
}

const DRAWINGS = [["", "Photos only"], ["photo", "Photos that people can draw on"], ["sheet", "Drawings on an empty sheet"]];

function drawing(edit, type) {
  if (type !== "photo") return [];
  return [row("drawing", "Pictures", choice(DRAWINGS, edit.get().drawing ?? "", (value) => edit.set("drawing", value || undefined)))];
}

const LIKERT = "On wide screens, in one row.";
const AGREEMENT = "People tick a box. The only answer is yes.";

function looks(edit, type) {
  const box = (member, label, help) => (hasSetting(type, member) ? [check(member, label, Boolean(edit.get()[member]), (on) => edit.set(member, on || undefined), help)] : []);
  return [...box("likert", "Show options as a scale", LIKERT), ...box("agreement", "Ask for agreement only", AGREEMENT)];
}

function unit(edit, type) {
  if (!hasSetting(type, "unit")) return [];
  const control = text(edit.get().unit, (value) => edit.set("unit", value.trim() || undefined), { maxlength: "20" });
  return [row("unit", "Unit", control, "Shown next to the number, for example m² or €.")];
}

function pattern(edit, type) {
  if (type !== "text") return [];
  const control = text(edit.get().pattern, (value) => edit.set("pattern", value || undefined), { class: "code", spellcheck: "false", maxlength: "500" });
  return [row("pattern", "Pattern", control, "A regular expression that the whole answer must match. ^[A-Z]{2}[0-9]{4}$ accepts AB1234.")];
}

function preset(edit, type) {
  if (!hasSetting(type, "default")) return [];
  const set = (value) => edit.set("default", value === "" || value?.length === 0 ? undefined : value);
  const [control, help] = presetInput(edit, type, edit.get().default, set);
  return [row("default", "Default", control, help)];
}

const coordinates = ({ latitude, longitude }) => `${latitude}, ${longitude}`;
const points = (value) => value.split("\n").map(position).filter(Boolean);

function presetInput(edit, type, given, set) {
  const options = (edit.get().options ?? []).map((one) => [one.value, inLanguage(one.label, edit.store.language)]);
  if (type === "boolean") return [choice([["", "None"], ["true", "Yes"], ["false", "No"]], given === undefined ? "" : String(given), (value) => set(value && value === "true"))];
  if (type === "choice") return [choice([["", "None"], ...options], given ?? "", set)];
  if (type === "choices") return [several(options, given ?? [], set), "Hold Ctrl or ⌘ to select several."];
  if (NUMBERS.includes(type)) return [number(given, set, type === "decimal" ? {} : WHOLE)];
  if (type === "date" || type === "time") return [text(given, set, { type })];
  if (type === "datetime") return [text(given, set, { class: "code" }), "With its offset: 2026-03-29T14:30:00+02:00"];
  if (type === "location") return [text(given ? coordinates(given) : "", (value) => set(position(value))), "Latitude and longitude in degrees: 47.37, 8.54"];
  if (type === "line" || type === "area") return [text((given ?? []).map(coordinates).join("\n"), (value) => set(points(value)), { rows: "3" }), "One point per line, in degrees: 47.37, 8.54"];
  return [text(given, set, { rows: type === "textarea" ? "2" : null, maxlength: "2000" })];
}

function several(options, chosen, set) {
  const list = el("select", { multiple: true, size: String(Math.min(Math.max(options.length, 2), 6)) }, ...options.map(([value, label]) => el("option", { value, text: label, selected: chosen.includes(value) })));
  list.addEventListener("change", () => set([...list.selectedOptions].map((option) => option.value)));
  return list;
}

/** Return the location of two numbers. Anything else becomes a place that does not exist, so that its error is shown. */
function position(value) {
  if (!value.trim()) return undefined;
  const numbers = value.split(/[\s,;]+/).filter(Boolean).map(Number);
  const [latitude, longitude] = numbers.length === 2 ? numbers : [];
  return { latitude: Number.isFinite(latitude) ? latitude : 1000, longitude: Number.isFinite(longitude) ? longitude : 1000 };
}
