"""Limits of what one SCIM request may contain, checked before the library, whose work grows with the square of some."""

from dataclasses import dataclass
from typing import Any

import msgspec
from scim2_models import InvalidPathException, InvalidSyntaxException, TooManyException

from formwright.asgi.validation import BodyTooComplex, JsonMalformed, check_json
from formwright.domain.users.models import MAX_MEMBERS

MAX_OPERATIONS = 100
"""Applying them takes 0.1 s. 10,000 kept all other requests waiting for seconds."""
MAX_VALUES = 100
"""The maximum number of values of an attribute. A group may have more members."""
MAX_ALL_VALUES = 1000
"""The maximum number of values of all attributes together, including members."""
MAX_NAMES = 1000
"""The maximum number of names outside of such values."""
MAX_DEPTH = 12
"""The maximum nesting; the address of an extension has 7 levels in a PATCH."""
MAX_PATH = 500
MAX_TERMS = 3
"""The maximum number of comparisons in the filter of a path."""
MAX_FILTER = 4000
_MAX_JSON_VALUES = 20_000


def decode_body(body: bytes) -> Any:
    """Return the JSON value. Raises `InvalidSyntaxException`, or `TooManyException` if it exceeds a limit."""
    try:
        check_json(body, _MAX_JSON_VALUES)
        document = msgspec.json.decode(body)
    except BodyTooComplex as error:
        raise TooManyException(detail=str(error)) from None
    except (JsonMalformed, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidSyntaxException(detail=f"The body is not valid JSON: {error}") from None
    _Counter().check(document, 1, "")
    return document


def check_query(query: dict[str, str]) -> None:
    """Raise `TooManyException` for a longer filter than any identity provider sends, or a list of too many names."""
    for name, text in query.items():
        if name.lower() in ("attributes", "excludedattributes") and text.count(",") >= MAX_VALUES:
            raise TooManyException(detail=f"At most {MAX_VALUES} attributes can be named.")
    check_filter(query.get("filter"))


def check_filter(text: Any) -> None:
    """Raise `TooManyException` if a filter is too long."""
    if isinstance(text, str) and len(text) > MAX_FILTER:
        raise TooManyException(detail=f"A filter has at most {MAX_FILTER:,} characters.")


def check_attributes(attributes: dict[str, Any]) -> None:
    """Raise `TooManyException` if a user has too many values of an attribute, which several requests have added."""
    for name, value in attributes.items():
        if isinstance(value, list):
            _check_count(value, MAX_VALUES, f"values of {name}")


def check_path(path: str) -> None:
    """Raise `InvalidPathException` if a path, which may be the name of a property, costs too much to find."""
    terms = path.lower()
    if len(path) > MAX_PATH or terms.count(" and ") + terms.count(" or ") >= MAX_TERMS:
        detail = f"A path has at most {MAX_PATH} characters, and its filter at most {MAX_TERMS} comparisons."
        raise InvalidPathException(path=path[:MAX_PATH], detail=detail)


@dataclass(slots=True)
class _Counter:
    """Counts the values and names of one body."""

    values: int = 0
    names: int = 0

    def check(self, value: Any, depth: int, name: str) -> None:
        """Check the value of the property `name`."""
        if depth > MAX_DEPTH:
            raise InvalidSyntaxException(detail=f"The body is nested more than {MAX_DEPTH} levels deep.")
        if isinstance(value, dict):
            self._check_object(value, depth)
        elif isinstance(value, list):
            self._check_list(value, depth, name)

    def _check_object(self, value: dict[str, Any], depth: int) -> None:
        self.names += len(value)
        if self.names > MAX_NAMES:
            raise TooManyException(detail=f"A body has at most {MAX_NAMES:,} properties.")
        path = next((text for key, text in value.items() if key.lower() == "path"), None)
        for key, inner in value.items():
            check_path(key)
            if inner is path and isinstance(inner, str):
                check_path(inner)
            is_target = isinstance(path, str) and key.lower() == "value"
            self.check(inner, depth + 1, str(path) if is_target else key)

    def _check_list(self, value: list[Any], depth: int, name: str) -> None:
        attribute = name.lower().rpartition(":")[2]
        if attribute == "operations":
            _check_count(value, MAX_OPERATIONS, "operations")
            for one in value:
                self.check(one, depth + 1, "")
            return
        _check_count(value, MAX_MEMBERS if attribute.startswith("members") else MAX_VALUES, f"values of {name}")
        self.values += len(value) if attribute != "schemas" else 0
        if self.values > MAX_ALL_VALUES:
            raise TooManyException(detail=f"A request has at most {MAX_ALL_VALUES:,} values. Send several requests.")
        # The few names of each value are not counted with those of the body.
        for one in value:
            _Counter().check(one, depth + 1, "")


def _check_count(found: list[Any], most: int, what: str) -> None:
    if len(found) > most:
        raise TooManyException(detail=f"{len(found):,} {what[:MAX_PATH]} are too many. Send at most {most:,} at once.")
