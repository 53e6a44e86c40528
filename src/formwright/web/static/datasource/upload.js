// Uploads a dropped or chosen file immediately and shows the progress.

import { createElement, query } from "../dom.js";

const MIB = 1024 * 1024;

/** `replacePage(html)` shows the errors that the server found. */
export function enableUpload(form, replacePage) {
  const input = query("input[type=file]", HTMLInputElement, form);
  const button = query("button", HTMLButtonElement, form);
  // A file selected before this script ran, or after going back, waits for the button.
  button.hidden = input.files.length === 0;
  query("[data-drop-words]", HTMLElement, form).hidden = false;
  enableDropZone(query("[data-drop]", HTMLElement, form), input, checkAndUpload);
  input.addEventListener("change", () => input.files.length && checkAndUpload());

  function checkAndUpload() {
    const [file] = input.files;
    const maxSize = Number(form.dataset.sends);
    if (file.size > maxSize)
      return showError(form, `This file is ${Math.ceil(file.size / MIB)} MiB. The maximum is ${maxSize / MIB} MiB.`);
    upload(form, replacePage);
  }
}

function enableDropZone(zone, input, onDrop) {
  const markOver = (isOver) => (event) => {
    event.preventDefault();
    zone.classList.toggle("over", isOver);
  };
  for (const name of ["dragenter", "dragover"]) zone.addEventListener(name, markOver(true));
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, markOver(false));
  zone.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    onDrop();
  });
}

// `fetch` does not report upload progress.
function upload(form, replacePage) {
  const box = query("[data-sending]", HTMLElement, form);
  const bar = query("progress", HTMLProgressElement, box);
  const status = query("[data-sending-words]", HTMLElement, box);
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = Math.round((1000 * loaded) / total);
    status.textContent = loaded < total ? `Uploading… ${Math.floor((100 * loaded) / total)} %` : "Reading the file…";
    if (loaded >= total) bar.removeAttribute("value");
  });
  request.addEventListener("load", () => {
    if (request.status < 400) location.assign(request.responseURL);
    else replacePage(request.responseText);
  });
  request.addEventListener("error", () => {
    box.hidden = true;
    showError(form, "Upload failed. Check your connection and try again.");
  });
  box.hidden = false;
  status.textContent = "Uploading…";
  request.send(new FormData(form));
}

function showError(form, text) {
  query(".field-error", HTMLElement, form)?.remove();
  const input = query("input[type=file]", HTMLInputElement, form);
  const fault = createElement("p", { class: "field-error", id: "file-fault", role: "alert", text });
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-errormessage", fault.id);
  input.after(fault);
  input.value = "";
}
