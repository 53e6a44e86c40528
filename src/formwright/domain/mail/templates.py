"""What a mail says, and how it looks: one text, with and without markup.

Times as mails write them, in the languages that they are written in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from html import escape

from formwright.core.clock import last_day, local

_WORDS = {
    "en": ("Hello {name},", "Hello,", "If the button does not open, copy this address into your browser:"),
    "de": (
        "Guten Tag {name},",
        "Guten Tag,",
        "Wenn sich die Schaltfläche nicht öffnen lässt, kopieren Sie diese Adresse in Ihren Browser:",
    ),
}
_BODY = (
    "margin:0;padding:24px;background:#f4f5f7;color:#1c2430;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif"
)
_CARD = "max-width:560px;margin:0 auto;padding:24px 32px;background:#fff;border-radius:8px"
_BUTTON = "display:inline-block;padding:12px 20px;border-radius:6px;background:#1f5fbf;color:#fff;text-decoration:none"
_SMALL = "font-size:13px;color:#5a6472;word-break:break-all"


@dataclass(frozen=True, slots=True)
class Letter:
    """`lines` are paragraphs, `link` the one thing to do (its words and its address), `after` what stands below."""

    subject: str
    lines: Sequence[str]
    link: tuple[str, str] | None = None
    after: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The two parts of a mail."""

    text: str
    html: str


def known_language(*tags: str) -> str:
    """In which language we write to somebody: the first of these that we write, German for `de-AT`; else English.

    They are her own, then that of the account.
    """
    bases = (tag.partition("-")[0].lower() for tag in tags)
    return next((base for base in bases if base in _WORDS), "en")


def write(letter: Letter, *, name: str, account: str, language: str) -> Written:
    """The letter to this person, signed with the account's name. What people typed stays text."""
    hello, nameless, copy = _WORDS[known_language(language)]
    greeting = hello.format(name=name) if name else nameless
    return Written(_text(letter, greeting, account), _html(letter, greeting, account, copy, known_language(language)))


def _text(letter: Letter, greeting: str, account: str) -> str:
    link = [f"{letter.link[0]}:\n{letter.link[1]}"] if letter.link else []
    return "\n\n".join([greeting, *letter.lines, *link, *letter.after, f"-- \n{account}"]) + "\n"


def _html(letter: Letter, greeting: str, account: str, copy: str, language: str) -> str:
    link = ""
    if letter.link:
        words, address = escape(letter.link[0]), escape(letter.link[1])
        button = f'<p><a href="{address}" style="{_BUTTON}">{words}</a></p>\n'
        link = f'{button}<p style="{_SMALL}">{copy}<br>{address}</p>\n'
    above = "".join(_paragraph(line) for line in [greeting, *letter.lines])
    below = "".join(_paragraph(line) for line in letter.after)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8">'
        f'<title>{escape(letter.subject)}</title></head>\n<body style="{_BODY}">\n<div style="{_CARD}">\n'
        f"{above}{link}{below}"
        f'<p style="{_SMALL}">{escape(account)}</p>\n</div>\n</body>\n</html>\n'
    )


def _paragraph(line: str) -> str:
    return f'<p dir="auto">{"<br>".join(escape(line).splitlines())}</p>\n'


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
