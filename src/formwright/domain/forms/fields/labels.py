"""The texts of forms: their languages, and the answers that they show."""

from collections.abc import Callable, Sequence
from typing import Annotated

from msgspec import Meta

from formwright.domain.forms.fields.markup import PLACEHOLDER, to_plain_text

Text = Annotated[str, Meta(min_length=1, max_length=2000)]
TRANSLATED = 'A text, or a text for each language: `{"en": "Name", "de": "Name"}`. `{{name}}` shows an answer.'
Label = Annotated[
    Text | Annotated[dict[str, Text], Meta(min_length=1)],
    Meta(description=TRANSLATED),
]


def names_in_text(label: Label) -> set[str]:
    """Return the names in `{{name}}`, in all languages of a text."""
    return {name for text in label_texts(label) if "{{" in text for name in PLACEHOLDER.findall(text)}


def label_text(label: Label, languages: Sequence[str]) -> str:
    """Return the label in the first of these languages that it has, otherwise in its own first language.

    It has no markup, and answers in it are replaced by an ellipsis: a table has one heading for all submissions.
    """
    return to_plain_text(label_markup(label, languages))


def label_markup(label: Label, languages: Sequence[str]) -> str:
    """Return the label like `label_text`, with its markup."""
    text = label_template(label, languages)
    return PLACEHOLDER.sub("…", text) if "{{" in text else text


def label_template(label: Label, languages: Sequence[str]) -> str:
    """Return the label like `label_markup`, with `{{name}}` for answers."""
    if isinstance(label, str):
        return label
    return next((label[tag] for tag in languages if tag in label), next(iter(label.values()), ""))


def convert_label(label: Label, convert: Callable[[str], str]) -> Label:
    """Return a label whose text, or texts in all languages, are converted."""
    return convert(label) if isinstance(label, str) else {tag: convert(text) for tag, text in label.items()}


def label_texts(label: Label) -> list[str]:
    """Return the texts of a label in all languages."""
    return [label] if isinstance(label, str) else list(label.values())
