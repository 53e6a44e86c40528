// Photos and other files: stored on this device immediately, uploaded when there is a network, named in the answer.

import { addPending, hold, getFile, release, statusOf, toServer } from "../local_files.js";
import { say } from "../texts.js";
import { button, element } from "./element.js";
import { shrinkImage } from "./image_resize.js";

export function files(question, root) {
  const photo = question.widget === "photo";
  const list = element("ul", { className: "files" });
  const chooser = input(photo, false);
  const camera = input(photo, true);
  const choose = button("", () => chooser.click(), { id: question.inputId });
  const take = button("", () => camera.click());
  root.append(list, element("div", { className: "buttons" }, take, choose), chooser, camera);
  for (const one of [chooser, camera]) one.addEventListener("change", () => addPending(add(one)));

  async function add(source) {
    const space = question.maxFiles - ids().length;
    const chosen = [...source.files].slice(0, space);
    source.value = "";
    for (const file of chosen) {
      const id = await hold(question, file.name, photo ? await shrinkImage(file) : file);
      question.value = [...ids(), id];
      toServer(id).then(show);
    }
  }

  const ids = () => question.value ?? [];

  async function drop(id) {
    const left = ids().filter((one) => one !== id);
    question.value = left.length ? left : undefined;
    release(id);
    await show();
    choose.focus(); // It was hidden if the maximum number was reached.
  }

  async function show() {
    const lines = await Promise.all(ids().map((id, index) => line(id, index)));
    // A line is rendered again when its file has been uploaded: its button keeps the focus.
    const focused = list.contains(document.activeElement) && document.activeElement.dataset.file;
    list.replaceChildren(...lines);
    if (focused) lines.find((one) => one.lastChild.dataset.file === focused)?.lastChild.focus();
    const full = ids().length >= question.maxFiles || question.isReadOnly;
    take.hidden = full || !photo || !matchMedia("(pointer: coarse)").matches;
    choose.hidden = full;
    take.textContent = say("takePhoto");
    choose.textContent = say(photo ? "choosePhoto" : "chooseFile");
    chooser.multiple = question.maxFiles > 1;
  }

  async function line(id, index) {
    const file = await getFile(id);
    const name = photo ? say("photo", index + 1) : (file?.name ?? id);
    const picture = photo && file ? element("img", { src: file.address, alt: name }) : "";
    const state = element("span", { className: "file-state" }, statusOf(file));
    const remove = button("✕", () => drop(id), { hidden: question.isReadOnly, ariaLabel: say("remove", name) });
    remove.dataset.file = id;
    return element("li", {}, picture, element("span", { className: "file-name" }, name, state), remove);
  }

  show();
  return show;
}

function input(photo, camera) {
  const made = element("input", { type: "file", hidden: true, accept: photo ? "image/*" : "" });
  if (camera) made.setAttribute("capture", "environment");
  return made;
}
