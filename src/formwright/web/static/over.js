// The page of a form that is closed, or of a link that has ended: it tells of what waits on this device for it, which
// would be seen nowhere else.

import "./fill/shared/remote.js";
import "./fill/shared/store.js";
import "./fill/shared/outbox.js";
import { showWaiting } from "./fill/waiting.js";
import { speak } from "./fill/words.js";

const tell = () => showWaiting(document.getElementById("waiting"), location.pathname);

await speak(document.documentElement.lang);
await tell();
await globalThis.formwright.outbox.flush().catch(() => {});
await tell();
