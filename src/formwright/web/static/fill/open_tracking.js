// Tells the server that a person has opened the form, at their first action on the page. Mail scanners that follow the
// link, and browsers that load it early, perform none.

const ACTION_EVENTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

export function trackOpened(base) {
  const listening = new AbortController();
  let sending = false;
  const notify = async () => {
    if (sending) return;
    sending = true;
    const response = await fetch(`${base}/opened`, { method: "POST", keepalive: true }).catch(() => null);
    // Without a network, the next action tries again.
    if (response && response.status < 500) listening.abort();
    sending = false;
  };
  for (const event of ACTION_EVENTS) addEventListener(event, notify, { signal: listening.signal, passive: true });
}
