// The page of a closed form or an expired link: it lists the submissions that wait on this device, which would be shown
// nowhere else.

import "./fill/shared/remote.js";
import "./fill/shared/proof.js";
import "./fill/shared/store.js";
import "./fill/shared/outbox.js";
import { showWaiting } from "./fill/waiting_list.js";
import { speak } from "./fill/texts.js";

const tell = () => showWaiting(document.getElementById("waiting"), location.pathname);

await speak(document.documentElement.lang);
await tell();
await globalThis.formwright.outbox.flush().catch(() => {});
await tell();
