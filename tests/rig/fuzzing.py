"""Schemathesis plays a caller who knows nothing but the OpenAPI document, and tries everything that it allows.

It runs in threads of its own and reaches the application of this process, in the loop in which that lives.
"""

import asyncio
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema
from schemathesis.schemas import BaseSchema

from formwright.api.openapi import document_bytes
from formwright.api.v1_0.operations import OPERATIONS

HOST = "https://testserver"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OF_SCHEMAS = {
    "json.malformed",
    "query.repeated",
    "query.unknown",
    "query.value",
    "value.choice",
    "value.pattern",
    "value.required",
    "value.too_few",
    "value.too_great",
    "value.too_long",
    "value.too_many",
    "value.too_short",
    "value.too_small",
    "value.type",
    "value.unknown",
}
"""What a JSON Schema can say, and so the document has to: what it allows is never refused so."""

_BEYOND = re.compile(r"^/data/|/email$|^\?folderId$")
"""Judged by more than a schema: by the form; as a mail address; as one of two members of which one may be sent."""
OF_FIELDS = [one.name for one in OPERATIONS if "fields" in getattr(one.body, "__struct_fields__", ())]
"""The operations that take the fields of a form."""


@dataclass(slots=True)
class Report:
    """What came of a run."""

    answered: dict[str, Counter[int]] = field(default_factory=dict)
    """How often each operation answered with each status."""
    faults: list[str] = field(default_factory=list)


async def fuzz(served: Any, settings: dict[str, Any], names: list[str]) -> Report:
    """Try these operations of an ASGI application, or all, as one whole; `settings` are those of schemathesis."""
    loop = asyncio.get_running_loop()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        """In the loop of schemathesis: hands over to that of the application."""
        if scope["type"] != "http":
            raise RuntimeError("The application lives already.")
        asked, answer = await receive(), asyncio.Queue[Any]()
        here = asyncio.get_running_loop()

        async def told() -> Any:
            return asked

        async def answered(message: Any) -> None:
            here.call_soon_threadsafe(answer.put_nowait, message)

        done = asyncio.run_coroutine_threadsafe(served(scope, told, answered), loop)
        more = True
        while more:
            message = await answer.get()
            more = message["type"] != "http.response.body" or message.get("more_body", False)
            await send(message)
        await asyncio.wrap_future(done)

    schema = schemathesis.openapi.from_dict(json.loads(document_bytes()), config=SchemathesisConfig.from_dict(settings))
    schema.app, schema.location = application, "/api/v1.0/openapi.json"
    return await asyncio.to_thread(_run, schema.include(operation_id=names) if names else schema)


def key(text: str, customer_id: str) -> dict[str, Any]:
    """The settings for a caller with this key."""
    return {
        "base-url": HOST,
        "headers": {"X-Api-Key": text},
        "auth": {"openapi": {"apiKey": {"api_key": text}}},
        "parameters": {"path.customerId": customer_id},
        "continue-on-failure": True,
        "checks": {"enabled": True},
        "warnings": False,
    }


@schemathesis.serializer(XLSX)
def _workbook(ctx: Any, value: Any) -> bytes:
    """A file has no schema: what is sent is hardly ever one."""
    del ctx
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def _run(schema: BaseSchema) -> Report:
    report = Report()
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            _note(report, event)
        elif isinstance(event, events.NonFatalError | events.FatalError):
            said = getattr(event, "value", None) or getattr(event, "exception", None)
            report.faults.append(f"{getattr(event, 'label', 'schemathesis')}: {said!r}")
    return report


def _note(report: Report, event: events.ScenarioFinished) -> None:
    recorder = event.recorder
    for case_id, exchange in recorder.interactions.items():
        if exchange.response is not None and case_id in recorder.cases:
            name = recorder.cases[case_id].value.operation.definition.raw["operationId"]
            report.answered.setdefault(name, Counter())[exchange.response.status_code] += 1
    for case_id, checks in recorder.checks.items():
        response = recorder.interactions[case_id].response
        for check in checks:
            if check.failure_info and not excused(check.name, response):
                failure = check.failure_info
                answer = f"{response.status_code} {response.content[:600]!r}" if response else "no answer"
                told = f"{failure.failure.title}: {failure.failure.message}"
                report.faults.append(f"{event.phase.value}, {check.name}: {told}\n{failure.code_sample}\n{answer}")


def excused(check: str, response: Any) -> bool:
    """Whether a check is wrong for us. Only one is, sometimes: that what fits the schemas is taken.

    It does not know rules that no schema can say, of which every fault has a code of its own: that an id names
    something, that a name is free, that of two members one is sent, that a cursor came from this list. Answers to a
    form are judged by the form, and a mail address by more than its length. If-Match is a condition: it may fail.
    """
    if check != "positive_data_acceptance" or response is None:
        return False
    if response.status_code == 412:
        return True
    told = json.loads(response.content)
    faults = [(fault["code"], fault["pointer"]) for fault in told.get("errors", [])] or [(told["code"], "")]
    return not any(code in OF_SCHEMAS and not _BEYOND.search(pointer) for code, pointer in faults)
