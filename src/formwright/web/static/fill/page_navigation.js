// Forms with several pages: progress, and buttons for the next and previous page.

import { addPressListener } from "./press_listener.js";
import { t } from "./texts.js";

/** `onTurn()` is called when the user tries to continue. */
export function setUpPageNavigation(survey, { progress, back, next, send }, onTurn) {
  const text = progress.querySelector("p");
  const bar = progress.querySelector("progress");

  function update() {
    const { visiblePageCount: count, currentPageNo: current } = survey;
    progress.hidden = count < 2;
    text.textContent = t("page", current + 1, count);
    [bar.value, bar.max] = [current + 1, count];
    back.hidden = current === 0;
    next.hidden = current >= count - 1;
    send.hidden = !next.hidden;
  }

  // The next page begins at the top, for the eyes, the keyboard and screen readers.
  function turnPage(turnTo) {
    const hasTurned = turnTo();
    onTurn();
    if (!hasTurned) return;
    scrollTo(0, 0);
    progress.focus({ preventScroll: true });
  }

  addPressListener(back, () => turnPage(() => survey.prevPage()));
  addPressListener(next, () => turnPage(() => survey.nextPage()));
  survey.onCurrentPageChanged.add(update);
  survey.onPageVisibleChanged.add(update);
  update();
  return update;
}
