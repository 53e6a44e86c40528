// Faults beside their fields, and once more in a list with links above the Send button.

/** Put what the server found beside the fields; give back the sentences that belong to no field. */
export function place(survey, errors) {
  const rest = [];
  for (const { pointer, detail } of errors) {
    const question = survey.getQuestionByName(field(pointer));
    if (question) question.addError(detail);
    else rest.push(detail);
  }
  return rest;
}

export function show(survey, box, rest = []) {
  const faulty = survey.getAllQuestions().filter((question) => question.errors.length);
  const count = faulty.length + rest.length;
  box.hidden = count === 0;
  box.querySelector("h2").textContent = count === 1 ? "One answer needs a look" : `${count} answers need a look`;
  box.querySelector("ul").replaceChildren(...rest.map(item), ...faulty.map((question) => item(link(question))));
}

function item(content) {
  const line = document.createElement("li");
  line.append(content);
  return line;
}

function link(question) {
  const anchor = document.createElement("a");
  anchor.href = `#${question.inputId}`;
  anchor.textContent = `${question.processedTitle}: ${question.errors[0].getText()}`;
  anchor.addEventListener("click", (event) => {
    event.preventDefault();
    question.focus(true);
  });
  return anchor;
}

// JSON Pointer (RFC 6901): "/data/choices/0" speaks of the field "choices".
function field(pointer) {
  const [, name = ""] = /^\/data\/([^/]+)/.exec(pointer ?? "") ?? [];
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
