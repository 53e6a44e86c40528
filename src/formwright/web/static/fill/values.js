// Answers as the page holds them <-> as the API takes them.

export function outgoing(survey) {
  const data = {};
  for (const question of answered(survey)) data[question.name] = send(question.inputType, question.value);
  return data;
}

export function incoming(survey, data) {
  const values = {};
  for (const [name, value] of Object.entries(data ?? {})) {
    const question = survey.getQuestionByName(name);
    if (question) values[name] = receive(question.inputType, value);
  }
  return values;
}

const answered = (survey) => survey.getAllQuestions().filter((one) => one.getType() !== "html" && !empty(one.value));

const empty = (value) => value === undefined || value === null || value === "" || (Array.isArray(value) && !value.length);

function send(kind, value) {
  if (kind === "datetime-local") return withOffset(value);
  if (kind === "number" && typeof value === "string" && Number.isFinite(Number(value))) return Number(value);
  return value;
}

function receive(kind, value) {
  return kind === "datetime-local" && typeof value === "string" ? withoutOffset(value) : value;
}

// The offset is the one that holds here on that day, not today's.
function withOffset(local) {
  const moment = new Date(local);
  if (Number.isNaN(moment.getTime())) return local;
  const minutes = -moment.getTimezoneOffset();
  const sign = minutes < 0 ? "-" : "+";
  const hours = two(Math.floor(Math.abs(minutes) / 60));
  return `${local.length === 16 ? `${local}:00` : local}${sign}${hours}:${two(Math.abs(minutes) % 60)}`;
}

function withoutOffset(value) {
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return value;
  const day = `${String(moment.getFullYear()).padStart(4, "0")}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

const two = (number) => String(number).padStart(2, "0");
