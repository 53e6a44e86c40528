// Adds and removes rows of headers in place. Without JavaScript, the server does it with the same buttons.

const list = document.getElementById("headers");
const blank = document.getElementById("header-row");
const adds = document.querySelector('button[name="row"][value="add"]');

function number() {
  for (const [index, row] of [...list.children].entries()) {
    for (const part of row.querySelectorAll("[aria-label]")) {
      part.setAttribute("aria-label", part.getAttribute("aria-label").replace(/\d+$/, index + 1));
    }
    row.querySelector("button").value = `remove-${index + 1}`;
  }
  adds.hidden = list.children.length >= Number(list.dataset.most);
}

function add() {
  list.append(blank.content.cloneNode(true));
  number();
  list.lastElementChild.querySelector("input").focus();
}

function remove(row) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  number();
  (next ? next.querySelector("button") : adds).focus();
}

list?.closest("form").addEventListener("click", (event) => {
  const button = event.target.closest('button[name="row"]');
  if (!button) return;
  if (button.value === "add") add();
  else if (button.value.startsWith("remove-")) remove(button.closest("li"));
  else return;
  event.preventDefault();
});
