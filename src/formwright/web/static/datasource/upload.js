// Uploads a dropped or chosen file immediately and shows the progress.

const MIB = 1024 * 1024;

export function sending(form, show) {
  const input = form.querySelector("input[type=file]");
  const button = form.querySelector("button");
  // A file selected before this script ran, or after going back, waits for the button.
  button.hidden = input.files.length === 0;
  form.querySelector("[data-drop-words]").hidden = false;
  dropping(form.querySelector("[data-drop]"), input, () => send());
  input.addEventListener("change", () => input.files.length && send());

  function send() {
    const [file] = input.files;
    const most = Number(form.dataset.sends);
    if (file.size > most)
      return tell(form, `This file is ${Math.ceil(file.size / MIB)} MiB. The maximum is ${most / MIB} MiB.`);
    post(form, show);
  }
}

function dropping(zone, input, send) {
  const over = (yes) => (event) => {
    event.preventDefault();
    zone.classList.toggle("over", yes);
  };
  for (const name of ["dragenter", "dragover"]) zone.addEventListener(name, over(true));
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, over(false));
  zone.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    send();
  });
}

// `fetch` does not report upload progress.
function post(form, show) {
  const box = form.querySelector("[data-sending]");
  const bar = box.querySelector("progress");
  const words = box.querySelector("[data-sending-words]");
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = Math.round((1000 * loaded) / total);
    words.textContent = loaded < total ? `Uploading… ${Math.floor((100 * loaded) / total)} %` : "Reading the file…";
    if (loaded >= total) bar.removeAttribute("value");
  });
  request.addEventListener("load", () => {
    if (request.status < 400) location.assign(request.responseURL);
    else show(request.responseText);
  });
  request.addEventListener("error", () => {
    box.hidden = true;
    tell(form, "Upload failed. Check your connection and try again.");
  });
  box.hidden = false;
  words.textContent = "Uploading…";
  request.send(new FormData(form));
}

function tell(form, text) {
  form.querySelector(".field-error")?.remove();
  const input = form.querySelector("input[type=file]");
  const fault = Object.assign(document.createElement("p"), {
    className: "field-error",
    id: "file-fault",
    textContent: text,
  });
  fault.setAttribute("role", "alert");
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-errormessage", fault.id);
  input.after(fault);
  input.value = "";
}
