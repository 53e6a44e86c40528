// Offers unsaved changes stored on this device when the page is opened again.

import { at, button, el, say } from "../dom.js";

export function offerRestore(store, local) {
  const { kept } = local;
  if (!kept || same(kept, store)) return local.forget();
  const base = store.page.base;
  const take = () => {
    store.load(kept);
    store.change({}, { drawn: true });
    store.choose(null);
  };
  if (kept.base.versionId === base.versionId && kept.base.revision === base.revision) {
    take();
    return say("Your unsaved changes were restored.");
  }
  offer(take, local);
}

const same = (kept, { document }) =>
  canonical({ fields: kept.fields, settings: kept.settings }) === canonical(document);

/** Return JSON that is the same regardless of the order of keys. */
export function canonical(value) {
  return JSON.stringify(value, (_, one) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

function offer(take, local) {
  const box = el("div", { class: "notice", role: "alert", id: "kept" });
  const away = (act) => () => (act(), box.remove());
  box.append(
    el("p", { text: "You have unsaved changes on this device, and the form has been changed since." }),
    el(
      "div",
      { class: "actions" },
      button("Restore my changes", away(take)),
      button(
        "Discard my changes",
        away(() => local.forget()),
      ),
    ),
  );
  at("notices").append(box);
}
