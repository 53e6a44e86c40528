// The question library in the designer: what people can do with blocks, and the notice in the panel of a field.

import * as blocks from "./block_copies.js";
import { openInsertion, openReplacing, openReview, openSaving, read, write, LIBRARY } from "./block_dialogs.js";
import { button, el, say } from "../dom.js";
import { labelOf } from "./field_types.js";
import { missingNames } from "./media_files.js";
import * as tree from "./field_tree.js";

/** `does`: {putAll(nodes), where(what)} of the fields, and tell(text), which shows a message. */
export function library(store, kinds, does) {
  const { page } = store;
  const newest = (of) => page.blocks[of.id];
  const label = (nodes) => (pointer) => {
    const { id } = tree.resolvePointer(nodes, pointer);
    return id ? labelOf(tree.find(nodes, id).node, store.language) : "";
  };
  const chosenNodes = (ids) => [...tree.walk(store.nodes)].map(({ node }) => node).filter(({ id }) => ids.includes(id));

  async function save(of, address, ids, more, names) {
    const nodes = chosenNodes(ids);
    if (!nodes.length) return "Choose at least one question.";
    const body = { ...more, fields: blocks.contentOf(nodes, names), language: store.language };
    const { answer, detail } = await write(address, body, page.token, label(nodes));
    if (!answer) return detail;
    const { id, name, version } = answer;
    page.blocks[id] = { name, version };
    store.change({ nodes: blocks.link(store.nodes, ids, { ...of, id, version }, names) }, { drawn: true });
    store.choose(store.chosen);
    say(`“${name}” saved to the library`);
    return "";
  }

  function saveToLibrary(node) {
    const beside = besides(node).filter(({ field }) => !field.block);
    openSaving(store, node, beside, ({ name, description, ids }) => {
      if (!name) return "Enter a name.";
      return save({}, LIBRARY, ids, { name, description }, {});
    });
  }

  function replace(node) {
    const of = origin(node);
    const roots = blocks.rootsOfCopy(store.nodes, of);
    const beside = besides(roots[0]).filter((one) => !one.field.block || roots.includes(one));
    const all = [...new Set([...beside, ...roots])];
    const { name, version } = newest(of);
    openReplacing(
      store,
      { name, version },
      roots.map(({ id }) => id),
      all,
      ({ ids }) => {
        const names = blocks.namesInBlock(chosenNodes(ids), of);
        return save(of, `${LIBRARY}/${of.id}/versions`, ids, { basedOn: node.field.block.version }, names);
      },
    );
  }

  async function review(node) {
    const of = origin(node);
    const found = await read(`${LIBRARY}/${of.id}/versions?base=${node.field.block.version}`);
    if (!found) return say("The block couldn’t be loaded. Try again.");
    page.blocks[of.id] = { name: found.latest.name, version: found.latest.version };
    const { nodes, changes } = blocks.update(store.nodes, {
      of,
      ...found,
      language: store.language,
      taken: store.taken,
    });
    openReview(store, found.latest, changes, () => {
      store.change({ nodes }, { drawn: true });
      store.choose(store.get(store.chosen) ? store.chosen : null);
      say(`Updated to version ${found.latest.version}`);
    });
  }

  /** Load what the page did not know: changes that were kept on this device can contain other blocks. */
  async function lookUp(id) {
    page.blocks[id] = undefined;
    const found = await read(`${LIBRARY}/${id}/versions`);
    page.blocks[id] = found && { name: found.latest.name, version: found.latest.version };
    store.choose(store.chosen);
  }

  function detach(node) {
    store.change({ nodes: blocks.detach(store.nodes, origin(node)) }, { drawn: true });
    store.choose(store.chosen);
    say("Detached from the library");
  }

  const besides = (node) => tree.find(store.nodes, node.id).parent?.children ?? store.nodes;

  return {
    insert() {
      openInsertion(kinds, store, does.where("The questions are"), (block) => {
        const nodes = blocks.insertion(block, store.nodes, store.language, store.taken);
        page.blocks[block.id] = { name: block.name, version: block.version };
        const reason = does.putAll(nodes);
        if (reason) return reason;
        const missing = missingNames({ nodes, page });
        does.tell(
          `“${block.name}” inserted.${missing.length ? ` Upload its files to this form: ${missing.join(", ")}.` : ""}`,
        );
        return "";
      });
    },
    saveToLibrary,
    /** The notice of a field that comes from the library; nothing for others. */
    notice(node) {
      if (!node.field.block) return [];
      const { id, version } = node.field.block;
      if (!(id in page.blocks)) lookUp(id);
      const block = page.blocks[id];
      const newer = blocks.newerVersion(node.field, page.blocks);
      const actions = [
        newer ? button("Review update", () => review(node), { class: "small" }) : null,
        block && !newer && page.mayEditLibrary ? button("Update library from this form", () => replace(node)) : null,
        button("Detach", () => detach(node), { title: "Keep the questions, but don’t offer updates any more." }),
      ];
      const text =
        block === undefined
          ? "From the question library."
          : !block
            ? "These questions came from a block that is no longer in the library."
            : `From the library: “${block.name}”, version ${version}.`;
      return [
        el(
          "div",
          { class: "notice origin" },
          el(
            "p",
            {},
            el("span", { dir: "auto", text }),
            newer ? el("strong", { text: ` Version ${newer} is available.` }) : null,
          ),
          el("div", { class: "actions" }, ...actions),
        ),
      ];
    },
  };
}

const origin = ({ field: { block } }) => ({ id: block.id, ...(block.copy > 1 ? { copy: block.copy } : {}) });
