// What is about to change is read again until it has; the rest of the page, and what is typed there, stays.

const EVERY = 1_500;

export function changing(section) {
  setTimeout(async () => {
    if (!section.isConnected) return;
    try {
      const answer = await fetch(location.href);
      // As while the server is exchanged.
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
