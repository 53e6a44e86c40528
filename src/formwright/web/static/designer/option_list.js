// The options of a choice: one by one, or as pasted lines.

import { button, el, fresh, say } from "../dom.js";
import { settingOf, traits } from "./field_types.js";
import { inLanguage, changeLabel, readLabel } from "./labels.js";
import { optionMedia } from "./media_settings.js";
import { readTyped } from "./number_input.js";
import { hasPoints, optionPoints } from "./score_settings.js";
import { collapsible } from "./setting_rows.js";
import { NAME, says, slug, unique } from "./field_names.js";
import { behind, find, insert, node, update, walk } from "./field_tree.js";

const SHOWN = 100;
const OTHER = "other";
const POINTS = "points";

const tooMany = (count, most) =>
  `A list can have at most ${most} options, not ${count}. Use a data source and a lookup field instead.`;

const mostOptions = (type) => settingOf(type, "options").maxItems;
const isList = (type) => traits(type).answerKind === "CHOICES";

export function optionMembers(edit) {
  if (!edit.get().options) return [];
  const title = fresh("options");
  const box = el("div", {
    class: "field options",
    role: "group",
    "aria-labelledby": title,
    data: { member: "options" },
  });
  const list = el("ol");
  const rest = el("p", { class: "help" });
  const { type } = edit.get();
  const { isChoice } = traits(type);
  const exclusive = isChoice && isList(type) ? exclusiveOptions(edit) : null;
  const points = isChoice ? optionPoints(edit, (options, typed) => edit.set("options", options, false, typed)) : null;
  const media = optionMedia(edit, set);
  const draw = (focus = -1) => {
    const { options } = edit.get();
    list.replaceChildren(...options.slice(0, SHOWN).map((option, index) => item(edit, option, index, draw)));
    rest.textContent =
      options.length > SHOWN ? `Showing ${SHOWN} of ${options.length}. Use “Edit as text” to see all.` : "";
    exclusive?.draw();
    points?.draw();
    media.draw();
    if (focus >= 0) list.children[Math.min(focus, list.children.length - 1)]?.querySelector("input")?.focus();
  };
  draw();
  list.addEventListener("change", () => [exclusive, points].forEach((one) => one?.draw()));
  box.append(
    el("span", { class: "label", id: title, text: "Options" }),
    list,
    rest,
    el("p", { class: "field-error", hidden: true }),
    el(
      "div",
      { class: "actions" },
      button("Add option", () => add(edit, draw)),
      button("Add “Other”", () => addOther(edit, draw)),
      button("Edit as text", () => inLines(edit, box, draw)),
    ),
  );
  box.append(...[exclusive, points, media].filter(Boolean).map((one) => one.box));
  return [box];
}

/** Which options exclude all others. `draw` follows changed options. */
function exclusiveOptions(edit) {
  const marked = ({ options }) => options.some((option) => option.exclusive);
  const list = el("div", { class: "columns" });
  const box = collapsible(
    "Options that exclude all others",
    marked(edit.get()),
    el("p", { class: "help", text: "Such as “None of the above”: choosing it clears the others." }),
    list,
  );
  const mark = (index, on) => {
    const { options } = edit.get();
    const { exclusive: _, ...option } = options[index];
    set(edit, options.with(index, on ? { ...option, exclusive: true } : option));
  };
  const draw = () => {
    const lines = edit
      .get()
      .options.slice(0, SHOWN)
      .map((option, index) => {
        const tick = el("input", {
          type: "checkbox",
          id: fresh("exclusive"),
          checked: Boolean(option.exclusive),
          on: { change: () => mark(index, tick.checked) },
        });
        return el(
          "div",
          { class: "check" },
          tick,
          el("label", { for: tick.id, text: inLanguage(option.label, edit.store.language) || option.value }),
        );
      });
    list.replaceChildren(...(box.open ? lines : []));
  };
  box.addEventListener("toggle", draw);
  return { box, draw };
}

// Each change is an undo step, but typing into one input is a single step.
const set = (edit, options, typed = null) => {
  const { parent } = find(edit.store.nodes, edit.id);
  if (!parent?.field.table) return edit.set("options", options, false, typed);
  // The rows of a table have the same options, but points of their own.
  const children = parent.children.map((one) =>
    one.field.options
      ? {
          ...one,
          field: { ...one.field, options: one.id === edit.id ? options : withPoints(options, one.field.options) },
        }
      : one,
  );
  edit.store.change(
    { nodes: update(edit.store.nodes, parent.id, (one) => ({ ...one, children })) },
    { merge: typed, drawn: false },
  );
};
const withPoints = (options, own) =>
  options.map(({ points: _, ...option }) => {
    const points = own.find(({ value }) => value === option.value)?.points;
    return points ? { ...option, points } : option;
  });
const valueFor = (label, taken) => unique(slug(label, "option"), taken);
const valuesOf = (options) => new Set(options.map((option) => option.value));

