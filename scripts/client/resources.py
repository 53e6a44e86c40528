"""The modules of resources: a class for each, whose methods are operations."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from scripts.client.openapi_document import Json, Operation, operations
from scripts.client.python_syntax import (
    NOTICE,
    argument_type,
    describe,
    docstring,
    first_sentence,
    indented,
    result_type,
    section,
    snake_case,
    unwrap,
    wrapped,
)

_RESOURCES = {
    "submissions": ("Submission", "Create, list, correct and review submissions."),
    "files": ("File", "Upload files, and read them."),
    "forms": ("Form", "Create, update, publish and import forms."),
    "form_versions": ("FormVersion", "Create, update, publish and export versions of forms."),
    "views": ("View", "Save filters of the list of submissions as views."),
    "exports": ("Export", "Export submissions to files, once or on a schedule."),
    "export_runs": ("ExportRun", "Start and read the runs of exports."),
    "templates": ("Template", "Manage form templates."),
    "question_blocks": ("QuestionBlock", "Manage blocks of questions that many forms use."),
    "folders": ("Folder", "Organise forms in a tree of folders."),
    "datasources": ("Datasource", "Import external data, such as customers or products, for lookup fields."),
    "tasks": ("Task", "Assign forms to users and groups, and follow their progress."),
    "invites": ("Invite", "Invite people by email to fill in a form."),
    "users": ("User", "Manage users, and the access they have."),
    "groups": ("Group", "Manage groups of users."),
    "roles": ("Role", "Manage roles and their permissions."),
    "trash": ("Trash", "List what has been deleted and can be restored."),
    "customers": ("Customer", "Read your account, and change its branding. The API calls an account a customer."),
    "audit_log": ("AuditEntry", "Read who changed what, when and from where."),
    "announcements": ("Announcement", "List upcoming changes to the API, such as deprecations."),
    "subscribers": ("Subscriber", "Subscribe to events."),
    "invocations": ("Invocation", "Read, retry and cancel the deliveries to a subscriber."),
    "events": ("Event", "Read events."),
    "reconciliation": ("Reconciliation", "Compare your copy of the submissions with the server."),
}
"""Each resource with the noun of its operations and its summary."""
_METHODS = {
    "importForm": ("forms", "import_xlsform"),
    "copyForm": ("forms", "copy"),
    "getFormBundle": ("forms", "get_bundle"),
    "getFormVersionBundle": ("form_versions", "get_bundle"),
    "importFormBundle": ("forms", "import_bundle"),
    "importSubmissions": ("submissions", "import_file"),
    "moveForms": ("folders", "move_forms"),
    "listFormMedia": ("forms", "list_media"),
    "addFormMedia": ("forms", "add_media"),
    "deleteFormMedia": ("forms", "delete_media"),
    "startExportRun": ("export_runs", "start"),
    "replayEvents": ("subscribers", "replay_events"),
    "retryFailedInvocations": ("subscribers", "retry_failed"),
    "rotateSubscriberSecret": ("subscribers", "rotate_secret"),
    "listEventTypes": ("events", "list_types"),
    "reconcileSubmissions": ("reconciliation", "compare"),
    "listReconciliationDays": ("reconciliation", "list_days"),
    "listAuditEntries": ("audit_log", "list"),
    "getBranding": ("customers", "get_branding"),
    "updateBranding": ("customers", "update_branding"),
    "updateLogo": ("customers", "update_logo"),
    "deleteLogo": ("customers", "delete_logo"),
}
"""Operations whose method does not follow from their name."""
_HAND_WRITTEN = {"listEvents": "AsyncEventLog"}
_FILE_PARAMETERS = {"delimiter", "encoding", "sheet", "keyColumn", "name", "externalId"}
"""Parameters that only apply to a file, if an operation accepts JSON too."""
_RESERVED = {"self", "file"}
_FILES = {
    "application/octet-stream": 'The file, such as `Upload(content, "image/jpeg")`.',
    "application/zip": 'The file: `Upload(content, "application/zip")`.',
}
_TABLE = "The file, such as `Upload.csv(content)` or `Upload.xlsx(content)`."
"""The description of a file as the body by its media type, and that of a table or a form."""
_NEWLINE = "\n"  # Python 3.11 accepts no backslash in the braces of an f-string
_IMPORTS = """\
import builtins
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, Upload, encode_segment
"""


@dataclass(frozen=True)
class _Argument:
    name: str
    type: str
    description: str
    default: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")


@dataclass(frozen=True)
class _Method:
    """A method to generate."""

    name: str
    operation: Operation
    summary: str
    path_arguments: tuple[_Argument, ...]
    body_arguments: tuple[_Argument, ...] = ()
    """Positional: a file or a list. It is the body."""
    properties: dict[str, _Argument] = field(default_factory=dict)
    """The properties of the body by their names in the API."""
    query: dict[str, _Argument] = field(default_factory=dict)
    """The parameters of the query by their names in the API."""
    result: str = ""
    returns: str = ""


def method_name(operation_id: str) -> tuple[str, str]:
    """Return the resource and the method of an operation: `submissions`, `list_files` for `listSubmissionFiles`.

    Raises:
        LookupError: No resource has the noun of the operation.
    """
    if operation_id in _METHODS:
        return _METHODS[operation_id]
    verb, rest = re.findall(r"^[a-z]+|.+", operation_id)
    nouns = {noun: resource for resource, (noun, _) in _RESOURCES.items()}
    for noun in sorted(nouns, key=len, reverse=True):
        if found := re.fullmatch(rf"{noun}(?:s(?![a-z])|(?![a-z]))(.*)", rest):
            return nouns[noun], snake_case(verb + found[1])
    raise LookupError(f"{operation_id}: add its resource to {__file__}")


def generate(document: Json) -> dict[str, str]:
    """Return the text of each module by its name; `__init__` has the class with all resources."""
    schemas = document["components"]["schemas"]
    found = operations(document)
    common = _common_codes(found)
    bodies: dict[str, list[str]] = {resource: [] for resource in _RESOURCES}
    for operation in found:
        if operation.name not in _HAND_WRITTEN:
            resource, _ = method_name(operation.name)
            bodies[resource] += [_render(method, common) for method in _methods(operation, schemas)]
    texts = {resource: _module(resource, "\n".join(methods)) for resource, methods in bodies.items()}
    return texts | {"__init__": _all_resources()}


def _module(resource: str, methods: str) -> str:
    summary = _RESOURCES[resource][1]
    text = f"class {_class_name(resource)}(AsyncResource):\n{indented(docstring(summary))}\n\n{indented(methods)}\n"
    head = docstring(f"The methods of `client.{resource}`.")
    return f"{head}\n\n{NOTICE}\n\nfrom __future__ import annotations\n\n{_IMPORTS}\n\n{text}"


def _all_resources() -> str:
    classes = {resource: (f"resources.{resource}", _class_name(resource)) for resource in _RESOURCES}
    classes["events"] = ("event_log", _HAND_WRITTEN["listEvents"])
    imports = [f"from formwright_client._async.{module} import {name}" for module, name in classes.values()]
    imports.append("from formwright_client._async.transport import AsyncTransport")
    lines = [
        f"self.{resource} = {name}(transport)\n{docstring(_RESOURCES[resource][1])}"
        for resource, (_, name) in classes.items()
    ]
    text = (
        f"class AsyncResources:\n{indented(docstring('The operations of the API, by resource.'))}\n\n"
        f"    def __init__(self, transport: AsyncTransport) -> None:\n{indented(_NEWLINE.join(lines), 2)}\n"
    )
    return f"{docstring('All resources.')}\n\n{NOTICE}\n\n{_NEWLINE.join(imports)}\n\n\n{text}"


def _class_name(resource: str) -> str:
    return "Async" + "".join(word.capitalize() for word in resource.split("_"))


def _methods(operation: Operation, schemas: Json) -> Iterator[_Method]:
    """Return the methods of an operation. An object, a list and a file as the body have a method each."""
    result, returns = _result(operation, schemas)
    method = _Method(
        name=method_name(operation.name)[1],
        operation=operation,
        summary=operation.spec["summary"],
        path_arguments=tuple(_path_arguments(operation)),
        query=_query(operation, schemas),
        result=result,
        returns=returns,
    )
    body = operation.json_body
    if body and "anyOf" in body:
        array, body = body["anyOf"]
        yield _many(method, array)
        method = replace(method, result=method.result.rpartition(" | ")[2])
    if body:
        omitted = _FILE_PARAMETERS if operation.accepts_files else set()
        query = {name: one for name, one in method.query.items() if name not in omitted}
        yield replace(method, properties=_body_properties(body, schemas), query=query)
    if operation.accepts_files:
        file = _Argument("file", "Upload", _FILES.get(operation.file_type, _TABLE))
        suffix = ("_from_file", " from a file") if body else ("", "")
        yield replace(method, name=method.name + suffix[0], summary=method.summary + suffix[1], body_arguments=(file,))
    elif not body:
        yield method


def _many(method: _Method, array: Json) -> _Method:
    noun = snake_case(array["items"]["$ref"].rpartition("/")[2]).split("_")[0] + "s"
    return replace(
        method,
        name=f"{method.name}_many",
        summary=f"Create several {noun}: all of them, or none",
        body_arguments=(_Argument(noun, argument_type(array), f"The {noun}, at most 1,000."),),
        result=f"builtins.{method.result.partition(' | ')[0]}",
        returns=f"The {noun}, in the same order.",
    )


def _path_arguments(operation: Operation) -> Iterator[_Argument]:
    for one in operation.spec["parameters"]:
        if one["in"] == "path" and one["name"] != "customerId":
            yield _Argument(snake_case(one["name"]), "str", unwrap(one["description"]))


def _query(operation: Operation, schemas: Json) -> dict[str, _Argument]:
    enums = {json.dumps(schema["enum"]): f"schemas.{name}" for name, schema in schemas.items() if "enum" in schema}
    return {
        one["name"]: _query_argument(one, enums)
        for one in operation.spec["parameters"]
        if one["in"] == "query" and one["name"] not in ("cursor", "dryRun")
    }


def _query_argument(parameter: Json, enums: dict[str, str]) -> _Argument:
    schema, name, description = parameter["schema"], snake_case(parameter["name"]), unwrap(parameter["description"])
    if schema.get("type") == "array":
        items = enums.get(json.dumps(schema["items"].get("enum"))) or argument_type(schema["items"])
        description = description.replace("May be repeated.", "Several are combined with OR.")
        return _Argument(name, f"Sequence[{items}]", description, "()")
    if schema.get("type") == "object" and name == "columns":
        example = 'Columns by field or property, such as `{"site": "Location"}`. '
        return _Argument(name, "Mapping[str, str] | None", example + description.partition(". ")[2], "None")
    if schema.get("type") == "object":
        text = 'Conditions on answers, such as `{"site": "Harbour", "people[gte]": 3}`. '
        description = text + description.partition(". ")[2].replace("comma-separated values", "a list of values")
        return _Argument(name, "Mapping[str, object] | None", description, "None")
    description = _describe_time(description)
    type_ = enums.get(json.dumps(schema.get("enum"))) or argument_type(schema)
    optional = "" if parameter["required"] else " | None"
    return _Argument(name, type_ + optional, description, "None" if optional else "")


def _describe_time(description: str) -> str:
    return description.replace("A time in RFC 3339 format", "A `datetime`, or a string in RFC 3339 format")


def _body_properties(body: Json, schemas: Json) -> dict[str, _Argument]:
    schema = schemas[body["$ref"].rpartition("/")[2]]
    return {
        name: _property(name, inner, name in schema["required"], schemas)
        for name, inner in schema["properties"].items()
    }


def _property(name: str, schema: Json, required: bool, schemas: Json) -> _Argument:
    type_, null = re.subn(r" \| None$", "", argument_type(schema))
    type_ += ("" if required else " | Unset") + (" | None" if null else "")
    description = re.sub(r"\b[Nn]ull\b", "None", _describe_time(describe(schema, schemas)))
    return _Argument(snake_case(name), type_, description, "" if required else "UNSET")


def _result(operation: Operation, schemas: Json) -> tuple[str, str]:
    """Return the type of the result, and its description."""
    content = operation.response.get("content")
    if content is None:
        return "None", ""
    if "application/geo+json" in content:
        name = result_type(content["application/geo+json"]["schema"]).removesuffix("Collection")
        return f"AsyncPaginator[{name}]", "An iterable over all features. It requests page after page."
    if "application/json" not in content:
        return "bytes", "The file."
    schema = content["application/json"]["schema"]
    name = result_type(schema)
    if name.endswith("List"):
        return (
            f"AsyncPaginator[{name.removesuffix('List')}]",
            "An iterable over all items. It requests page after page.",
        )
    return name, first_sentence(describe(schema, schemas)) or "The JSON Schema."


def _common_codes(found: list[Operation]) -> set[str]:
    """Return the error codes that so many operations have that they are not worth naming for each."""
    codes = [code for one in found for code in _codes(one)]
    return {code for code in codes if codes.count(code) > len(found) // 5}


def _codes(operation: Operation) -> dict[str, str]:
    """Return the status of each error code."""
    return {
        code: status
        for status, response in operation.spec["responses"].items()
        for code in response.get("x-problem-codes", ())
    }


def _render(method: _Method, common: set[str]) -> str:
    parameters = {one["name"] for one in method.operation.spec["parameters"]}
    named = [*method.properties.values(), *method.query.values()]
    named.sort(key=lambda one: bool(one.default))
    options = [one for name, one in _OPTIONS.items() if name in parameters]
    positional = [*method.path_arguments, *method.body_arguments]
    arguments = [*positional, *named, *options]
    names = [one.name for one in arguments]
    if len(set(names)) < len(names) or _RESERVED & {one.name for one in [*method.path_arguments, *named]}:
        raise LookupError(f"{method.operation.name}: two arguments have the same name")
    keywords = ["*", *map(str, [*named, *options])] if named or options else []
    paginated = method.result.startswith("AsyncPaginator")
    head = f"{'' if paginated else 'async '}def {method.name}({', '.join(['self', *map(str, positional), *keywords])})"
    text = _docstring(method, arguments, common)
    return f"{head} -> {method.result}:\n{indented(text)}\n{indented(_statement(method, parameters))}\n"


_OPTIONS = {
    "dryRun": _Argument(
        "dry_run", "bool", "Validate the request and return the usual result, without changing anything.", "False"
    ),
    "If-Match": _Argument(
        "if_match",
        "str | None",
        "The ETag of the resource as you have read it, from `etag()`. If the resource has changed since, the call"
        " fails with 412 `precondition.failed`.",
        "None",
    ),
    "Idempotency-Key": _Argument(
        "idempotency_key",
        "str | None",
        "Repeating a call with the same key within 24 hours returns the original response and has no further effect."
        " Default: a new UUID.",
        "None",
    ),
}


def _docstring(method: _Method, arguments: list[_Argument], common: set[str]) -> str:
    codes = {code: status for code, status in _codes(method.operation).items() if code not in common}
    specific = ", ".join(f"{status} `{code}`" for code, status in codes.items() if code != "customer.not_found")
    errors = {
        "ApiError": "The server rejected the request" + (f", e.g. with {specific}." if specific else "."),
        "NoResponseError": "No response arrived.",
    }
    if method.path_arguments:
        errors["ValueError"] = "An id is empty."
    text = docstring(
        wrapped(f"{method.summary}."),
        wrapped(_description(method)),
        section("Args", {one.name: one.description for one in arguments}),
        section("Returns", {"": method.returns} if method.returns else {}),
        section("Raises", errors),
    )
    return _use_python_names(text, method)


def _description(method: _Method) -> str:
    """Return the description of the operation, without what only applies to other languages or other methods."""
    text: str = method.operation.spec.get("description", "")
    text = re.sub(r"\s?`/\S+`\s+and\s+`/\S+`\s+are\s+equivalent\.", "", text)
    if method.properties and method.operation.accepts_files:
        text = re.sub(r"(The body is JSON|For a file,).*?\.(\s+|$)", "", text, flags=re.DOTALL)
    many = method.name.endswith("_many")
    array = r"The body can also be an array.*error pointers (begin with the index of the \w+\.)" + (
        "" if many else r"\s+"
    )
    return re.sub(array, r"Error pointers \1" if many else "", text, flags=re.DOTALL)


def _use_python_names(text: str, method: _Method) -> str:
    """Replace quoted names of arguments and operations, and quoted assignments such as `order=updated`."""
    names = {name: one.name for name, one in (method.properties | method.query | _OPTIONS).items()}

    def replace_name(found: re.Match[str]) -> str:
        name, value = found[1], found[2] or ""
        if name in names:
            literal = value[1:].capitalize() if value in ("=true", "=false") else f'"{value[1:]}"'
            return f"`{names[name]}{f'={literal}' if value else ''}`"
        if name in _METHODS or re.match(r"(get|list|create|update|delete|restore|add|remove)[A-Z]", name):
            return f"`client.{'.'.join(method_name(name))}`"
        return found[0]

    return re.sub(r"`([A-Za-z-]+)(=[a-z]+)?`", replace_name, text)


def _statement(method: _Method, parameters: set[str]) -> str:
    """Return the statements that send the request."""
    path = re.sub(r"\{(\w+)\}", lambda found: "{" + _path_value(found[1]) + "}", method.operation.path)
    passed = [f'f"{path}"' if "{" in path else f'"{path}"']
    query = {name: one.name for name, one in method.query.items()}
    if "dryRun" in parameters:
        query["dryRun"] = "dry_run or None"
    if query or method.result.startswith("AsyncPaginator"):
        passed.append(f"query={_dictionary(query)}")
    if method.properties:
        passed.append(f"body={_dictionary({name: one.name for name, one in method.properties.items()})}")
    passed += [f"body={one.name}" for one in method.body_arguments]
    passed += [f"{one.name}={one.name}" for name, one in _OPTIONS.items() if name in parameters and name != "dryRun"]
    if method.result.startswith("AsyncPaginator"):
        return f"return self._transport.paginate({', '.join(passed)})"
    call = f"({', '.join([json.dumps(method.operation.method), *passed])})"
    if method.result == "None":
        return f"await self._transport.request{call}"
    if method.result == "bytes":
        return f"return await self._transport.request_bytes{call}"
    return f"response: {method.result} = await self._transport.request_json{call}\nreturn response"


def _dictionary(entries: dict[str, str]) -> str:
    return "{" + ", ".join(f'"{name}": {value}' for name, value in entries.items()) + "}"


def _path_value(name: str) -> str:
    return "ACCOUNT" if name == "customerId" else f"encode_segment({snake_case(name)})"
