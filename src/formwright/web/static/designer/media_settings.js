// Images, audio and video beside questions and options.

import { announce, createButton, createElement, createSelect, uniqueId } from "../dom.js";
import { changeLabel, languageName, readLabel } from "./labels.js";
import { typeSetting } from "./field_types.js";
import { addMediaFiles, uploadMedia } from "./media_files.js";
import { createDetails, createRow, createTextInput, MAX_SHOWN_OPTIONS, showRowError } from "./setting_rows.js";

const MEDIA_LABELS = { image: "Image", bigImage: "Larger image", audio: "Audio", video: "Video" };
const MEDIA_HELP = { bigImage: "Replaces the image when people select it." };
/** The kind of file that each of them is. */
const FILE_KINDS = { bigImage: "image" };

/**
 * The media of a field.
 * @param {import("./field_editor.js").FieldEditor} editor
 */
export function createMediaRows(editor) {
  const read = () => editor.field.media ?? {};
  const write = (media) => editor.setProperty("media", Object.keys(media).length ? media : undefined, true, null);
  const rows = Object.keys(MEDIA_LABELS).flatMap((kind) => createFileRows(editor, kind, read, write));
  return [...rows, ...createAltRows(editor, read)];
}

/** The media of options, which `setOptions(editor, options)` stores. */
export function createOptionMedia(editor, setOptions) {
  const list = createElement("div", {});
  const hasMedia = editor.field.options.some((option) => option.media);
  const box = createDetails("Images, audio and video of options", hasMedia, list);
  const draw = () =>
    list.replaceChildren(
      ...(box.open
        ? editor.field.options
            .slice(0, MAX_SHOWN_OPTIONS)
            .map((option, index) => createMediaOfOption(editor, setOptions, option, index))
        : []),
    );
  box.addEventListener("toggle", draw);
  if (hasMedia) draw();
  return { box, draw };
}

/** One option: the image at once, because most have only that, and the rest on request. */
function createMediaOfOption(editor, setOptions, option, index) {
  const read = () => editor.field.options[index]?.media ?? {};
  const write = (media) => {
    const { media: _, ...rest } = editor.field.options[index];
    setOptions(editor, editor.field.options.with(index, Object.keys(media).length ? { ...rest, media } : rest));
  };
  const name = readLabel(option.label, editor.store.language, editor.store.language) || option.value;
  const rows = (kind, title) => createFileRows(editor, kind, read, write, title);
  const rare = Object.keys(MEDIA_LABELS).filter((kind) => kind !== "image");
  const more = rare.flatMap((kind) => rows(kind, `${MEDIA_LABELS[kind]} of ${name}`));
  const box = createDetails(
    `More for ${name}`,
    rare.some((kind) => read()[kind]),
    ...more,
  );
  box.className = "builder";
  return createElement("div", {}, ...rows("image", name), box);
}

function createFileRows(editor, kind, read, write, title = MEDIA_LABELS[kind]) {
  const fileKind = FILE_KINDS[kind] ?? kind;
  const { language: own, languages, page } = editor.store;
  return languages.map((language) => {
    const change = (name) => {
      const { [kind]: before, ...media } = read();
      const names = changeLabel(before, language, name, own);
      write(names === undefined ? media : { ...media, [kind]: names });
    };
    const chosen = readLabel(read()[kind], language, own);
    const list = createSelect(listFileChoices(page.media, fileKind, chosen), chosen, change);
    const row = createRow(
      `media ${kind} ${language}`,
      languages.length > 1 ? `${title} (${languageName(language)})` : title,
      list,
      MEDIA_HELP[kind],
    );
    const useFile = ({ name }) => {
      list.replaceChildren(
        ...listFileChoices(page.media, fileKind, name).map(([value, label]) =>
          createElement("option", { value, text: label }),
        ),
      );
      list.value = name;
      change(name);
    };
    row.append(
      createElement(
        "div",
        { class: "actions" },
        createUploadButton(editor.store, fileKind, title, useFile, (detail) => showRowError(row, detail)),
      ),
    );
    return row;
  });
}

function listFileChoices(files, kind, chosen) {
  const names = files.filter((file) => file.kind === kind).map((file) => [file.name, file.name]);
  const missing = chosen && !names.some(([name]) => name === chosen) ? [[chosen, `${chosen} (not uploaded)`]] : [];
  return [["", "None"], ...missing, ...names];
}

function createUploadButton(store, kind, title, onUploaded, showError) {
  const input = createElement("input", {
    type: "file",
    accept: `${kind}/*`,
    hidden: true,
    "aria-label": title,
    id: uniqueId("media"),
  });
  const button = createButton("Upload…", () => input.click(), { "aria-label": `Upload: ${title}` });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    button.disabled = true;
    showError("");
    const uploaded = await uploadMedia(store.page, file);
    button.disabled = false;
    input.value = "";
    if (uploaded.detail) return showError(uploaded.detail);
    addMediaFiles(store.page, [uploaded]);
    if (uploaded.kind !== kind) return showError(`${uploaded.name} is not of this kind.`);
    onUploaded(uploaded);
    announce(`${uploaded.name} uploaded`);
  });
  return createElement("span", {}, input, button);
}

function createAltRows(editor, read) {
  const { language: own, languages } = editor.store;
  return languages.map((language) => {
    const change = (value) => {
      const { alt: before, ...media } = read();
      const alt = changeLabel(before, language, value, own);
      editor.setProperty("media", alt === undefined ? media : { ...media, alt }, false);
    };
    const label = languages.length > 1 ? `Description (${languageName(language)})` : "Description";
    const control = createTextInput(readLabel(read().alt, language, own), change, {
      maxlength: typeSetting(editor.field.type, "label").maxLength,
      lang: language,
      dir: "auto",
    });
    return createRow(
      `media alt ${language}`,
      label,
      control,
      language === own ? "For people who can’t see or hear them. Without it, the question is used." : "",
    );
  });
}
