"""Validates responses against the OpenAPI document."""

import json
import re
from functools import cache
from typing import Any

import httpx
import jsonschema_rs

from formwright.api.openapi.document import document


@cache
def described() -> dict[str, Any]:
    """Return the document as callers get it."""
    plain: dict[str, Any] = json.loads(json.dumps(document()))
    return plain


@cache
def _templates() -> list[tuple[re.Pattern[str], str]]:
    paths = described()["paths"]
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in sorted(paths, key=lambda p: p.count("{"))]


def described_operation(method: str, path: str) -> dict[str, Any] | None:
    """Return the document's description of a call, or None if it has no such operation."""
    for pattern, template in _templates():
        if pattern.fullmatch(path) and method.lower() in described()["paths"][template]:
            found: dict[str, Any] = described()["paths"][template][method.lower()]
            return found
    return None


@cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    rooted = json.loads(schema) | {"components": described()["components"]}
    return jsonschema_rs.Draft202012Validator(rooted, validate_formats=True)


def faults_of(schema: dict[str, Any], instance: Any) -> list[str]:
    """Return the differences between an instance and a schema of the document."""
    return [f"{e.instance_path}: {e.message}" for e in _validator(json.dumps(schema)).iter_errors(instance)]


def codes(response: dict[str, Any]) -> set[str]:
    """Return the error codes that a documented response names."""
    return set(response.get("x-problem-codes", []))


async def check(response: httpx.Response) -> None:
    """Assert that a response matches the document. Used as a hook of a client, it checks every call."""
    call = response.request
    operation = described_operation(call.method, call.url.path)
    if operation is None or response.headers.get("content-encoding"):
        return
    await response.aread()
    said = f"{call.method} {call.url.path[:200]} answered {response.status_code} {response.text[:500]}"
    assert str(response.status_code) in operation["responses"], f"not in the document: {said}"
    described_answer = operation["responses"][str(response.status_code)]
    assert response.headers["x-request-id"], said
    if "content" not in described_answer:
        assert response.content == b"", said
        return
    [(media_type, content)] = described_answer["content"].items()
    assert response.headers["content-type"] == media_type, said
    if content["schema"].get("format") == "binary":
        return  # A file is described by its media type alone.
    assert faults_of(content["schema"], response.json()) == [], said
    if response.status_code >= 400:
        assert response.json()["code"] in codes(described_answer), f"its code is not in the document: {said}"
