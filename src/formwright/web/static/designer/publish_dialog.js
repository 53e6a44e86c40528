// Publishing: save first, show the changes, then ask for confirmation.

import { announce, byId, createElement, query } from "../dom.js";

const BREAKING_TEXT = "Breaking change for integrations.";

/**
 * @param {import("./design_store.js").DesignStore} store
 * @param {import("./design_autosave.js").DesignAutosave} autosave
 * @param {() => void} openFirstFault  called if the draft has errors
 */
export function enablePublishing(store, autosave, openFirstFault) {
  const opener = byId("publish");
  if (!opener) return;
  opener.addEventListener("click", async (event) => {
    event.preventDefault();
    opener.setAttribute("aria-disabled", "true");
    if (await autosave.saveNow()) await openPublishDialog(store);
    else openFirstFault();
    opener.removeAttribute("aria-disabled");
  });
}

async function openPublishDialog({ page }) {
  try {
    const response = await fetch(`/forms/${page.formId}/design/changes`, { redirect: "manual" });
    const { base, changes } = await response.json();
    query("#publish-form [name=version]", HTMLInputElement).value = base.versionId;
    query("#publish-form [name=revision]", HTMLInputElement).value = base.revision;
    byId("publish-changes").replaceChildren(...createChangeList(changes));
    byId("publish-dialog", HTMLDialogElement).showModal();
  } catch {
    announce("Something went wrong. Try again.");
  }
}

function createChangeList(changes) {
  if (changes === null) return [createElement("p", { text: "Anyone with the link will be able to respond." })];
  if (!changes.length) return [createElement("p", { text: "No changes since the published version." })];
  const lines = changes.map(({ text, breaking, affected }) =>
    createElement(
      "li",
      { class: breaking ? "breaking" : null },
      `${text} `,
      breaking ? createElement("strong", { text: `${BREAKING_TEXT} ` }) : null,
      affected ? createElement("span", { class: "muted", text: affected }) : null,
    ),
  );
  return [
    createElement("p", { text: "Changes since the published version:" }),
    createElement("ul", { class: "changes" }, ...lines),
  ];
}
