// The files of the form that questions and options show: their list, and uploads, also of a ZIP file with many.

import { at, button, el, fresh, say } from "../dom.js";
import { walk } from "./field_tree.js";
import { collapsible } from "./setting_rows.js";

const PROPERTIES = ["image", "bigImage", "audio", "video"];
const ACCEPTED = "image/*,audio/*,video/*,.zip,application/zip";

/** Upload a file; returns it, or why it was rejected as {detail}. */
export async function upload(page, file) {
  const answer = await send(page, "media", file, page.maxMediaSize);
  return answer.detail ? answer : answer[0];
}

const uploadArchive = (page, file) => send(page, "media/archive", file, page.maxArchiveSize);

async function send({ formId, token }, path, file, limit) {
  try {
    const body = new FormData();
    body.append("file", file);
    const response = await fetch(`/forms/${formId}/design/${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { "x-csrftoken": token },
      body,
    });
    if (response.type === "opaqueredirect" || response.status === 403)
      return { detail: "Your session expired. Reload the page and try again." };
    if (response.status === 413) return { detail: `The file is too large. The limit is ${limit / 2 ** 20} MiB.` };
    return await response.json();
  } catch {
    return { detail: "Upload failed. Check your connection and try again." };
  }
}

/** Add uploaded files to the list, instead of those with the same names. */
export function keep(page, files) {
  const names = new Set(files.map(({ name }) => name));
  page.media = [...page.media.filter(({ name }) => !names.has(name)), ...files].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/** The names of files that questions and options show, but the form does not have. */
export function missingNames({ nodes, page }) {
  const has = new Set(page.media.map(({ name }) => name));
  const shown = [...walk(nodes)]
    .flatMap(({ node: { field } }) => [field, ...(field.options ?? [])])
    .flatMap(({ media }) => namesOf(media));
  return [...new Set(shown)].filter((name) => !has.has(name)).sort();
}

const namesOf = (media = {}) =>
  PROPERTIES.flatMap((one) => (typeof media[one] === "string" ? [media[one]] : Object.values(media[one] ?? {})));

/** The list of the files, in which they are removed, added and downloaded. */
export function mediaFiles(store, { renew }) {
  const { page } = store;
  const list = el("ul", { class: "media-files" });
  const all = el("a", { class: "button quiet small", href: `/forms/${page.formId}/media.zip`, text: "Download all" });
  const problem = el("p", { class: "field-error", role: "alert", hidden: true });
  const help = el("p", {
    class: "help",
    text: "Images, audio and video that questions show, or a ZIP file with them. A file replaces the one with its name.",
  });
  const box = collapsible("Media files", missingNames(store).length > 0, list, uploads(), problem, help);

  function draw() {
    const missing = missingNames(store).map((name) => el("li", {}, el("span", { text: `${name} (not uploaded)` })));
    list.replaceChildren(...missing, ...page.media.map(line));
    if (!missing.length) at("missing-media")?.remove();
    all.hidden = !page.media.length;
  }

  function uploads() {
    const input = el("input", {
      type: "file",
      accept: ACCEPTED,
      multiple: true,
      hidden: true,
      "aria-label": "Media files",
      id: fresh("media"),
    });
    const press = button("Upload files…", () => input.click());
    input.addEventListener("change", async () => {
      press.disabled = true;
      const problems = await addAll([...input.files]);
      press.disabled = false;
      input.value = "";
      problem.textContent = problems.join(" ");
      problem.hidden = !problems.length;
      draw();
      renew();
    });
    return el("div", { class: "actions" }, press, all, input);
  }

  /** Upload one after another; returns why some were rejected. */
  async function addAll(files) {
    const problems = [];
    for (const file of files) {
      const answer = await (file.name.toLowerCase().endsWith(".zip") ? uploadArchive : upload)(page, file);
      if (answer.detail) problems.push(`${file.name}: ${answer.detail}`);
      else keep(page, [answer].flat());
    }
    say(problems.length ? "Some files were rejected" : "Files uploaded");
    return problems;
  }

  function line(file) {
    const remove = button(
      "Remove",
      async () => {
        const response = await fetch(`/forms/${page.formId}/design/media/${file.id}/remove`, {
          method: "POST",
          redirect: "manual",
          headers: { "x-csrftoken": page.token },
        }).catch(() => null);
        if (!response?.ok) return say(`Couldn’t remove ${file.name}. Try again.`);
        page.media = page.media.filter((one) => one.id !== file.id);
        draw();
        say(`${file.name} removed`);
      },
      { "aria-label": `Remove ${file.name}` },
    );
    return el("li", {}, el("a", { href: file.url, text: file.name }), remove);
  }

  draw();
  return box;
}
