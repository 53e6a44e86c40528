// Adds and removes rows of HTTP headers in place. Without JavaScript, the server does it with the same buttons.

import { byId, closest, query, queryAll } from "./dom.js";

const list = byId("headers");
const template = byId("header-row", HTMLTemplateElement);
const addButton = query('button[name="row"][value="add"]', HTMLButtonElement);

function renumberRows() {
  for (const [index, row] of [...list.children].entries()) {
    for (const part of row.querySelectorAll("[aria-label]")) {
      part.setAttribute("aria-label", part.getAttribute("aria-label").replace(/\d+$/, String(index + 1)));
    }
    query("button", HTMLButtonElement, row).value = `remove-${index + 1}`;
  }
  addButton.hidden = list.children.length >= Number(list.dataset.most);
}

function addRow() {
  list.append(template.content.cloneNode(true));
  renumberRows();
  queryAll("li", HTMLElement, list).at(-1).querySelector("input").focus();
}

function removeRow(row) {
  const neighbor = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  renumberRows();
  (neighbor ? neighbor.querySelector("button") : addButton).focus();
}

list?.closest("form").addEventListener("click", (event) => {
  const button = closest(event, 'button[name="row"]', HTMLButtonElement);
  if (!button) return;
  if (button.value === "add") addRow();
  else if (button.value.startsWith("remove-")) removeRow(button.closest("li"));
  else return;
  event.preventDefault();
});
