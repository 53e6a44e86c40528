// The question library in the designer: what people can do with blocks, and the notice in the panel of a field.

import * as blocks from "./block_copies.js";
import {
  openInsertDialog,
  openReplaceDialog,
  openReviewDialog,
  openSaveDialog,
  saveBlock,
  LIBRARY_URL,
} from "./block_dialogs.js";
import { fetchJson } from "./requests.js";
import { announce, createButton, createElement } from "../dom.js";
import { fieldLabel } from "./field_types.js";
import { listMissingFiles } from "./media_files.js";
import { findNode, listNodes, resolvePointer } from "./field_tree.js";

/**
 * `actions`: {addNodes(nodes), describeTarget(what)} of the fields, and showToast(text).
 * @param {import("./design_store.js").DesignStore} store
 * @param {import("./field_types.js").FieldTypes} fieldTypes
 */
export function createQuestionLibrary(store, fieldTypes, actions) {
  const { page } = store;
  const newestVersion = (copyKey) => page.blocks[copyKey.id];
  const labelAtPointer = (nodes) => (pointer) => {
    const { id } = resolvePointer(nodes, pointer);
    return id ? fieldLabel(findNode(nodes, id).node, store.language) : "";
  };
  const findNodes = (ids) => listNodes(store.nodes).filter(({ id }) => ids.includes(id));

  async function saveFields(copyKey, address, ids, more, names) {
    const nodes = findNodes(ids);
    if (!nodes.length) return "Choose at least one question.";
    const body = { ...more, fields: blocks.createBlockContent(nodes, names), language: store.language };
    const { block, detail } = await saveBlock(address, body, page.token, labelAtPointer(nodes));
    if (!block) return detail;
    const { id, name, version } = block;
    page.blocks[id] = { name, version };
    store.applyChange(
      { nodes: blocks.linkCopy(store.nodes, ids, { ...copyKey, id, version }, names) },
      { drawn: true },
    );
    store.select(store.selectedId);
    announce(`“${name}” saved to the library`);
    return "";
  }

  function openSave(node) {
    const siblings = listSiblings(node).filter(({ field }) => !field.block);
    openSaveDialog(store, node, siblings, ({ name, description, ids }) => {
      if (!name) return "Enter a name.";
      return saveFields({}, LIBRARY_URL, ids, { name, description }, {});
    });
  }

  function replaceBlock(node) {
    const copyKey = copyOrigin(node);
    const roots = blocks.findCopyRoots(store.nodes, copyKey);
    const siblings = listSiblings(roots[0]).filter((one) => !one.field.block || roots.includes(one));
    const all = [...new Set([...siblings, ...roots])];
    const { name, version } = newestVersion(copyKey);
    openReplaceDialog(
      store,
      { name, version },
      roots.map(({ id }) => id),
      all,
      ({ ids }) => {
        const names = blocks.assignBlockNames(findNodes(ids), copyKey);
        return saveFields(
          copyKey,
          `${LIBRARY_URL}/${copyKey.id}/versions`,
          ids,
          { basedOn: node.field.block.version },
          names,
        );
      },
    );
  }

  async function reviewUpdate(node) {
    const copyKey = copyOrigin(node);
    const found = await fetchJson(`${LIBRARY_URL}/${copyKey.id}/versions?base=${node.field.block.version}`);
    if (!found) return announce("The block couldn’t be loaded. Try again.");
    page.blocks[copyKey.id] = { name: found.latest.name, version: found.latest.version };
    const { nodes, changes } = blocks.updateCopy(store.nodes, {
      copyKey,
      ...found,
      language: store.language,
      taken: store.takenNames,
    });
    openReviewDialog(store, found.latest, changes, () => {
      store.applyChange({ nodes }, { drawn: true });
      store.select(store.get(store.selectedId) ? store.selectedId : null);
      announce(`Updated to version ${found.latest.version}`);
    });
  }

  /** Load what the page did not know: changes that were stored on this device can contain other blocks. */
  async function loadBlock(id) {
    page.blocks[id] = undefined;
    const found = await fetchJson(`${LIBRARY_URL}/${id}/versions`);
    page.blocks[id] = found && { name: found.latest.name, version: found.latest.version };
    store.select(store.selectedId);
  }

  function detachNode(node) {
    store.applyChange({ nodes: blocks.detachCopy(store.nodes, copyOrigin(node)) }, { drawn: true });
    store.select(store.selectedId);
    announce("Detached from the library");
  }

  const listSiblings = (node) => findNode(store.nodes, node.id).parent?.children ?? store.nodes;

  return {
    openInsert() {
      openInsertDialog(fieldTypes, store, actions.describeTarget("The questions are"), (block) => {
        const nodes = blocks.createCopy(block, store.nodes, store.language, store.takenNames);
        page.blocks[block.id] = { name: block.name, version: block.version };
        const reason = actions.addNodes(nodes);
        if (reason) return reason;
        const missing = listMissingFiles({ nodes, page });
        actions.showToast(
          `“${block.name}” inserted.${missing.length ? ` Upload its files to this form: ${missing.join(", ")}.` : ""}`,
        );
        return "";
      });
    },
    openSave,
    /** The notice of a field that comes from the library; nothing for others. */
    createNotice(node) {
      if (!node.field.block) return [];
      const { id, version } = node.field.block;
      if (!(id in page.blocks)) loadBlock(id);
      const block = page.blocks[id];
      const newer = blocks.newerVersion(node.field, page.blocks);
      const buttons = [
        newer ? createButton("Review update", () => reviewUpdate(node), { class: "small" }) : null,
        block && !newer && page.mayEditLibrary
          ? createButton("Update library from this form", () => replaceBlock(node))
          : null,
        createButton("Detach", () => detachNode(node), {
          title: "Keep the questions, but don’t offer updates any more.",
        }),
      ];
      const text =
        block === undefined
          ? "From the question library."
          : !block
            ? "These questions came from a block that is no longer in the library."
            : `From the library: “${block.name}”, version ${version}.`;
      return [
        createElement(
          "div",
          { class: "notice origin" },
          createElement(
            "p",
            {},
            createElement("span", { dir: "auto", text }),
            newer ? createElement("strong", { text: ` Version ${newer} is available.` }) : null,
          ),
          createElement("div", { class: "actions" }, ...buttons),
        ),
      ];
    },
  };
}

const copyOrigin = ({ field: { block } }) => ({ id: block.id, ...(block.copy > 1 ? { copy: block.copy } : {}) });
