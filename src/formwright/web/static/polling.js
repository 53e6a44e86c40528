// Reloads the parts of the page that are about to change until they have; the rest of the page and any input stays.

const EVERY = 1_500;

export function changing(section) {
  setTimeout(async () => {
    if (!section.isConnected) return;
    try {
      const answer = await fetch(location.href);
      // The server may be restarting.
      if (answer.status >= 500) return changing(section);
      const other = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(section.id);
      if (!other) return;
      section.replaceWith(other);
      if ("changes" in other.dataset) changing(other);
    } catch {
      changing(section);
    }
  }, EVERY);
}
