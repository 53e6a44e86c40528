// Offers unsaved changes stored on this device when the page is opened again.

import { announce, byId, createButton, createElement } from "../dom.js";

/** @param {import("./unsaved_changes.js").UnsavedChanges} unsavedChanges */
export function offerRestore(store, unsavedChanges) {
  const { stored } = unsavedChanges;
  if (!stored || isUnchanged(stored, store)) return unsavedChanges.clear();
  const base = store.page.base;
  const restore = () => {
    store.load(stored);
    store.applyChange({}, { drawn: true });
    store.select(null);
  };
  if (stored.base.versionId === base.versionId && stored.base.revision === base.revision) {
    restore();
    return announce("Your unsaved changes were restored.");
  }
  showOffer(restore, unsavedChanges);
}

const isUnchanged = ({ fields, settings }, store) =>
  canonicalJson({ fields, settings }) === canonicalJson(store.definition);

/** Return JSON that is the same regardless of the order of keys. */
export function canonicalJson(value) {
  return JSON.stringify(value, (_, one) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

function showOffer(restore, unsavedChanges) {
  const box = createElement("div", { class: "notice", role: "alert", id: "unsaved-changes" });
  const closeAfter = (action) => () => {
    action();
    box.remove();
  };
  box.append(
    createElement("p", { text: "You have unsaved changes on this device, and the form has been changed since." }),
    createElement(
      "div",
      { class: "actions" },
      createButton("Restore my changes", closeAfter(restore)),
      createButton(
        "Discard my changes",
        closeAfter(() => unsavedChanges.clear()),
      ),
    ),
  );
  byId("notices").append(box);
}
