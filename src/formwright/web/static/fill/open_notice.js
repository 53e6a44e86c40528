// Tells the server that a person has opened the form, at their first action on the page. Mail scanners that follow the
// link, and browsers that load it early, perform none.

const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

export function noteOpened(base) {
  const told = new AbortController();
  let asking = false;
  const tell = async () => {
    if (asking) return;
    asking = true;
    const answer = await fetch(`${base}/opened`, { method: "POST", keepalive: true }).catch(() => null);
    // Without a network, the next action tries again.
    if (answer && answer.status < 500) told.abort();
    asking = false;
  };
  for (const sign of SIGNS) addEventListener(sign, tell, { signal: told.signal, passive: true });
}
