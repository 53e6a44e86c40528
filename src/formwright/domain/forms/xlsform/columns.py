"""The headings of XLSForm's sheets: which column one means, and for which language."""

_ALIASES = {
    "caption": "label",
    "command": "type",
    "tag": "name",
    "value": "name",
    "relevance": "relevant",
    "readonly": "read_only",
    "calculate": "calculation",
    "constraining_message": "constraint_message",
    "requiredmsg": "required_message",
    "count": "repeat_count",
    "jr:count": "repeat_count",
    "jr:constraintmsg": "constraint_message",
    "jr:requiredmsg": "required_message",
    "set_form_title": "form_title",
    "title": "form_title",
    "set_form_id": "form_id",
    "id_string": "form_id",
}
_PREFIXES = ("bind", "control", "body", "media")
_TRANSLATED = frozenset(
    {"label", "hint", "guidance_hint", "constraint_message", "required_message", "image", "audio", "video", "big-image"}
)


def column_of(heading: str) -> tuple[str, str]:
    """The column's name as XLSForm documents it, and the language as written; empty where none is."""
    first, *rest = _tokens(heading)
    if first in _PREFIXES and rest:
        first, *rest = rest
    name = "_".join(first.split()).lower()
    name = _ALIASES.get(name, name)
    if name in _TRANSLATED:
        return name, " ".join(rest)
    return "::".join((name, *rest)), ""


def _tokens(heading: str) -> list[str]:
    if "::" in heading:
        return [token.strip() for token in heading.split("::")]
    if ":" in heading and not heading.lower().startswith("jr:"):
        first, _, rest = heading.partition(":")
        return [first.strip(), rest.strip()]
    return [heading.strip()]
