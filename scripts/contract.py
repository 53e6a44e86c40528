"""Compares the OpenAPI document with the published contract. Additions are allowed, breaking changes are listed.

    python scripts/contract.py          list breaking changes; exit status 1 if there are any
    python scripts/contract.py --take   add the additions to the contract; fails if there are breaking changes

Requests that were valid must stay valid: no property may be removed or newly required, no type or limit narrower.
Responses must keep what they had: no property may be removed or become optional, no type wider, no problem code
removed or given another status. New paths, properties, types and values are additions.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).resolve().parents[1]
PROMISED, MADE = ROOT / "docs" / "contract" / "v1.0.json", ROOT / "docs" / "openapi.json"

Side = Literal["sent", "got"]
Json = dict[str, Any]
_UPPER = ("maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties")
_LOWER = ("minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties")


def breaking(old: Json, new: Json) -> list[str]:
    """Return each change that breaks a client of `old`, and where it is."""
    return sorted(set(_Comparison(old, new).differences()))


class _Comparison:
    def __init__(self, old: Json, new: Json) -> None:
        self._old, self._new = old, new
        self._judged: dict[tuple[str, str, Side], list[str]] = {}

    def differences(self) -> Iterator[str]:
        for path, methods in self._old["paths"].items():
            for method, operation in methods.items():
                where = f"{method.upper()} {path}"
                if changed := self._new["paths"].get(path, {}).get(method):
                    yield from self._operation(operation, changed, where)
                else:
                    yield f"{where}: removed"
        for name, hook in self._old.get("webhooks", {}).items():
            if name not in self._new.get("webhooks", {}):
                yield f"webhook {name}: removed"
            else:
                yield from self._content(hook["post"], self._new["webhooks"][name]["post"], "got", f"webhook {name}")
        yield from _codes(statuses(self._old), statuses(self._new))

    def _operation(self, old: Json, new: Json, where: str) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"{where}: operationId was {old['operationId']}"
        yield from self._parameters(old, new, where)
        if "requestBody" in new and "requestBody" not in old:
            yield f"{where}: a body is now required"
        if "requestBody" in old:
            yield from self._content(old, new, "sent", where)
        for status, answer in old["responses"].items():
            if status not in new["responses"]:
                if status < "300":
                    yield f"{where}: status {status} removed"
            else:
                yield from self._media(answer, new["responses"][status], "got", f"{where} {status}")

    def _parameters(self, old: Json, new: Json, where: str) -> Iterator[str]:
        before, now = ({(p["in"], p["name"]): p for p in one.get("parameters", [])} for one in (old, new))
        for key, parameter in now.items():
            if parameter.get("required") and not before.get(key, {}).get("required"):
                yield f"{where} {key[1]}: now required"
        for key, parameter in before.items():
            if key not in now:
                yield f"{where} {key[1]}: removed"
            else:
                yield from self._schema(parameter["schema"], now[key]["schema"], "sent", f"{where} {key[1]}")

    def _content(self, old: Json, new: Json, side: Side, where: str) -> Iterator[str]:
        if "requestBody" not in new:
            yield f"{where}: no longer accepts a body"
        else:
            yield from self._media(old["requestBody"], new["requestBody"], side, where)

    def _media(self, old: Json, new: Json, side: Side, where: str) -> Iterator[str]:
        for media_type, content in old.get("content", {}).items():
            if media_type not in new.get("content", {}):
                yield f"{where}: {media_type} removed"
            else:
                yield from self._schema(_schema_of(content), _schema_of(new["content"][media_type]), side, where)

    def _schema(self, old: Json, new: Json, side: Side, where: str) -> list[str]:
        """Compare each pair of references once. Until it is compared it counts as equal: schemas can be recursive."""
        named = (old.get("$ref", ""), new.get("$ref", ""), side)
        if not named[0] or not named[1]:
            return list(self._shape(_resolved(old, self._old), _resolved(new, self._new), side, where))
        if named not in self._judged:
            self._judged[named] = []
            within = named[0].rpartition("/")[2]
            self._judged[named] = list(
                self._shape(_resolved(old, self._old), _resolved(new, self._new), side, f"{side} {within}")
            )
        return self._judged[named]

    def _shape(self, old: Json, new: Json, side: Side, where: str) -> Iterator[str]:
        if "anyOf" in old or "anyOf" in new:
            yield from self._branches(_branches(old), _branches(new), side, where)
            return
        yield from _types(old, new, side, where)
        if side == "sent":
            yield from _narrower(old, new, where)
        members = new.get("properties", {})
        for name, member in old.get("properties", {}).items():
            if name not in members:
                yield f"{where}/{name}: removed"
            else:
                yield from self._schema(member, members[name], side, f"{where}/{name}")
        before, now = set(old.get("required", [])), set(new.get("required", []))
        for name in sorted(now - before if side == "sent" else (before - now) & members.keys()):
            yield f"{where}/{name}: " + ("now required" if side == "sent" else "now optional")
        if "items" in old and "items" in new:
            yield from self._schema(old["items"], new["items"], side, f"{where}[]")

    def _branches(self, old: list[Json], new: list[Json], side: Side, where: str) -> Iterator[str]:
        nullable = [any(branch.get("type") == "null" for branch in branches) for branches in (old, new)]
        if side == "got" and nullable == [False, True]:
            yield f"{where}: may now be null"
        for number, branch in enumerate(old):
            if not any(not self._schema(branch, other, side, where) for other in new):
                same = [one for one in new if "$ref" in branch and one.get("$ref") == branch["$ref"]]
                kind = branch.get("$ref", "").rpartition("/")[2] or branch.get("type") or f"branch {number + 1}"
                gone = f"{where}: {kind} is no longer {'accepted' if side == 'sent' else 'the same'}"
                yield from self._schema(branch, same[0], side, where) if same else [gone]


def _schema_of(content: Json) -> Json:
    """Return the schema of a body. A file without one is any bytes."""
    schema: Json = content.get("schema", {})
    return {} if schema.get("format") == "binary" else schema


def _resolved(schema: Json, document: Json) -> Json:
    while reference := schema.get("$ref"):
        found: Any = document
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
        schema = found
    return schema


def _branches(schema: Json) -> list[Json]:
    branches: list[Json] = schema.get("anyOf", [schema])
    return branches


def _kinds(schema: Json) -> set[str]:
    # The values of an enum imply its type, so stating the type later narrows nothing.
    implied = "string" if schema.get("enum") and all(isinstance(value, str) for value in schema["enum"]) else []
    kinds = schema.get("type", implied)
    found = {kinds} if isinstance(kinds, str) else set(kinds)
    return found | {"integer"} if "number" in found else found


def _types(old: Json, new: Json, side: Side, where: str) -> Iterator[str]:
    before, now = _kinds(old), _kinds(new)
    lost = (before - now if now else set()) if side == "sent" else (now - before if before else set())
    if lost or (side == "sent" and now and not before) or (side == "got" and before and not now):
        yield f"{where}: type was {_list(before)} and is {_list(now)}"
    if side == "sent" and "enum" in new:
        for value in [value for value in old.get("enum", ["anything"]) if value not in new["enum"]]:
            yield f"{where}: {value} is no longer accepted"
    if "const" in old and old["const"] != new.get("const"):
        yield f"{where}: is no longer {old['const']}"


def _list(kinds: set[str]) -> str:
    return " or ".join(sorted(kinds)) or "anything"


def _narrower(old: Json, new: Json, where: str) -> Iterator[str]:
    for bound in (*_UPPER, *_LOWER):
        if bound not in new:
            continue
        before = old.get(bound)
        if before is None or (new[bound] < before if bound in _UPPER else new[bound] > before):
            yield f"{where}: {bound} was {'not there' if before is None else before} and is {new[bound]}"
    for rule in ("pattern", "format"):
        lost = _alternatives(old.get(rule, "anything")) - _alternatives(new[rule]) if rule in new else ()
        if lost:
            yield f"{where}: {rule} no longer accepts {' or '.join(sorted(lost))}"
    if new.get("additionalProperties") is False and old.get("additionalProperties", True) is not False:
        yield f"{where}: other properties are no longer accepted"


def _alternatives(pattern: str) -> set[str]:
    """Return what a pattern like `^(a|(b|c)d)$` matches: `a`, `bd` and `cd`. Other patterns are returned unchanged."""
    whole = re.fullmatch(r"\^\((.*)\)\$(?:\(\?!\\n\))?", pattern)
    if whole is None:
        return {pattern}
    found = set()
    for part in re.findall(r"(?:\([^()]*\)|[^()|])+", whole[1]):
        inner = re.match(r"\(([^()]*)\)", part)
        found |= {one + part[inner.end() :] for one in inner[1].split("|")} if inner else {part}
    return found


def statuses(document: Json) -> dict[str, set[str]]:
    """Return each problem code in a document, with its statuses."""
    found: dict[str, set[str]] = {}
    for operation in (one for methods in document["paths"].values() for one in methods.values()):
        for status, answer in operation["responses"].items():
            for code in answer.get("x-problem-codes", ()):
                found.setdefault(code, set()).add(status)
    return found


def _codes(old: dict[str, set[str]], new: dict[str, set[str]]) -> Iterator[str]:
    for code in sorted(old):
        if code not in new:
            yield f"code {code}: removed"
        elif old[code] != new[code]:
            yield f"code {code}: status was {_list(old[code])} and is {_list(new[code])}"


def main(arguments: list[str]) -> int:
    created = json.loads(MADE.read_text(encoding="utf-8"))
    found = breaking(json.loads(PROMISED.read_text(encoding="utf-8")), created) if PROMISED.exists() else []
    for difference in found:
        print(f"contract: {difference}", file=sys.stderr)
    if found:
        return 1
    if "--take" in arguments:
        PROMISED.parent.mkdir(exist_ok=True)
        PROMISED.write_text(MADE.read_text(encoding="utf-8"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
