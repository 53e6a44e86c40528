"""The synchronous variant of asynchronous code."""

import re

_REPLACEMENTS = [
    (r"\basync (?=def |for |with )", ""),
    (r"`async (for|with)`", r"`\1`"),
    (r"\bawait ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b_async\b", "_sync"),
    (r"__a(enter|exit|iter|next)__", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\ban (?=`with\b)", "a "),
    (r"\bTasks can share\b", "Threads can share"),
]


def to_sync(text: str) -> str:
    """Return source text without `async` and `await`, and with the names of the synchronous client."""
    for pattern, replacement in _REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    return text
