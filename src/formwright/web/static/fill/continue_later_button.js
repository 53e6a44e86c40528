// "Continue later": the unfinished answers are saved on the server, with a secret link that opens them on any device.

import { allHere, uploadAll, withServerIds } from "./local_files.js";
import { press } from "./press_listener.js";
import { showLink } from "./return_link.js";
import { reason, say } from "./texts.js";

const { outbox, proof, remote, store } = globalThis.formwright;
const OPENED = "#continue";
const at = (id) => document.getElementById(id);

export class Continuing {
  #form;
  #busy = false;

  constructor(form) {
    this.#form = form;
  }

  begin() {
    press(at("continue"), () => this.#run());
    press(at("reload"), () => location.reload());
    // The page of the new link, to which the page of the form has led.
    if (location.hash === OPENED) this.#show();
  }

  async #run() {
    if (this.#busy) return;
    this.#busy = true;
    at("continue").setAttribute("aria-disabled", "true");
    at("continue-failed").hidden = true;
    await allHere();
    await (this.#form.page.once ? this.#saveHere() : this.#moveToLink());
    at("continue").removeAttribute("aria-disabled");
    this.#busy = false;
  }

  /** The page has a link of its own already. */
  async #saveHere() {
    const { failed } = await uploadAll(this.#form.judge.answers);
    if (failed) return this.#fail(failed);
    if (await this.#form.saving.now()) return this.#show();
    if (at("elsewhere").hidden) this.#fail({ kind: "later", network: !navigator.onLine });
  }

  // From then on, this device works with the link, like any other that opens it.
  async #moveToLink() {
    const { draft, judge, saving, survey } = this.#form;
    at("form").inert = true;
    const typed = survey.data;
    const { answers: moved, failed } = await uploadAll(typed);
    await saving.settle();
    const answer = failed ?? (await this.#createLink(withServerIds(judge.answers)));
    if (answer.kind !== "done") {
      at("form").inert = false;
      return this.#fail(answer);
    }
    draft.move(answer.link, answer.revision, moved);
    for (const local of outbox.locals(typed)) await store.drop("files", local).catch(() => {});
    location.assign(`${answer.link}${OPENED}`);
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
    const describe = () => [say(page.returned ? "continueSaved" : "continuePersonal")];
    showLink(at("continue-link"), { path: page.base, subject: document.title, describe });
    at("continue-link").focus();
    at("continue-link").scrollIntoView({ block: "nearest" });
  }

  #fail(answer) {
    const isAway = answer.kind === "later" && (answer.network || !navigator.onLine);
    at("continue-failed").textContent = isAway
      ? say("continueOffline")
      : (answer.kind !== "later" && reason(answer)) || say("continueFailed");
    at("continue-failed").hidden = false;
  }
}
