"""The texts of forms: their languages, and the answers that they show."""

import re
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

Text = Annotated[str, Meta(min_length=1, max_length=2000)]
TRANSLATED = 'A text, or a text for each language: `{"en": "Name", "de": "Name"}`. `{{name}}` shows an answer.'
PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}", re.ASCII)
"""The answer of a field in a text. Other text in double braces is shown unchanged."""
Label = Annotated[
    Text | Annotated[dict[str, Text], Meta(min_length=1)],
    Meta(description=TRANSLATED),
]


def names_in_text(label: Label) -> set[str]:
    """Return the names in `{{name}}`, in all languages of a text."""
    texts = [label] if isinstance(label, str) else label.values()
    return {name for text in texts if "{{" in text for name in PLACEHOLDER.findall(text)}


def label_text(label: Label, languages: Sequence[str]) -> str:
    """Return the label in the first of these languages that it has, otherwise in its own first language.

    Answers in it are replaced by an ellipsis: a table has one heading for the answers of all submissions.
    """
    text = label_template(label, languages)
    return PLACEHOLDER.sub("…", text) if "{{" in text else text


def label_template(label: Label, languages: Sequence[str]) -> str:
    """Return the label like `label_text`, with `{{name}}` for answers."""
    if isinstance(label, str):
        return label
    return next((label[tag] for tag in languages if tag in label), next(iter(label.values()), ""))