function add(edit, draw) {
  const { options } = edit.get();
  const label = `Option ${options.length + 1}`;
  set(edit, [...options, { value: valueFor(label, valuesOf(options)), label }]);
  draw(Math.min(options.length, SHOWN - 1));
}

/** Add an option “Other”, and after the field a text in which people say what they mean. */
function addOther({ id, store }, draw) {
  const { name, type, options } = store.get(id).field;
  const full = [...walk(store.nodes)].length >= store.page.maxFields || options.length >= mostOptions(type);
  if (full || options.some((option) => option.value === OTHER))
    return say(full ? "The form or the list is full." : "There already is an option “other”.");
  const text = {
    type: "text",
    name: unique(`${name}_${OTHER}`, store.taken),
    label: "Other, please specify",
    visibleIf: isList(type) ? `'${OTHER}' in ${name}` : `${name} == '${OTHER}'`,
  };
  const place = options.findLastIndex((option) => !option.exclusive) + 1;
  const nodes = update(store.nodes, id, (one) => ({
    ...one,
    field: { ...one.field, options: options.toSpliced(place, 0, { value: OTHER, label: "Other" }) },
  }));
  const { parent, index } = behind(nodes, id);
  store.change({ nodes: insert(nodes, parent, index, node(text)) });
  draw(Math.min(place, SHOWN - 1));
  say("“Other” added, with a text field after this one.");
}

function item(edit, option, index, draw) {
  const { language: own, languages, page } = edit.store;
  const number = `Option ${index + 1}`;
  const change = (place, changed) =>
    set(
      edit,
      edit.get().options.with(index, changed(edit.get().options[index])),
      `${edit.id} options ${index} ${place}`,
    );
  const labels = languages.map((language) => {
    const name = languages.length > 1 ? `${number}, ${language}` : number;
    const input = el("input", {
      "aria-label": name,
      lang: language,
      placeholder: languages.length > 1 ? language : null,
      maxlength: page.optionSettings.label.maxLength,
      value: readLabel(option.label, language, own),
    });
    input.addEventListener("input", () => change(language, (one) => relabel(edit, one, language, input.value)));
    input.addEventListener("input", () => (value.value = edit.get().options[index].value));
    input.addEventListener("paste", (event) => pasteOptions(event, edit, index, draw));
    input.addEventListener("keydown", (event) => key(event, edit, index, draw));
    return input;
  });
  const value = el("input", {
    "aria-label": `Value of ${number.toLowerCase()}`,
    class: "code",
    maxlength: page.optionSettings.value.maxLength,
    spellcheck: "false",
    value: option.value,
  });
  value.addEventListener("input", () => change("value", (one) => ({ ...one, value: value.value })));
  const away = button("✕", () => (set(edit, edit.get().options.toSpliced(index, 1)), draw(index)), {
    "aria-label": `Remove ${number.toLowerCase()}`,
  });
  return el("li", {}, el("div", { class: "texts" }, ...labels), value, away);
}

// The value follows the label while it was made from it, nobody has answered with it, and no rule uses it.
function relabel(edit, option, language, text) {
  const own = edit.store.language;
  const before = inLanguage(option.label, own);
  const label = changeLabel(option.label, language, text, own) ?? "";
  const made = option.value.replace(/_\d+$/, "") === slug(before, "option").replace(/_\d+$/, "");
  const known = [...walk(edit.store.nodes)].some(({ node }) => says(node.field, option.value));
  if (language !== own || !made || known || edit.get().name in edit.store.page.published) return { ...option, label };
  const others = valuesOf(edit.get().options);
  others.delete(option.value);
  return { ...option, value: valueFor(text, others), label };
}

function pasteOptions(event, edit, index, draw) {
  const lines =
    event.clipboardData
      ?.getData("text/plain")
      .split(/\r?\n/)
      .filter((line) => line.trim()) ?? [];
  if (lines.length < 2) return;
  event.preventDefault();
  const { options } = edit.get();
  const taken = valuesOf(options);
  taken.delete(options[index].value);
  const made = lines.map((line) => fromLine(line, taken, [], edit.store.language));
  const whole = options.toSpliced(index, 1, ...made);
  const most = mostOptions(edit.get().type);
  if (whole.length > most)
    return refuse(event.target.closest(".options").querySelector(".field-error"), tooMany(whole.length, most));
  set(edit, whole);
  draw(index + made.length - 1);
  say(`${made.length} options pasted`);
}

// If a line does not fit, nothing is applied: half a list would look complete.
function refuse(slot, reason) {
  Object.assign(slot, { hidden: false, textContent: reason });
  say(reason);
}

