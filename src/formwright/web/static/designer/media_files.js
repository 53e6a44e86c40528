// The files of the form that questions and options show: their list, and uploads, also of a ZIP file with many.

import { announce, byId, createButton, createElement, uniqueId } from "../dom.js";
import { listNodes } from "./field_tree.js";
import { createDetails } from "./setting_rows.js";

const MEDIA_PROPERTIES = ["image", "bigImage", "audio", "video"];
const ACCEPTED_FILES = "image/*,audio/*,video/*,.zip,application/zip";

/** Upload a file; returns it, or why it was rejected as {detail}. */
export async function uploadMedia(page, file) {
  const result = await uploadTo(page, "media", file, page.maxMediaSize);
  return result.detail ? result : result[0];
}

const uploadArchive = (page, file) => uploadTo(page, "media/archive", file, page.maxArchiveSize);

async function uploadTo({ formId, token }, path, file, limit) {
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
export function addMediaFiles(page, files) {
  const names = new Set(files.map(({ name }) => name));
  page.media = [...page.media.filter(({ name }) => !names.has(name)), ...files].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/** The names of files that questions and options show, but the form does not have. */
export function listMissingFiles({ nodes, page }) {
  const existing = new Set(page.media.map(({ name }) => name));
  const shown = listNodes(nodes)
    .flatMap(({ field }) => [field, ...(field.options ?? [])])
    .flatMap(({ media }) => listFileNames(media));
  return [...new Set(shown)].filter((name) => !existing.has(name)).sort();
}

const listFileNames = (media = {}) =>
  MEDIA_PROPERTIES.flatMap((one) => (typeof media[one] === "string" ? [media[one]] : Object.values(media[one] ?? {})));

/** The list of the files, in which they are removed, added and downloaded. */
export function createMediaFiles(store, { reloadPreview }) {
  const { page } = store;
  const list = createElement("ul", { class: "media-files" });
  const downloadAll = createElement("a", {
    class: "button quiet small",
    href: `/forms/${page.formId}/media.zip`,
    text: "Download all",
  });
  const problem = createElement("p", { class: "field-error", role: "alert", hidden: true });
  const help = createElement("p", {
    class: "help",
    text: "Images, audio and video that questions show, or a ZIP file with them. A file replaces the one with its name.",
  });
  const box = createDetails(
    "Media files",
    listMissingFiles(store).length > 0,
    list,
    createUploadButton(),
    problem,
    help,
  );

  function draw() {
    const missing = listMissingFiles(store).map((name) =>
      createElement("li", {}, createElement("span", { text: `${name} (not uploaded)` })),
    );
    list.replaceChildren(...missing, ...page.media.map(createFileItem));
    if (!missing.length) byId("missing-media")?.remove();
    downloadAll.hidden = !page.media.length;
  }

  function createUploadButton() {
    const input = createElement("input", {
      type: "file",
      accept: ACCEPTED_FILES,
      multiple: true,
      hidden: true,
      "aria-label": "Media files",
      id: uniqueId("media"),
    });
    const button = createButton("Upload files…", () => input.click());
    input.addEventListener("change", async () => {
      button.disabled = true;
      const problems = await uploadAll([...input.files]);
      button.disabled = false;
      input.value = "";
      problem.textContent = problems.join(" ");
      problem.hidden = !problems.length;
      draw();
      reloadPreview();
    });
    return createElement("div", { class: "actions" }, button, downloadAll, input);
  }

  /** Upload one after another; returns why some were rejected. */
  async function uploadAll(files) {
    const problems = [];
    for (const file of files) {
      const result = await (file.name.toLowerCase().endsWith(".zip") ? uploadArchive : uploadMedia)(page, file);
      if (result.detail) problems.push(`${file.name}: ${result.detail}`);
      else addMediaFiles(page, [result].flat());
    }
    announce(problems.length ? "Some files were rejected" : "Files uploaded");
    return problems;
  }

  function createFileItem(file) {
    const remove = createButton(
      "Remove",
      async () => {
        const response = await fetch(`/forms/${page.formId}/design/media/${file.id}/remove`, {
          method: "POST",
          redirect: "manual",
          headers: { "x-csrftoken": page.token },
        }).catch(() => null);
        if (!response?.ok) return announce(`Couldn’t remove ${file.name}. Try again.`);
        page.media = page.media.filter((one) => one.id !== file.id);
        draw();
        announce(`${file.name} removed`);
      },
      { "aria-label": `Remove ${file.name}` },
    );
    return createElement("li", {}, createElement("a", { href: file.url, text: file.name }), remove);
  }

  draw();
  return box;
}
