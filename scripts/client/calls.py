"""The modules of calls."""

import json
import re
from collections.abc import Iterator
from textwrap import wrap

from scripts.client.document import Json, Operation, groups, operations, titled
from scripts.client.python import MADE, WIDTH, imported, snake, type_of

_HERE = "formwright_client.calls"
_PYTHONS = {"collections.abc": ["Mapping", "Sequence"], "typing": ["Any", "Literal", "overload"]}
_OURS = {
    "formwright_client": ["shapes"],
    "formwright_client.calling": ["Caller", "Moment", "Table", "part"],
    "formwright_client.paging": ["Pages"],
}
_HAND_WRITTEN = {"listEvents"}
_ARGUMENTS = {
    "dryRun": "dry_run: bool = False",
    "Idempotency-Key": "idempotency_key: str | None = None",
    "If-Match": "if_match: str | None = None",
}


def modules(document: Json) -> dict[str, str]:
    """The text of each, by its name; `__init__` has `Calls`, which is all of them."""
    found = list(operations(document))
    names = {one.told["operationId"] for one in found}
    kept = [one for one in found if one.told["operationId"] not in _HAND_WRITTEN and not _twin(one.told, names)]
    schemas = document["components"]["schemas"].items()
    enums = {json.dumps(schema["enum"]): f"shapes.{name}" for name, schema in schemas if "enum" in schema}
    texts = {
        module: _module(tag, "".join(_call(one, enums) for one in kept if tag in one.told["tags"]))
        for tag, module in groups(document).items()
    }
    return texts | {"__init__": _face(groups(document))}


def _module(tag: str, calls: str) -> str:
    text = f'class {titled(tag)}(Caller):\n    """One a method."""\n{calls}'
    before = "\n".join(filter(None, (imported(text, _PYTHONS), imported(text, _OURS))))
    return f'"""The calls of {tag}.\n\n{MADE}\n"""\n\nfrom __future__ import annotations\n\n{before}\n\n{text}'


def _face(modules: dict[str, str]) -> str:
    classes = {module: titled(tag) for tag, module in modules.items()}
    lines = imported(" ".join(classes.values()), {f"{_HERE}.{one}": [classes[one]] for one in sorted(classes)})
    about = "Every operation of the API but the list of events, which is `Client.events`."
    words = "The operations, one a method. Members of the query are named, and left out where they are not given."
    bases = "".join(f"    {one},\n" for one in classes.values())
    return f'"""{about}\n\n{MADE}\n"""\n\n{lines}\n\nclass Calls(\n{bases}):\n    """{words}"""\n'


def _twin(operation: Json, names: set[str]) -> bool:
    """Whether the same is done by an operation that does not name the account."""
    name: str = operation["operationId"]
    return "Customer" in name and name.replace("Customer", "", 1) in names


def _call(call: Operation, enums: dict[str, str]) -> str:
    before, named = ["self"], []
    for one in call.told["parameters"]:
        if one["in"] == "path" and one["name"] != "customerId":
            before.append(f"{snake(one['name'])}: str")
        elif one["name"] in _ARGUMENTS:
            named.append(_ARGUMENTS[one["name"]])
        elif one["in"] == "query" and one["name"] != "cursor":
            named.append(_query_argument(one, enums))
    body = _body(call.told)
    before += [f"body: {body}"] if body else []
    answer, _ = _answer(call.told)
    arguments = [*before, *(["*", *named] if named else [])]
    return (
        f"{_overloads(call.told, arguments, answer)}\n{_head(call.told, arguments, answer)}\n"
        f'        """{_docstring(call.told["summary"])}"""\n{_statement(call)}'
    )


def _head(operation: Json, arguments: list[str], answer: str) -> str:
    lines = "\n".join(f"        {one}," for one in arguments)
    return f"    def {snake(operation['operationId'])}(\n{lines}\n    ) -> {answer}:"


def _overloads(operation: Json, arguments: list[str], answer: str) -> str:
    """Where one thing or a list of them may be sent, what is answered for which."""
    bodies = [one for one in arguments if one.startswith("body: list[") and " | " in one]
    if not bodies:
        return ""
    heads = []
    for body, found in zip(bodies[0].removeprefix("body: ").split(" | "), answer.split(" | "), strict=True):
        these = [f"body: {body}" if one == bodies[0] else one for one in arguments]
        heads.append(f"\n    @overload\n{_head(operation, these, found)} ...\n")
    return "".join(heads)


def _docstring(summary: str) -> str:
    """The summary, over as many lines as it needs."""
    text = f"{summary}."
    return text if len(text) <= WIDTH - 14 else "\n        ".join([*wrap(text, WIDTH - 20), ""])


def _statement(call: Operation) -> str:
    answer, how = _answer(call.told)
    lines = "".join(f"            {word},\n" for word in _passed(call, how))
    if how == "answer":
        return f"        found: {answer} = self._answer(\n{lines}        )\n        return found\n"
    begin = "" if how == "done" else "return "
    return f"        {begin}self._{how}(\n{lines}        )\n"


def _passed(call: Operation, how: str) -> Iterator[str]:
    """What the call hands on."""
    address = re.sub(r"\{(\w+)\}", lambda found: "{" + _filled(found[1]) + "}", call.path)
    parameters = {one["name"]: one["in"] for one in call.told["parameters"] if one["name"] != "cursor"}
    pairs = [f'"{name}": {_given(name)}' for name, within in parameters.items() if within == "query"]
    if how != "listed":
        yield f'"{call.method}"'
    yield f'f"{address}"' if "{" in address else f'"{address}"'
    if pairs:
        yield f"query={{{_in_lines(pairs) if len(pairs) > 1 else pairs[0]}}}"
    if _body(call.told):
        yield "body=body"
    if "If-Match" in parameters:
        yield "if_match=if_match"
    if "Idempotency-Key" in parameters:
        yield "idempotency_key=idempotency_key"


def _given(name: str) -> str:
    return "dry_run or None" if name == "dryRun" else snake(name)


def _in_lines(pairs: list[str]) -> str:
    return "".join(f"\n                {pair}," for pair in pairs) + "\n            "


def _filled(name: str) -> str:
    return "self.customer_id" if name == "customerId" else f"part({snake(name)})"


def _query_argument(parameter: Json, enums: dict[str, str]) -> str:
    schema, name = parameter["schema"], snake(parameter["name"])
    if schema.get("type") == "array":
        return f"{name}: Sequence[{_argument(schema['items'], enums)}] = ()"
    if schema.get("type") == "object":
        return f"{name}: Mapping[str, object] | None = None"
    kind = "Moment" if schema.get("format") == "date-time" else _argument(schema, enums)
    return f"{name}: {kind}{'' if parameter['required'] else ' | None = None'}"


def _argument(schema: Json, enums: dict[str, str]) -> str:
    """Its type; values that are a shape's by that name."""
    return enums.get(json.dumps(schema.get("enum")), type_of(schema, "shapes."))


def _body(operation: Json) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    shapes = [type_of(one["schema"], "shapes.") for name, one in content.items() if name == "application/json"]
    return " | ".join(shapes + (["Table"] if content.keys() - {"application/json"} else []))


def _answer(operation: Json) -> tuple[str, str]:
    """The type of what is answered, and how it is asked for."""
    [found] = [one for status, one in operation["responses"].items() if status.startswith("2")]
    content = found.get("content")
    if content is None:
        return "None", "done"
    if "application/json" not in content:
        return "bytes", "content"
    name = type_of(content["application/json"]["schema"], "shapes.")
    return (f"Pages[{name.removesuffix('List')}]", "listed") if name.endswith("List") else (name, "answer")
