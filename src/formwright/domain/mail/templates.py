"""The text and HTML layout of emails, and the formatting of times in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from urllib.parse import urlsplit

from formwright.core.clock import last_day, to_local

_WORDS = {
    "en": ("Hello {name},", "Hello,", "If the button does not open, copy this address into your browser:"),
    "de": (
        "Guten Tag {name},",
        "Guten Tag,",
        "Wenn sich die Schaltfläche nicht öffnen lässt, kopieren Sie diese Adresse in Ihren Browser:",
    ),
}
# Styles are inline, because several email programs ignore style sheets.
_BODY = (
    "margin:0;padding:24px;background:#f4f5f7;color:#1c2430;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif"
)
_CARD = "max-width:560px;margin:0 auto;padding:24px 32px;background:#fff;border-radius:8px"
_BUTTON = "display:inline-block;padding:12px 20px;border-radius:6px;background:{color};color:#fff;text-decoration:none"
_BUTTON_COLOR = "#1f5fbf"
_LOGO = "display:block;max-width:200px;max-height:64px;margin:0 0 16px"
_SMALL = "font-size:13px;color:#5a6472;word-break:break-all"


@dataclass(frozen=True, slots=True)
class EmailContent:
    """The content of an email. `lines` are paragraphs, `link` is the label and URL of the button, and `after` are the
    paragraphs below it."""

    subject: str
    lines: Sequence[str]
    link: tuple[str, str] | None = None
    after: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class MailLook:
    """The branding of emails: the color of the button, on which white text is readable, the path of the logo, and the
    name of the sender; empty for the default."""

    button_color: str = ""
    logo_path: str = ""
    sender_name: str = ""


DEFAULT_LOOK = MailLook()


@dataclass(frozen=True, slots=True)
class RenderedEmail:
    """The text and HTML parts of an email, and the name of its sender; empty for that of the operator."""

    text: str
    html: str
    sender_name: str = ""


def choose_language(*tags: str) -> str:
    """Return the first supported language among these tags (`de` for `de-AT`), or `en`.

    Callers pass the language of the recipient first, and then that of the account.
    """
    bases = (tag.partition("-")[0].lower() for tag in tags)
    return next((base for base in bases if base in _WORDS), "en")


def render_email(
    content: EmailContent, *, name: str, account: str, language: str, look: MailLook = DEFAULT_LOOK
) -> RenderedEmail:
    """Render an email to this person, signed with the account's name. User input is escaped."""
    hello, nameless, copy = _WORDS[choose_language(language)]
    greeting = hello.format(name=name) if name else nameless
    return RenderedEmail(
        _render_text(content, greeting, account),
        _render_html(content, greeting, account, copy, choose_language(language), look),
        look.sender_name,
    )


def _render_text(content: EmailContent, greeting: str, account: str) -> str:
    link = [f"{content.link[0]}:\n{content.link[1]}"] if content.link else []
    # "-- " with the space separates the signature (RFC 3676, section 4.3), which email programs then dim or leave out
    # of replies.
    return "\n\n".join([greeting, *content.lines, *link, *content.after, f"-- \n{account}"]) + "\n"


def _render_html(content: EmailContent, greeting: str, account: str, copy: str, language: str, look: MailLook) -> str:
    link = ""
    if content.link:
        words, address = escape(content.link[0]), escape(content.link[1])
        style = _BUTTON.format(color=look.button_color or _BUTTON_COLOR)
        button = f'<p><a href="{address}" style="{style}">{words}</a></p>\n'
        link = f'{button}<p style="{_SMALL}">{copy}<br>{address}</p>\n'
    above = "".join(_render_paragraph(line) for line in [greeting, *content.lines])
    below = "".join(_render_paragraph(line) for line in content.after)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8">'
        f'<title>{escape(content.subject)}</title></head>\n<body style="{_BODY}">\n<div style="{_CARD}">\n'
        f"{_render_logo(content, account, look)}{above}{link}{below}"
        f'<p style="{_SMALL}">{escape(account)}</p>\n</div>\n</body>\n</html>\n'
    )


def _render_logo(content: EmailContent, account: str, look: MailLook) -> str:
    """Return the logo, which is loaded from the server that the button opens; nothing if there is no button."""
    parts = urlsplit(content.link[1]) if content.link and look.logo_path else None
    if not parts or not parts.netloc:
        return ""
    address = escape(f"{parts.scheme}://{parts.netloc}{look.logo_path}")
    return f'<img src="{address}" alt="{escape(account)}" style="{_LOGO}">\n'


def _render_paragraph(line: str) -> str:
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


def format_time(ms: int, zone: str, language: str) -> str:
    """Format a time (ms) in a time zone, with the day of the week."""
    at = to_local(ms, zone)
    return _TIME[language].format(day=_format_day(at.date(), language), time=f"{at:%H:%M}", zone=at.tzinfo)


def format_deadline(ms: int, zone: str, language: str) -> str:
    """Format the end of a period (ms): the last day if it ends at midnight, or else the exact time."""
    last = last_day(ms, zone)
    return _format_day(last, language) if last else format_time(ms, zone, language)


def _format_day(day: date, language: str) -> str:
    return _DAY[language].format(
        name=_DAYS[language].split()[day.weekday()],
        day=day.day,
        month=_MONTHS[language].split()[day.month - 1],
        year=day.year,
    )