function key(event, edit, index, draw) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const { options } = edit.get();
  if (event.key === "Enter") {
    event.preventDefault();
    set(
      edit,
      options.toSpliced(index + 1, 0, {
        value: valueFor("", valuesOf(options)),
        label: `Option ${options.length + 1}`,
      }),
    );
    draw(index + 1);
  } else if (step && event.altKey && options[index + step]) {
    event.preventDefault();
    set(edit, options.toSpliced(index, 1).toSpliced(index + step, 0, options[index]));
    draw(index + step);
  }
}

const HEADING = /^value\tlabel(\t|$)/i;
const cells = (line) => line.split("\t").map((cell) => cell.trim());

/** The options as text: a label per line, or with columns a table whose first line names them. */
function asText(options, own) {
  const columns = columnsOf(options);
  const scored = hasPoints(options) && !columns.includes(POINTS);
  if (!columns.length && !scored) return options.map((one) => inLanguage(one.label, own)).join("\n");
  const rows = options.map((one) => [
    one.value,
    inLanguage(one.label, own),
    ...(scored ? [one.points ?? 0] : []),
    ...columns.map((column) => one.columns?.[column] ?? ""),
  ]);
  return [["value", "label", ...(scored ? [POINTS] : []), ...columns], ...rows].map((row) => row.join("\t")).join("\n");
}

const columnsOf = (options) => [...new Set(options.flatMap((option) => Object.keys(option.columns ?? {})))];

/** Return the options of lines; those of a table have columns. */
function fromText(lines, options, own) {
  const taken = new Set();
  if (!HEADING.test(lines[0] ?? "")) return lines.map((line) => fromLine(line, taken, options, own));
  const [, , ...headings] = cells(lines[0]);
  // Some options have a column with this name for their filter.
  const scored = columnsOf(options).includes(POINTS) ? -1 : headings.indexOf(POINTS);
  const columns = headings.filter((_, place) => place !== scored);
  return lines.slice(1).map((line) => {
    const [value, label, ...rest] = cells(line);
    const [points] = scored < 0 ? [] : rest.splice(scored, 1);
    const option = fromLine(`${value || label}\t${label || value}`, taken, options, own);
    const before = options.find((one) => one.value === option.value && inLanguage(one.label, own) === option.label);
    const found = Object.fromEntries(
      columns.map((column, place) => [NAME.test(column) ? column : slug(column, "column"), rest[place] ?? ""]),
    );
    const made = scored < 0 ? option : withPoints([option], [{ value: option.value, points: toPoints(points) }])[0];
    return { ...made, label: before?.label ?? option.label, ...(columns.length ? { columns: found } : {}) };
  });
}

/** Read points as people write them. A text without digits counts nothing; another one that is no number is refused later. */
function toPoints(text = "") {
  const { value, refusal } = readTyped(text, false);
  return refusal && /\p{Nd}/u.test(text) ? text : value || undefined;
}

// "Label", or "value <tab> Label" as pasted from two columns. An unchanged label keeps its value.
function fromLine(line, taken, before, own) {
  const [first, second] = line.split("\t").map((part) => part.trim());
  const known = before.find(
    (option) => inLanguage(option.label, own) === (second || first) && !taken.has(option.value),
  );
  const value = second ? unique(first, taken) : (known?.value ?? valueFor(first, taken));
  taken.add(value);
  const same = known ?? before.find((option) => option.value === value);
  const kept = Object.fromEntries(
    ["exclusive", "media", "points"].filter((member) => same?.[member]).map((member) => [member, same[member]]),
  );
  return { ...kept, value, label: known && !second ? known.label : second || first };
}

function inLines(edit, box, draw) {
  const { options } = edit.get();
  const own = edit.store.language;
  const id = fresh("lines");
  const area = el("textarea", {
    id,
    rows: "12",
    "aria-describedby": `${id}-help`,
    value: asText(options, own),
    wrap: "off",
  });
  const dialog = el("dialog", { "aria-labelledby": `${id}-title` });
  const fault = el("p", { class: "field-error", hidden: true });
  const done = () => {
    const lines = area.value.split("\n").filter((line) => line.trim());
    const made = fromText(lines, options, own);
    const most = mostOptions(edit.get().type);
    if (made.length > most) return refuse(fault, tooMany(made.length, most));
    if (made.length) set(edit, made);
    dialog.close();
    draw();
  };
  dialog.append(
    el("h2", { id: `${id}-title`, text: "Edit options as text" }),
    el(
      "div",
      { class: "field" },
      el("label", { for: id, text: "One option per line" }),
      area,
      fault,
      el("p", {
        class: "help",
        id: `${id}-help`,
        text: "You can paste two table columns: the value, then the label. Further columns are for “Offer an option if”, and one named points for points: paste a table whose first line is value, label and the names of the columns.",
      }),
    ),
    el(
      "div",
      { class: "actions" },
      el("button", { type: "button", class: "quiet", text: "Cancel", on: { click: () => dialog.close() } }),
      el("button", { type: "button", text: "Apply", on: { click: done } }),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  box.append(dialog);
  dialog.showModal();
}
