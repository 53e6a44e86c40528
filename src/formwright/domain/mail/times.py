"""Times as mails write them, in the languages that they are written in."""

from datetime import date

from formwright.core.kernel.clock import last_day, local

_DAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
}
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}
_DAY = {"en": "{name}, {day} {month} {year}", "de": "{name}, {day}. {month} {year}"}
_TIME = {"en": "{day}, {time} ({zone})", "de": "{day}, {time} Uhr ({zone})"}


def in_words(ms: int, zone: str, language: str) -> str:
    """A time in the account's zone, with its day of the week."""
    at = local(ms, zone)
    return _TIME[language].format(day=_day(at.date(), language), time=f"{at:%H:%M}", zone=at.tzinfo)


def until_in_words(ms: int, zone: str, language: str) -> str:
    """The end of a time: of whole days, the last day."""
    last = last_day(ms, zone)
    return _day(last, language) if last else in_words(ms, zone, language)


def _day(day: date, language: str) -> str:
    return _DAY[language].format(
        name=_DAYS[language].split()[day.weekday()],
        day=day.day,
        month=_MONTHS[language].split()[day.month - 1],
        year=day.year,
    )
