// Changes in the preview apply immediately: the file is parsed again with the new options.

export function choosing(form, show) {
  const again = form.querySelector("[data-look-again]");
  const changes = form.querySelectorAll("[data-look]");
  if (again) again.hidden = changes.length > 0 && !document.querySelector(".notice.bad[role=alert]");
  for (const one of changes) one.addEventListener("change", look);

  async function look() {
    document.getElementById("said").textContent = "Reading the file…";
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.dataset.looks, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      show(await answer.text(), answer.url);
      document.getElementById("said").textContent = "Preview updated";
    } catch {
      form.removeAttribute("aria-busy");
      document.getElementById("said").textContent = "Connection lost. Try again.";
    }
  }
}
