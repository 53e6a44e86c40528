// Forms with several pages: progress, and buttons for the next and previous page.

import { addPressListener } from "./press_listener.js";
import { t } from "./texts.js";

/** `tried()` is called when the user tries to continue. */
export function setUpPageNavigation(survey, { progress, back, next, send }, tried) {
  const text = progress.querySelector("p");
  const bar = progress.querySelector("progress");

  function update() {
    const { visiblePageCount: count, currentPageNo: now } = survey;
    progress.hidden = count < 2;
    text.textContent = t("page", now + 1, count);
    [bar.value, bar.max] = [now + 1, count];
    back.hidden = now === 0;
    next.hidden = now >= count - 1;
    send.hidden = !next.hidden;
  }

  // The next page begins at the top, for the eyes, the keyboard and screen readers.
  function turn(act) {
    const turned = act();
    tried();
    if (!turned) return;
    scrollTo(0, 0);
    progress.focus({ preventScroll: true });
  }

  addPressListener(back, () => turn(() => survey.prevPage()));
  addPressListener(next, () => turn(() => survey.nextPage()));
  survey.onCurrentPageChanged.add(update);
  survey.onPageVisibleChanged.add(update);
  update();
  return update;
}
