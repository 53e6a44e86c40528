// A form of several pages: how far one is, and the way on and back.

import { press } from "./press.js";
import { say } from "./words.js";

/** `tried()` is called when one tried to go on. */
export function pages(survey, { progress, back, next, send }, tried) {
  const text = progress.querySelector("p");
  const bar = progress.querySelector("progress");

  function show() {
    const { visiblePageCount: count, currentPageNo: now } = survey;
    progress.hidden = count < 2;
    text.textContent = say("page", now + 1, count);
    [bar.value, bar.max] = [now + 1, count];
    back.hidden = now === 0;
    next.hidden = now >= count - 1;
    send.hidden = !next.hidden;
  }

  // Who goes on begins above: by eye, by keyboard and by ear.
  function turn(act) {
    const turned = act();
    tried();
    if (!turned) return;
    scrollTo(0, 0);
    progress.focus({ preventScroll: true });
  }

  press(back, () => turn(() => survey.prevPage()));
  press(next, () => turn(() => survey.nextPage()));
  survey.onCurrentPageChanged.add(show);
  survey.onPageVisibleChanged.add(show);
  show();
  return show;
}
