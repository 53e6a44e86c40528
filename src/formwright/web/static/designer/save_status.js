// The texts of the saving states.

import { at, button, el, say } from "../dom.js";

const SHOWN = "How the form looks to people. Nothing you enter here is submitted.";
const OLD = "The last version without errors. Nothing you enter here is submitted.";

export function states(store, preview, keeping) {
  const line = (...content) => at("saving").replaceChildren(...content);
  const notice = (id, ...content) => {
    at(id)?.remove();
    if (content.length) at("notices").append(el("div", { id, class: "notice bad", role: "alert" }, ...content));
  };
  const reload = () => el("a", { class: "button quiet small", href: location.pathname, text: "Load newest version" });

  return (state, detail) => {
    at("saving").dataset.state = state;
    if (state === "waiting" || state === "saving") return line("Saving…");
    const before = at("saving").dataset.announced;
    at("saving").dataset.announced = state;
    preview.note(state === "saved" ? SHOWN : OLD);
    if (state === "saved") {
      notice("signed-out");
      line(`Saved to draft ${detail.number}`);
      preview.renew();
    } else if (state === "faults") {
      const words = detail === 1 ? "1 error to fix" : `${detail} errors to fix`;
      if (before !== state) say(words);
      line(
        button(words, () => {}),
        el("span", { text: " Changes are kept on this device until then." }),
      );
    } else if (state === "offline") {
      line("Offline. Changes are kept on this device and will be saved automatically.");
      if (before !== state) say("Offline. Your changes are kept on this device.");
    } else if (state === "signedOut") {
      line("Signed out. Changes are kept on this device.");
      notice(
        "signed-out",
        el(
          "p",
          { text: "You’ve been signed out. Your changes are kept on this device: " },
          el("a", { href: `/sign-in?next=${encodeURIComponent(location.pathname)}`, text: "sign in again" }),
          " to continue.",
        ),
      );
    } else if (state === "overtaken") {
      line("Not saved");
      showConflict();
    } else {
      line("Not saved");
      notice("refused", el("p", { text: detail }));
    }
  };

  async function fetchBase() {
    try {
      const response = await fetch(`/forms/${store.page.formId}/design/changes`);
      return (await response.json()).base;
    } catch {
      return null;
    }
  }

  function showConflict() {
    const over = button("Overwrite with my changes", async () => {
      const base = await fetchBase();
      if (!base) return say("Something went wrong. Try again.");
      notice("overtaken");
      keeping().over(base);
    });
    notice(
      "overtaken",
      el("p", { text: "Someone else changed this form. Your changes are kept on this device but not saved." }),
      el("div", { class: "actions" }, reload(), over),
    );
  }
}
