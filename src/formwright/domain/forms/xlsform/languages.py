"""Languages in the headings of an XLSForm, such as `English (en)` or `English`, and their BCP 47 tags."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from string import ascii_lowercase

from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row, SurveyWorkbook

_NAMES = {
    "af": "afrikaans", "am": "amharic", "ar": "arabic", "az": "azerbaijani", "bg": "bulgarian", "bn": "bengali",
    "bs": "bosnian", "ca": "catalan", "cs": "czech", "cy": "welsh", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "et": "estonian", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "ha": "hausa", "he": "hebrew", "hi": "hindi", "hr": "croatian", "ht": "haitian creole",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "ig": "igbo", "is": "icelandic", "it": "italian",
    "ja": "japanese", "ka": "georgian", "kk": "kazakh", "km": "khmer", "ko": "korean", "ku": "kurdish", "lo": "lao",
    "lt": "lithuanian", "lv": "latvian", "mg": "malagasy", "mk": "macedonian", "mn": "mongolian", "ms": "malay",
    "my": "burmese", "ne": "nepali", "nl": "dutch", "no": "norwegian", "om": "oromo", "pa": "punjabi",
    "pl": "polish", "ps": "pashto", "pt": "portuguese", "ro": "romanian", "ru": "russian", "rw": "kinyarwanda",
    "si": "sinhala", "sk": "slovak", "sl": "slovenian", "sn": "shona", "so": "somali", "sq": "albanian",
    "sr": "serbian", "sv": "swedish", "sw": "swahili", "ta": "tamil", "te": "telugu", "tg": "tajik", "th": "thai",
    "ti": "tigrinya", "tl": "tagalog", "tr": "turkish", "uk": "ukrainian", "ur": "urdu", "uz": "uzbek",
    "vi": "vietnamese", "wo": "wolof", "xh": "xhosa", "yo": "yoruba", "zh": "chinese", "zu": "zulu",
}  # fmt: skip
_NATIVE_NAMES = {
    "français": "fr",
    "español": "es",
    "deutsch": "de",
    "português": "pt",
    "italiano": "it",
    "kiswahili": "sw",
}
_TAGS = {name: tag for tag, name in _NAMES.items()} | _NATIVE_NAMES
_TAG = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_TAG_IN_PARENTHESES = re.compile(r".*\(\s*([A-Za-z0-9-]+)\s*\)\s*")
_MAX_TEXT_LENGTH = 2000


def language_heading(tag: str) -> str:
    """Write a language as XLSForm does: its English name, if known, and its tag."""
    return f"{_NAMES.get(tag, tag).title() if tag in _NAMES else tag} ({tag})"


def find_tag(heading: str) -> str | None:
    """Return the tag of a language such as `English (en)`, `en` or `English`; None if it is not known."""
    coded = _TAG_IN_PARENTHESES.fullmatch(heading)
    # After the first hyphen comes a script or a region, whose capital letters matter.
    first, hyphen, rest = coded[1].partition("-") if coded else ("", "", "")
    tags = (first.lower() + hyphen + rest, heading, _TAGS.get(heading.strip().casefold(), ""))
    return next((tag for tag in tags if _TAG.fullmatch(tag)), None)


class Languages:
    """Maps the languages in the headings of a form to tags."""

    def __init__(self, book: SurveyWorkbook, report: Report) -> None:
        self._report = report
        self._tags: dict[str, str] = {}
        # BCP 47 reserves `qaa` to `qtz` for private use (RFC 5646, 2.2.1).
        self._private = (f"q{a}{b}" for a, b in product("abcdefghijklmnopqrst", ascii_lowercase))
        settings = book.rows("settings")
        stated = settings[0].value("default_language") if settings else ""
        written = list(dict.fromkeys(_heading_languages(book)))
        first = stated if stated and stated != "default" else "" if _has_mixed_labels(book) else next(iter(written), "")
        tags = [self._tag_for(one) for one in ([first] if first else []) + written]
        self.default = tags[0] if first else self._assume_default(tags)

    def _assume_default(self, tags: Sequence[str]) -> str:
        """Return the language of texts without one, given the languages of the others."""
        tag = "en" if "en" not in tags else next(tag for tag in self._private if tag not in tags)
        what = "Texts without a language were" if tags else "The form does not specify a language. It was"
        self._report.add_change("settings", None, "default_language", "language_assumed", f"{what} imported as {tag}.")
        return tag

    def label(self, row: Row, column: str, sheet: str = "survey") -> str | dict[str, str] | None:
        """Return the texts of a translated column by language, or a plain text if only the default has one."""
        texts: dict[str, str] = {}
        for written, text in sorted(row.texts(column).items(), key=lambda one: not one[0]):
            tag = self._tag_for(written) if written else self.default
            if texts.setdefault(tag, text) != text:
                what = f"in {written}" if written else "without a language"
                detail = f"The text {what} was left out, because there is another one in {tag}: {text[:300]}"
                self._report.add_drop(sheet, row.number, column, "column_dropped", detail)
        cut = {tag: self._truncate(text, row, column, sheet) for tag, text in texts.items()}
        return cut[self.default] if [*cut] == [self.default] else cut or None

    def _truncate(self, text: str, row: Row, column: str, sheet: str) -> str:
        if len(text) > _MAX_TEXT_LENGTH:
            self._report.add_change(
                sheet, row.number, column, "text_cut", f"The text was cut to {_MAX_TEXT_LENGTH} characters."
            )
            cut = text[:_MAX_TEXT_LENGTH]
            # A text must not end within a reference such as `${name}`.
            return cut[: cut.rfind("${")] if cut.rfind("${") > cut.rfind("}") else cut
        return text

    def _tag_for(self, written: str) -> str:
        if written not in self._tags:
            self._tags[written] = self._new_tag(written)
        return self._tags[written]

    def _new_tag(self, written: str) -> str:
        if tag := find_tag(written):
            if tag != written and not _TAG_IN_PARENTHESES.fullmatch(written):
                self._report_tag(written, f"The language {written} was imported as {tag}.")
            return tag
        tag = next(tag for tag in self._private if tag not in self._tags.values())
        self._report_tag(
            written, f"The language {written} has no known tag. It was imported with the private tag {tag}."
        )
        return tag

    def _report_tag(self, written: str, detail: str) -> None:
        self._report.add_change("survey", None, f"label::{written}", "language_tagged", detail)


def _heading_languages(book: SurveyWorkbook) -> Iterator[str]:
    named: Sequence[str] = ("survey", "choices")
    for sheet in named:
        if sheet in book.sheets:
            yield from (language for _, language in book.sheets[sheet].columns() if language)


def _has_mixed_labels(book: SurveyWorkbook) -> bool:
    """Whether a label without a language is next to one with a language, and so must be in another."""
    rows = (row for sheet in ("survey", "choices") for row in book.rows(sheet))
    return any("" in (texts := row.texts("label")) and len(set(texts.values())) > 1 for row in rows)
