// The secret link with which people return to their answers: to copy, to email, and as a QR code for another device.

import { t } from "./texts.js";
import { button, element } from "./dom.js";

const CONFIRMATION_MS = 2_000;

/** @typedef {{ path: string, subject: string, openKey?: string, describe: () => string[] }} ReturnLink */

/**
 * Show a link in `box`, again when the language changes. `describe()` returns the texts above it, and `openKey` is the key
 * of the text of a link that opens it here, if that makes sense.
 * @param {HTMLElement} box
 * @param {ReturnLink} link
 */
export function showReturnLink(box, link) {
  const render = () => box.replaceChildren(...renderContents(link));
  render();
  if (box.hidden) document.addEventListener("formwright:languagechange", render);
  box.hidden = false;
}

/** @param {ReturnLink} link */
function renderContents({ path, subject, openKey, describe }) {
  const address = new URL(path, location.href).href;
  const texts = [...describe(), t("secretLink")].map((text) => element("p", {}, text));
  const field = element("input", {
    type: "text",
    readOnly: true,
    value: address,
    dir: "ltr",
    ariaLabel: t("yourLink"),
  });
  field.addEventListener("focus", () => field.select());
  const confirmation = element("span", { role: "status", className: "copied" });
  const email = element("a", { href: mailto(subject, address) }, t("emailLink"));
  const actions = element(
    "div",
    { className: "link-actions" },
    button(t("copyLink"), () => copy(field, confirmation)),
    email,
    confirmation,
  );
  const open = openKey ? [element("p", {}, element("a", { href: path }, t(openKey)))] : [];
  return [...texts, ...open, field, actions, qrCode(path)];
}

// The picture is loaded when somebody wants to see it.
function qrCode(path) {
  const box = element("details", {}, element("summary", {}, t("qrCode")));
  box.addEventListener(
    "toggle",
    () => box.append(element("img", { src: `${path}/qr.svg`, alt: t("qrCode"), width: 200, height: 200 })),
    { once: true },
  );
  return box;
}

async function copy(field, confirmation) {
  try {
    await navigator.clipboard.writeText(field.value);
    confirmation.textContent = t("copied");
  } catch {
    // Not allowed: the keyboard shortcut or the menu of the phone copies it.
    field.focus();
    confirmation.textContent = t("copyByHand");
  }
  setTimeout(() => (confirmation.textContent = ""), CONFIRMATION_MS);
}

const mailto = (subject, address) =>
  `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${address}\r\n`)}`;

/** Show the link for changing what was submitted. `ends` is the time of its end (ms); null: when it is reviewed. */
export function showChangeLink(box, path, ends) {
  const describe = () => [describeChangePeriod(ends)];
  showReturnLink(box, { path, subject: document.title, openKey: "changeAnswers", describe });
}

export function describeChangePeriod(ends) {
  if (ends == null) return t("changeUntilReviewed");
  const time = new Date(ends).toLocaleString(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return t("changeUntil", time);
}
