// The date and time that rules see with `today()` and `now()`, like domain/forms/rules/device_time.py.

import { formatDay, formatOffset, padTwo } from "../fields/time_units.js";

/** The variables that stand for the calls, as in domain/forms/rules/dialect.py. */
export const CLOCK_VARIABLES = { today: "_today_", now: "_now_" };

const DEVICE_TIME = /^(\d{4}-\d{2}-\d{2})T/;

/** Return the variables at this time, such as `2026-03-29T14:30:00+02:00`. Without one, the calls have no value. */
export function clockVariables(deviceTime) {
  const match = DEVICE_TIME.exec(deviceTime ?? "");
  return match ? { _today_: match[1], _now_: deviceTime } : {};
}

/** Return the time on this device with its offset; undefined if its clock shows a year without four digits. */
export function deviceTime(moment = new Date()) {
  const year = moment.getFullYear();
  if (!(year >= 1 && year <= 9998)) return undefined;
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(padTwo).join(":");
  return `${formatDay(moment)}T${time}${formatOffset(moment)}`;
}
