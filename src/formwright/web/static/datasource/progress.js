// Polls the progress of long-running work every second; when it is done, loads the page with its result.

const EVERY = 1_000;

export function watching(section) {
  const bar = section.querySelector("progress");
  const words = section.querySelector("[data-working-words]");
  const timer = setInterval(ask, EVERY);

  async function ask() {
    if (!section.isConnected) return clearInterval(timer);
    try {
      const answer = await fetch(`${section.dataset.working}/state`);
      if (!answer.ok) throw new Error(String(answer.status));
      const { working, seen, done } = await answer.json();
      if (!working) return (clearInterval(timer), location.replace(section.dataset.working));
      if (done >= 0) bar.value = done;
      words.textContent = done >= 0 ? `${Math.floor(done / 10)} %` : `${seen.toLocaleString("en")} rows so far`;
    } catch {
      words.textContent = "Connection lost. The import continues, and this page reconnects automatically.";
    }
  }
}
