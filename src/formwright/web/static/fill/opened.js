// Tells the server that a person has the form before her: at the first thing she does on the page. A mail scanner that
// fetches the link, or a browser that does so early, does nothing on it.

const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

export function noteOpened(base) {
  const told = new AbortController();
  let asking = false;
  const tell = async () => {
    if (asking) return;
    asking = true;
    const answer = await fetch(`${base}/opened`, { method: "POST", keepalive: true }).catch(() => null);
    // Without a network the next thing she does tries again.
    if (answer && answer.status < 500) told.abort();
    asking = false;
  };
  for (const sign of SIGNS) addEventListener(sign, tell, { signal: told.signal, passive: true });
}
