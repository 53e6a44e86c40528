// Images, audio and video beside questions and options.

import { button, el, fresh, say, select } from "./dom.js";
import { changeLabel, nameOf, readLabel } from "./labels.js";
import { keep, upload } from "./media_files.js";
import { collapsible, row, text } from "./rows.js";

const KINDS = { image: "Image", audio: "Audio", video: "Video" };
const SHOWN = 100;

/** The media of a field. */
export function mediaMembers(edit) {
  const read = () => edit.get().media ?? {};
  const write = (media) => edit.set("media", Object.keys(media).length ? media : undefined, true, null);
  const rows = Object.keys(KINDS).flatMap((kind) => fileRows(edit, kind, read, write));
  return [...rows, ...altRows(edit, read, write)];
}

/** The images of options, which `set(edit, options)` stores. Other media of options are kept as they are. */
export function optionImages(edit, set) {
  const list = el("div", {});
  const marked = edit.get().options.some((option) => option.media);
  const box = collapsible("Images of options", marked, list);
  const draw = () => {
    const lines = edit.get().options.slice(0, SHOWN).flatMap((option, index) => {
      const read = () => edit.get().options[index]?.media ?? {};
      const write = (media) => {
        const { media: _, ...rest } = edit.get().options[index];
        set(edit, edit.get().options.with(index, Object.keys(media).length ? { ...rest, media } : rest));
      };
      return fileRows(edit, "image", read, write, readLabel(option.label, edit.store.language, edit.store.language) || option.value);
    });
    list.replaceChildren(...(box.open ? lines : []));
  };
  box.addEventListener("toggle", draw);
  if (marked) draw();
  return { box, draw };
}

function fileRows(edit, kind, read, write, title = KINDS[kind]) {
  const { language: own, languages, page } = edit.store;
  return languages.map((language) => {
    const change = (name) => {
      const { [kind]: before, ...media } = read();
      const names = changeLabel(before, language, name, own);
      write(names === undefined ? media : { ...media, [kind]: names });
    };
    const chosen = readLabel(read()[kind], language, own);
    const list = select(fileChoices(page.media, kind, chosen), chosen, change);
    const whole = row(`media ${kind} ${language}`, languages.length > 1 ? `${title} (${nameOf(language)})` : title, list);
    const added = (file) => {
      list.replaceChildren(...fileChoices(page.media, kind, file.name).map(([value, label]) => el("option", { value, text: label })));
      list.value = file.name;
      change(file.name);
    };
    whole.append(el("div", { class: "actions" }, uploadButton(edit.store, kind, title, added, (detail) => blame(whole, detail))));
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
  const input = el("input", { type: "file", accept: `${kind}/*`, hidden: true, "aria-label": title, id: fresh("media") });
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
    const control = text(readLabel(read().alt, language, own), change, { maxlength: "2000", lang: language });
    return row(`media alt ${language}`, label, control, language === own ? "For people who can’t see or hear them. Without it, the question is used." : "");
  });
}
