// "Continue later": the unfinished answers are saved on the server, with a secret link that opens them on any device.

import { byId } from "./dom.js";
import { waitForPendingFiles, uploadFiles, withServerIds } from "./local_files.js";
import { addPressListener } from "./press_listener.js";
import { showReturnLink } from "./return_link.js";
import { rejectionText, t } from "./texts.js";

const { outbox, proof, remote, store } = globalThis.formwright;
const LINK_OPENED_HASH = "#continue";

export class ContinueLaterButton {
  #form;
  #busy = false;

  constructor(form) {
    this.#form = form;
  }

  begin() {
    addPressListener(byId("continue"), () => this.#run());
    addPressListener(byId("reload"), () => location.reload());
    // The page of the new link, to which the page of the form has led.
    if (location.hash === LINK_OPENED_HASH) this.#show();
  }

  async #run() {
    if (this.#busy) return;
    this.#busy = true;
    byId("continue").setAttribute("aria-disabled", "true");
    byId("continue-failed").hidden = true;
    await waitForPendingFiles();
    await (this.#form.page.once ? this.#saveHere() : this.#moveToLink());
    byId("continue").removeAttribute("aria-disabled");
    this.#busy = false;
  }

  /** The page has a link of its own already. */
  async #saveHere() {
    const { failed } = await uploadFiles(this.#form.judge.answers);
    if (failed) return this.#fail(failed);
    if (await this.#form.saving.now()) return this.#show();
    if (byId("elsewhere").hidden) this.#fail({ kind: "later", network: !navigator.onLine });
  }

  // From then on, this device works with the link, like any other that opens it.
  async #moveToLink() {
    const { draft, judge, saving, survey } = this.#form;
    byId("form").inert = true;
    const typed = survey.data;
    const { answers: moved, failed } = await uploadFiles(typed);
    await saving.settle();
    const answer = failed ?? (await this.#createLink(withServerIds(judge.answers)));
    if (answer.kind !== "done") {
      byId("form").inert = false;
      return this.#fail(answer);
    }
    draft.move(answer.link, answer.revision, moved);
    for (const local of outbox.locals(typed)) await store.drop("files", local).catch(() => {});
    location.assign(`${answer.link}${LINK_OPENED_HASH}`);
  }

  async #createLink(data) {
    const { draft, editor, page, position } = this.#form;
    const address = `${page.base}/submissions/${draft.clientId}`;
    const body = { versionId: page.versionId, data, position, editor };
    const answer = await remote.link(address, body);
    if (answer.code !== "fill.proof_required") return answer;
    const proven = await proof.prove(page.base);
    return proven ? remote.link(address, { ...body, proof: proven }) : answer;
  }

  #show() {
    const { page } = this.#form;
    const describe = () => [t(page.returned ? "continueSaved" : "continuePersonal")];
    showReturnLink(byId("continue-link"), { path: page.base, subject: document.title, describe });
    byId("continue-link").focus();
    byId("continue-link").scrollIntoView({ block: "nearest" });
  }

  #fail(answer) {
    const isAway = answer.kind === "later" && (answer.network || !navigator.onLine);
    byId("continue-failed").textContent = isAway
      ? t("continueOffline")
      : (answer.kind !== "later" && rejectionText(answer)) || t("continueFailed");
    byId("continue-failed").hidden = false;
  }
}
