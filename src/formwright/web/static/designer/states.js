// How saving stands, in words.

import { at, button, el, say } from "./dom.js";

const SHOWN = "As it is filled in. Nothing is sent from here.";
const OLD = "The last state without faults. Nothing is sent from here.";

export function states(store, preview, keeping) {
  const line = (...content) => at("saving").replaceChildren(...content);
  const notice = (id, ...content) => {
    at(id)?.remove();
    if (content.length) at("notices").append(el("div", { id, class: "notice bad", role: "alert" }, ...content));
  };
  const reload = () => el("a", { class: "button quiet small", href: location.pathname, text: "Load the newest" });

  return (state, detail) => {
    at("saving").dataset.state = state;
    if (state === "waiting" || state === "saving") return line("Saving…");
    const before = at("saving").dataset.said;
    at("saving").dataset.said = state;
    preview.note(state === "saved" ? SHOWN : OLD);
    if (state === "saved") {
      notice("signed-out");
      line(`Saved in draft ${detail.number}`);
      preview.renew();
    } else if (state === "faults") {
      const words = detail === 1 ? "One thing needs a look" : `${detail} things need a look`;
      if (before !== state) say(words);
      line(button(words, () => {}), el("span", { text: " Kept on this device until then." }));
    } else if (state === "offline") {
      line("No network. Kept on this device, and tried again.");
      if (before !== state) say("No network. What you change is kept on this device.");
    } else if (state === "signedOut") {
      line("Signed out. Kept on this device.");
      notice("signed-out", el("p", { text: "You are signed out. What you changed is kept on this device: " }, el("a", { href: `/sign-in?next=${encodeURIComponent(location.pathname)}`, text: "sign in again" }), " to go on."));
    } else if (state === "overtaken") {
      line("Not saved");
      overtaken();
    } else {
      line("Not saved");
      notice("refused", el("p", { text: detail }));
    }
  };

  async function newest() {
    try {
      const response = await fetch(`/forms/${store.page.formId}/design/changes`);
      return (await response.json()).base;
    } catch {
      return null;
    }
  }

  function overtaken() {
    const over = button("Save mine over it", async () => {
      const base = await newest();
      if (!base) return say("That did not work just now. Try again in a moment.");
      notice("overtaken");
      keeping().over(base);
    });
    notice(
      "overtaken",
      el("p", { text: "Someone else changed this form while you were at it. What you changed is kept on this device and not saved." }),
      el("div", { class: "actions" }, reload(), over),
    );
  }
}
