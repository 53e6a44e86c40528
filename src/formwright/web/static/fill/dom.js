// Shorthand for creating elements: element("p", { className: "x" }, "text", another).

export function element(tag, members, ...content) {
  const made = Object.assign(document.createElement(tag), members);
  made.append(...content);
  return made;
}

export const button = (text, act, members) =>
  element("button", { type: "button", className: "quiet", onclick: act, ...members }, text);
