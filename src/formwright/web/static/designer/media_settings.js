// Images, audio and video beside questions and options.

import { button, el, fresh, say, select } from "../dom.js";
import { changeLabel, nameOf, readLabel } from "./labels.js";
import { settingOf } from "./field_types.js";
import { keep, upload } from "./media_files.js";
import { collapsible, row, text } from "./setting_rows.js";

const KINDS = { image: "Image", bigImage: "Larger image", audio: "Audio", video: "Video" };
const HELP = { bigImage: "Replaces the image when people select it." };
/** The kind of file that each of them is. */
const FILES = { bigImage: "image" };
const SHOWN = 100;

/** The media of a field. */
export function mediaMembers(edit) {
  const read = () => edit.get().media ?? {};
  const write = (media) => edit.set("media", Object.keys(media).length ? media : undefined, true, null);
  const rows = Object.keys(KINDS).flatMap((kind) => fileRows(edit, kind, read, write));
  return [...rows, ...altRows(edit, read, write)];
}

/** The media of options, which `set(edit, options)` stores. */
export function optionMedia(edit, set) {
  const list = el("div", {});
  const marked = edit.get().options.some((option) => option.media);
  const box = collapsible("Images, audio and video of options", marked, list);
  const draw = () =>
    list.replaceChildren(
      ...(box.open
        ? edit
            .get()
            .options.slice(0, SHOWN)
            .map((option, index) => mediaOfOption(edit, set, option, index))
        : []),
    );
  box.addEventListener("toggle", draw);
  if (marked) draw();
  return { box, draw };
}

/** One option: the image at once, because most have only that, and the rest on request. */
function mediaOfOption(edit, set, option, index) {
  const read = () => edit.get().options[index]?.media ?? {};
  const write = (media) => {
    const { media: _, ...rest } = edit.get().options[index];
    set(edit, edit.get().options.with(index, Object.keys(media).length ? { ...rest, media } : rest));
  };
  const name = readLabel(option.label, edit.store.language, edit.store.language) || option.value;
  const rows = (kind, title) => fileRows(edit, kind, read, write, title);
  const rare = Object.keys(KINDS).filter((kind) => kind !== "image");
  const more = rare.flatMap((kind) => rows(kind, `${KINDS[kind]} of ${name}`));
  const box = collapsible(
    `More for ${name}`,
    rare.some((kind) => read()[kind]),
    ...more,
  );
  box.className = "builder";
  return el("div", {}, ...rows("image", name), box);
}

function fileRows(edit, kind, read, write, title = KINDS[kind]) {
  const file = FILES[kind] ?? kind;
  const { language: own, languages, page } = edit.store;
  return languages.map((language) => {
    const change = (name) => {
      const { [kind]: before, ...media } = read();
      const names = changeLabel(before, language, name, own);
      write(names === undefined ? media : { ...media, [kind]: names });
    };
    const chosen = readLabel(read()[kind], language, own);
    const list = select(fileChoices(page.media, file, chosen), chosen, change);
    const whole = row(
      `media ${kind} ${language}`,
      languages.length > 1 ? `${title} (${nameOf(language)})` : title,
      list,
      HELP[kind],
    );
    const added = ({ name }) => {
      list.replaceChildren(
        ...fileChoices(page.media, file, name).map(([value, label]) => el("option", { value, text: label })),
      );
      list.value = name;
      change(name);
    };
    whole.append(
      el(
        "div",
        { class: "actions" },
        uploadButton(edit.store, file, title, added, (detail) => blame(whole, detail)),
      ),
    );
    return whole;
  });
}

function fileChoices(files, kind, chosen) {
  const names = files.filter((file) => file.kind === kind).map((file) => [file.name, file.name]);
  const missing = chosen && !names.some(([name]) => name === chosen) ? [[chosen, `${chosen} (not uploaded)`]] : [];
  return [["", "None"], ...missing, ...names];
}

function blame(whole, detail) {
  const slot = whole.querySelector(".field-error");
  slot.textContent = detail;
  slot.hidden = !detail;
}

function uploadButton(store, kind, title, added, failed) {
  const input = el("input", {
    type: "file",
    accept: `${kind}/*`,
    hidden: true,
    "aria-label": title,
    id: fresh("media"),
  });
  const press = button("Upload…", () => input.click(), { "aria-label": `Upload: ${title}` });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    press.disabled = true;
    failed("");
    const answer = await upload(store.page, file);
    press.disabled = false;
    input.value = "";
    if (answer.detail) return failed(answer.detail);
    keep(store.page, [answer]);
    if (answer.kind !== kind) return failed(`${answer.name} is not of this kind.`);
    added(answer);
    say(`${answer.name} uploaded`);
  });
  return el("span", {}, input, press);
}

function altRows(edit, read, write) {
  const { language: own, languages } = edit.store;
  return languages.map((language) => {
    const change = (value) => {
      const { alt: before, ...media } = read();
      const alt = changeLabel(before, language, value, own);
      edit.set("media", alt === undefined ? media : { ...media, alt }, false);
    };
    const label = languages.length > 1 ? `Description (${nameOf(language)})` : "Description";
    const control = text(readLabel(read().alt, language, own), change, {
      maxlength: settingOf(edit.get().type, "label").maxLength,
      lang: language,
    });
    return row(
      `media alt ${language}`,
      label,
      control,
      language === own ? "For people who can’t see or hear them. Without it, the question is used." : "",
    );
  });
}
