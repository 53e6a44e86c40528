// In which language the form is shown, and the switch between those it speaks.

import { say, speak, speaks } from "./words.js";

const KEY = "formwright:language";

/** The tag of `spoken` to begin with: asked for in the address, chosen before, or what the browser prefers. */
export function first(spoken, own) {
  const wanted = [new URLSearchParams(location.search).get("lang"), remembered(), ...navigator.languages];
  for (const tag of wanted.filter(Boolean)) {
    const found = spoken.find((one) => same(one, tag)) ?? spoken.find((one) => same(root(one), root(tag)));
    if (found) return found;
  }
  return own;
}

/** Bring words, and the library's own, in this language; `library` is its file, if it has one. */
export async function learn(tag, library) {
  Object.assign(document.documentElement, { lang: tag, dir: direction(tag) });
  await Promise.all([speak(tag), library && script(library)]);
  ours(tag);
}

/** Where both have a sentence for the same, ours stands: there are not two words for one thing. */
function ours(tag) {
  const { locales } = globalThis.Survey.surveyLocalization;
  const name = [tag.toLowerCase(), root(tag)].find((one) => locales[one]);
  if (!name || !speaks(tag)) return;
  Object.assign(locales[name], { requiredError: say("required"), emptyMessage: say("nothing"), confirmDelete: say("removeRow") });
}

// Not every browser can say it; then the few that are written from the right are known by name.
function direction(tag) {
  const locale = new Intl.Locale(tag);
  const info = locale.getTextInfo?.() ?? locale.textInfo;
  return info?.direction ?? (["ar", "fa", "he", "ur"].includes(root(tag)) ? "rtl" : "ltr");
}

/** Offer the languages in `select`; `change(tag)` is called when one is chosen. */
export function offer(select, spoken, now, change) {
  if (spoken.length < 2) return;
  select.replaceChildren(...spoken.map((tag) => new Option(nameOf(tag), tag, false, tag === now)));
  for (const option of select.options) option.lang = option.value;
  select.setAttribute("aria-label", say("language"));
  select.hidden = false;
  select.addEventListener("change", async () => {
    remember(select.value);
    await change(select.value);
    select.setAttribute("aria-label", say("language"));
  });
}

const root = (tag) => tag.split("-")[0];
const same = (one, other) => one.toLowerCase() === other.toLowerCase();

function nameOf(tag) {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag);
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

function script(address) {
  if (document.querySelector(`script[src="${address}"]`)) return null;
  return new Promise((resolve) => {
    const element = Object.assign(document.createElement("script"), { src: address, onload: resolve, onerror: resolve });
    document.head.append(element);
  });
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(tag) {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // Then it holds for this visit.
  }
}
