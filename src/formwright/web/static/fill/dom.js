// Shorthand for finding and creating elements: element("p", { className: "x" }, "text", another).

export const byId = (id) => document.getElementById(id);

export function element(tag, properties, ...content) {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...content);
  return created;
}

export const button = (text, onclick, properties) =>
  element("button", { type: "button", className: "quiet", onclick, ...properties }, text);
