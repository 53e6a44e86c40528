// Fields whose answer is a date, a time or both.

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$/;
const MOMENT = /^(.{10})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/i;

function isDay(value) {
  const [, year, month, day] = DAY.exec(value) ?? [];
  const last = new Date(Date.UTC(2000, Number(month), 0));
  last.setUTCFullYear(Number(year), Number(month), 0);
  return Number(year) >= 1 && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last.getUTCDate();
}

const isTime = (value) => TIME.test(value);
const isMoment = (value) => isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value));

// `isWellFormed`: a calculated text of another form is no answer.
export const date = { check: (_, value) => (isDay(value) ? null : ["checkDate"]), isWellFormed: isDay };
export const time = { check: (_, value) => (isTime(value) ? null : ["checkTime"]), isWellFormed: isTime };
export const datetime = {
  check: (_, value) => (isMoment(value) ? null : ["checkDate"]),
  isWellFormed: (value) => MOMENT.test(value) && isDay(value.slice(0, 10)),
};
