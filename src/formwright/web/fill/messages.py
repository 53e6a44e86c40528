"""The languages of fill pages, and the texts they need without JavaScript."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_NO_SCRIPT = {
    "en": "This form requires JavaScript. Turn it on and reload the page.",
    "de": "Dieses Formular benötigt JavaScript. Aktivieren Sie es und laden Sie die Seite neu.",
    "fr": "Ce formulaire nécessite JavaScript. Activez-le et rechargez la page.",
    "es": "Este formulario requiere JavaScript. Actívelo y recargue la página.",
    "it": "Questo modulo richiede JavaScript. Lo attivi e ricarichi la pagina.",
    "nl": "Voor dit formulier is JavaScript nodig. Schakel het in en laad de pagina opnieuw.",
    "pl": "Ten formularz wymaga JavaScriptu. Proszę go włączyć i odświeżyć stronę.",
    "pt": "Este formulário requer JavaScript. Ative-o e recarregue a página.",
}


def choose_language(tags: Iterable[str]) -> str:
    """Return the first supported one of these languages, else English."""
    return next((tag for tag in map(_primary_tag, tags) if tag in _NO_SCRIPT), "en")


@dataclass(frozen=True, slots=True)
class NoScriptMessage:
    """The text for browsers without JavaScript, and its language."""

    text: str
    language: str


def find_no_script_message(*tags: str) -> NoScriptMessage:
    """Return the text in the first supported one of these languages, else in English."""
    language = choose_language(tags)
    return NoScriptMessage(_NO_SCRIPT[language], language)


def parse_accept_language(accept_language: str) -> list[str]:
    """Return the language tags of the header, most preferred first (RFC 9110, section 12.5.4)."""
    weighted = sorted(_weighted_tags(accept_language[:500]), key=lambda pair: -pair[0])
    return [tag for weight, tag in weighted if weight > 0]


def _weighted_tags(header: str) -> Iterator[tuple[float, str]]:
    for part in header.split(","):
        tag, _, weight = part.partition(";q=")
        try:
            yield float(weight or 1), tag.strip()
        except ValueError:
            continue


def _primary_tag(tag: str) -> str:
    return tag.partition("-")[0].lower()
