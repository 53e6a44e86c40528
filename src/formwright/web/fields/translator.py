"""Labels as the page of a form gets them: in all languages, without and with their markup."""

from dataclasses import dataclass
from typing import Any

from msgspec import UNSET, UnsetType

from formwright.domain.forms.fields.labels import Label, convert_label, label_template, label_texts
from formwright.domain.forms.fields.markup import PLACEHOLDER, has_markup, to_document_html, to_html, to_plain_text
from formwright.domain.forms.fields.media import FILE_PROPERTIES, Media

Json = dict[str, Any]
_MEDIA_NAMES = {"big_image": "bigImage"}


@dataclass(frozen=True, slots=True)
class Translator:
    """Converts labels: to a text, or to a text per language with that in the form's `own` as default."""

    own: str

    def text(self, label: Label) -> Label:
        """Return the label without its markup."""
        return convert_label(self._with_default(label), to_plain_text)

    def markup(self, **labels: Label | UnsetType) -> Json:
        """Return the HTML of those labels that have markup, by the property of the form library."""
        html = {
            name: convert_label(self._with_default(label), to_html)
            for name, label in labels.items()
            if label is not UNSET and any(map(has_markup, label_texts(label)))
        }
        return {"markup": html} if html else {}

    def media(self, media: Media | UnsetType, alt: Label | UnsetType = UNSET) -> Json:
        """Return the names of files by their use. `alt` is the text for those who do not see them."""
        if media is UNSET:
            return {}
        alt = alt if media.alt is UNSET else media.alt
        names = {name: getattr(media, name) for name in FILE_PROPERTIES}
        shown = {
            _MEDIA_NAMES.get(name, name): self._with_default(one) for name, one in names.items() if one is not UNSET
        }
        return {"media": shown | ({} if alt is UNSET else {"alt": _without_answers(self.text(alt))})}

    def document(self, label: Label) -> Label:
        """Return the HTML of a text that stands alone."""
        return convert_label(self._with_default(label), to_document_html)

    def note(self, label: Label, hint: Label | UnsetType = UNSET) -> Label:
        """Return the HTML of a note. The library would replace `{name}` in it."""
        parts = [self._with_default(one) for one in (label, hint) if one is not UNSET]
        tags = dict.fromkeys(tag for one in parts if isinstance(one, dict) for tag in one)
        html = {tag: "".join(to_document_html(text_in(one, tag)) for one in parts) for tag in tags or [""]}
        return convert_label(html if tags else html[""], lambda text: text.replace("{", "&#123;"))

    def heading(self, label: Label) -> Label:
        """Return the HTML of a label for an `html` element."""
        return convert_label(self._with_default(label), lambda text: to_html(text).replace("{", "&#123;"))

    def _with_default(self, label: Label) -> Label:
        return label if isinstance(label, str) else {**label, "default": label_template(label, (self.own,))}


def text_in(label: Label, tag: str) -> str:
    """Return the text of a label that has a default in a language."""
    return label if isinstance(label, str) else label.get(tag, label["default"])


def _without_answers(label: Label) -> Label:
    return convert_label(label, lambda text: PLACEHOLDER.sub("…", text))
