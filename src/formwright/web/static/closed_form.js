// The page of a closed form or an expired link: it lists the submissions that wait on this device, which would be shown
// nowhere else.

import { flush } from "./fill/shared/outbox.js";
import { showWaitingSubmissions } from "./fill/waiting_submissions.js";
import { switchLanguage } from "./fill/texts.js";

const showWaiting = () => showWaitingSubmissions(document.getElementById("waiting"), location.pathname);

const { lang } = document.documentElement;
switchLanguage(lang, lang === "en" ? null : (await import(`./fill/texts/${lang}.js`)).texts);
await showWaiting();
await flush().catch(() => {});
await showWaiting();
