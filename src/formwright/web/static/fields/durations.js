// Fields whose answer is a length of time, in seconds.

import { checkRange } from "./answer_checks.js";
import { integer } from "./numbers.js";
import { splitSeconds } from "./time_units.js";

const CLOCK_NOTATION = /^\s*(\d{1,5}):([0-5]\d)(?::([0-5]\d))?\s*$/;

/** Write a duration such as 1 h 30 min. All languages share the units. */
function format(value, { tag }) {
  if (!Number.isInteger(value)) return undefined;
  const number = new Intl.NumberFormat(tag, { useGrouping: false });
  const units = ["h", "min", "s"];
  const parts = splitSeconds(Math.abs(value)).flatMap((amount, place) =>
    amount ? [`${number.format(amount)} ${units[place]}`] : [],
  );
  return (value < 0 ? "-" : "") + (parts.join(" ") || `${number.format(0)} min`);
}

function check(step, value) {
  const wrong = Number.isInteger(value) ? checkRange(step, value) : ["checkWhole"];
  return wrong?.length === 2 ? [wrong[0], format(wrong[1], { tag: "en" })] : wrong;
}

/** How people type durations in a single input: 1:30 for 1 h 30 min. */
const notation = {
  placeholder: "1:30",
  read(text) {
    if (!text.trim()) return { refusal: "" };
    const [, hours, minutes, seconds = 0] = CLOCK_NOTATION.exec(text) ?? [];
    if (!hours) return { refusal: "Enter hours and minutes, such as 1:30." };
    return { value: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds), refusal: "" };
  },
  write(value) {
    const [hours, ...rest] = splitSeconds(value);
    const [minutes, seconds] = rest.map((one) => String(one).padStart(2, "0"));
    return `${hours}:${minutes}${seconds === "00" ? "" : `:${seconds}`}`;
  },
};

export const duration = { ...integer, check, format, notation };
