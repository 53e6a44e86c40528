"""Domain errors, and the problem details that they become."""

import re

import pytest
from litestar.exceptions import HTTPException, NotFoundException

from formwright import app
from formwright.api.errors import problem, status_of, to_domain_error
from formwright.core.errors import DomainError, Invalid, ValidationFault, pointer

assert app


def kinds(root: type[DomainError] = DomainError) -> list[type[DomainError]]:
    """Return all error classes."""
    return [kind for child in root.__subclasses__() for kind in (child, *kinds(child))]


NAMED = [kind for kind in kinds() if "code" in kind.__dict__]


def test_each_code_belongs_to_one_error() -> None:
    codes = [kind.code for kind in NAMED]
    assert len(NAMED) > 20
    assert sorted(codes) == sorted(set(codes))


@pytest.mark.parametrize("kind", NAMED, ids=lambda kind: kind.code)
def test_each_error_has_a_dotted_code_a_detail_and_an_error_status(kind: type[DomainError]) -> None:
    assert re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", kind.code)
    assert kind.detail.endswith((".", "json"))
    assert 400 <= status_of(kind) <= 499 or status_of(kind) in (501, 503) or kind.code == "server.error"


def test_an_unexpected_error_reveals_nothing() -> None:
    response = problem(RuntimeError("password=hunter2"), "req_1")
    assert response.status == 500
    assert b"hunter2" not in response.content
    assert b'"code":"server.error"' in response.content
    assert b'"requestId":"req_1"' in response.content


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFoundException(), "route.not_found"),
        (HTTPException(status_code=405), "method.not_allowed"),
        (HTTPException(status_code=413), "body.too_large"),
        (HTTPException(status_code=418), "request.malformed"),
        (HTTPException(status_code=502), "server.error"),
    ],
)
def test_errors_of_the_framework_become_problems(error: Exception, code: str) -> None:
    assert to_domain_error(error).code == code


def test_a_problem_contains_every_validation_error() -> None:
    response = problem(
        Invalid([ValidationFault("/a", "value.type", "A."), ValidationFault("/b", "value.type", "B.")]), "req_1"
    )
    assert response.content.count(b'"pointer"') == 2


@pytest.mark.parametrize(
    ("steps", "text"),
    [((), ""), (("a", 0, "b"), "/a/0/b"), (("a/b",), "/a~1b"), (("m~n",), "/m~0n"), (("~1",), "/~01"), (("",), "/")],
)
def test_pointers_follow_rfc_6901(steps: tuple[str | int, ...], text: str) -> None:
    assert pointer(*steps) == text
