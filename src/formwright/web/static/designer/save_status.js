// What the designer says about saving: saved, errors to fix, offline, signed out, or changed by somebody else.

import { announce, byId, createButton, createElement } from "../dom.js";

const CURRENT_NOTE = "How the form looks to people. Nothing you enter here is submitted.";
const OUTDATED_NOTE = "The last version without errors. Nothing you enter here is submitted.";

export function createStatusDisplay(store, preview, getAutosave) {
  const showLine = (...content) => byId("saving").replaceChildren(...content);
  const showNotice = (id, ...content) => {
    byId(id)?.remove();
    if (content.length)
      byId("notices").append(createElement("div", { id, class: "notice bad", role: "alert" }, ...content));
  };
  const createReloadLink = () =>
    createElement("a", { class: "button quiet small", href: location.pathname, text: "Load newest version" });

  return (status, detail) => {
    byId("saving").dataset.state = status;
    if (status === "waiting" || status === "saving") return showLine("Saving…");
    const before = byId("saving").dataset.announced;
    byId("saving").dataset.announced = status;
    preview.showNote(status === "saved" ? CURRENT_NOTE : OUTDATED_NOTE);
    if (status === "saved") {
      showNotice("signed-out");
      showLine(`Saved to draft ${detail.number}`);
      preview.reload();
    } else if (status === "faults") {
      const text = detail === 1 ? "1 error to fix" : `${detail} errors to fix`;
      if (before !== status) announce(text);
      showLine(
        createButton(text, () => {}),
        createElement("span", { text: " Changes are kept on this device until then." }),
      );
    } else if (status === "offline") {
      showLine("Offline. Changes are kept on this device and will be saved automatically.");
      if (before !== status) announce("Offline. Your changes are kept on this device.");
    } else if (status === "signedOut") {
      showLine("Signed out. Changes are kept on this device.");
      showNotice(
        "signed-out",
        createElement(
          "p",
          { text: "You’ve been signed out. Your changes are kept on this device: " },
          createElement("a", { href: `/sign-in?next=${encodeURIComponent(location.pathname)}`, text: "sign in again" }),
          " to continue.",
        ),
      );
    } else if (status === "conflict") {
      showLine("Not saved");
      showConflict();
    } else {
      showLine("Not saved");
      showNotice("rejected", createElement("p", { text: detail }));
    }
  };

  async function fetchNewestBase() {
    try {
      const response = await fetch(`/forms/${store.page.formId}/design/changes`);
      return (await response.json()).base;
    } catch {
      return null;
    }
  }

  function showConflict() {
    const overwrite = createButton("Overwrite with my changes", async () => {
      const base = await fetchNewestBase();
      if (!base) return announce("Something went wrong. Try again.");
      showNotice("conflict");
      getAutosave().overwrite(base);
    });
    showNotice(
      "conflict",
      createElement("p", {
        text: "Someone else changed this form. Your changes are kept on this device but not saved.",
      }),
      createElement("div", { class: "actions" }, createReloadLink(), overwrite),
    );
  }
}
