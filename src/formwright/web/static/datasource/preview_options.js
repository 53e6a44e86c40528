// Changes in the preview apply immediately: the file is parsed again with the new options.

// Browsers add a letter to those typed before it within a second, so a select is not replaced earlier while someone types in it.
const TYPING_PAUSE = 1000;

export function choosing(form, show) {
  const again = form.querySelector("[data-look-again]");
  if (again)
    again.hidden = form.querySelector("[data-look]") !== null && !document.querySelector(".notice.bad[role=alert]");
  let lastKey = -TYPING_PAUSE;
  let timer = 0;
  let request = null;

  form.addEventListener("keydown", (event) => {
    if (event.key === "Tab") return;
    lastKey = performance.now();
    if (timer || request) schedule();
  });
  // The response to an earlier request would undo a choice made since, whichever field it is in.
  form.addEventListener("change", (event) => {
    if (event.target.matches("[data-look]") || timer || request) schedule();
  });
  form.addEventListener("focusout", () => {
    if (timer) look();
  });

  function schedule() {
    request?.abort();
    request = null;
    clearTimeout(timer);
    timer = setTimeout(look, Math.max(0, lastKey + TYPING_PAUSE - performance.now()));
  }

  async function look() {
    clearTimeout(timer);
    timer = 0;
    const current = (request = new AbortController());
    document.getElementById("announcement").textContent = "Reading the file…";
    form.setAttribute("aria-busy", "true");
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.dataset.looks, { method: "POST", body, signal: current.signal });
      const html = await answer.text();
      if (request !== current) return;
      show(html, answer.url);
      document.getElementById("announcement").textContent = "Preview updated";
    } catch {
      if (request !== current) return;
      request = null;
      form.removeAttribute("aria-busy");
      document.getElementById("announcement").textContent = "Connection lost. Try again.";
    }
  }
}
