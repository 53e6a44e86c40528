// Publishing: save first, show the changes, then ask for confirmation.

import { at, el, say } from "../dom.js";

const TOUCHES = "Breaking change for integrations.";

export function publishing(store, keeping, faulty) {
  const opener = at("publish");
  if (!opener) return;
  opener.addEventListener("click", async (event) => {
    event.preventDefault();
    opener.setAttribute("aria-disabled", "true");
    if (await keeping.settle()) await open(store);
    else faulty();
    opener.removeAttribute("aria-disabled");
  });
}

async function open({ page }) {
  try {
    const response = await fetch(`/forms/${page.formId}/design/changes`, { redirect: "manual" });
    const { base, changes } = await response.json();
    const form = at("publish-form");
    form.elements.version.value = base.versionId;
    form.elements.revision.value = base.revision;
    at("publish-changes").replaceChildren(...renderChanges(changes));
    at("publish-dialog").showModal();
  } catch {
    say("Something went wrong. Try again.");
  }
}

function renderChanges(changes) {
  if (changes === null) return [el("p", { text: "Anyone with the link will be able to respond." })];
  if (!changes.length) return [el("p", { text: "No changes since the published version." })];
  const lines = changes.map(({ text, breaking, affected }) =>
    el(
      "li",
      { class: breaking ? "breaking" : null },
      `${text} `,
      breaking ? el("strong", { text: `${TOUCHES} ` }) : null,
      affected ? el("span", { class: "muted", text: affected }) : null,
    ),
  );
  return [el("p", { text: "Changes since the published version:" }), el("ul", { class: "changes" }, ...lines)];
}
