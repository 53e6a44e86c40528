"""Limits of SCIM requests: what is larger is refused before it costs anything."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from factories import worst_scim_requests as worst
from fixtures.scim import GROUP, PATCH, ROOT, USER, ScimClient
from scim2_models import ScimFilter

from formwright.scim.filters import count_comparisons
from formwright.scim.limits import MAX_ALL_VALUES, MAX_NAMES, MAX_OPERATIONS, MAX_VALUES
from formwright.scim.routes import MAX_BODY, MAX_SEARCH
from formwright.scim.schemas import User

SCIM_TYPES = {
    "levels": "invalidSyntax",
    "1,000 levels": "invalidSyntax",
    "digits": "invalidSyntax",
    "comparisons": "invalidPath",
    "comparisons in a name": "invalidPath",
    "letters of a path": "invalidPath",
}
"""Of everything else, there are too many."""


async def test_a_patch_beyond_a_limit_is_refused_and_the_largest_is_not(scim: ScimClient) -> None:
    user = await scim.add_user("ada")
    path = f"/Users/{user['id']}"
    for name, body in worst.too_many(user["userName"]).items():
        error = await scim.call("PATCH", path, body, 413 if len(json.dumps(body)) > MAX_BODY else 400)
        if error["status"] == "400":
            assert error["scimType"] == SCIM_TYPES.get(name, "tooMany"), (name, error)
    assert await scim.call("GET", path) == user
    for body in worst.largest(user["userName"]).values():
        await scim.call("PATCH", path, body, 204)
    assert (MAX_OPERATIONS, MAX_VALUES, MAX_ALL_VALUES, MAX_NAMES) == (100, 100, 1000, 1000)


async def test_a_user_or_group_beyond_a_limit_is_refused(scim: ScimClient) -> None:
    user = await scim.add_user("ada")
    for method, path, status in (("POST", "/Users", 201), ("PUT", f"/Users/{user['id']}", 200)):
        for name in worst.ATTRIBUTES:
            body = {"schemas": [USER], "userName": f"{method}.{name}@acme.example", name: worst.values(101)}
            assert (await scim.call(method, path, body, 400))["scimType"] == "tooMany"
        body = {"schemas": [USER], "userName": user["userName"], "emails": user["emails"], "ims": worst.values(100)}
        if status == 201:
            mail = f"large.{scim.account.id}@acme.example"
            body |= {"userName": mail, "emails": [{"value": mail}]}
        assert len((await scim.call(method, path, body, status))["ims"]) == 100
    many = {"schemas": [GROUP], "displayName": "Many", "members": worst.values(1001)}
    error = await scim.call("POST", "/Groups", many, 400)
    assert (error["scimType"], "1,001 values of members" in error["detail"]) == ("tooMany", True)


async def test_attributes_do_not_grow_beyond_the_limit_step_by_step(scim: ScimClient) -> None:
    user = await scim.add_user("ada")
    added = [{"op": "add", "path": "phoneNumbers", "value": worst.values(60, part)} for part in (0, 1)]
    await scim.patch(f"/Users/{user['id']}", added[0])
    assert (await scim.patch(f"/Users/{user['id']}", added[1], status=400))["scimType"] == "tooMany"
    assert len((await scim.call("GET", f"/Users/{user['id']}"))["phoneNumbers"]) == 60


async def test_long_filters_and_lists_of_names_are_refused(scim: ScimClient) -> None:
    for query in (f"filter={'active pr or ' * 400}active pr", f"attributes={'title,' * 101}title"):
        assert (await scim.call("GET", f"/Users?{query}", status=400))["scimType"] == "tooMany", query[:20]
    search: dict[str, Any] = {"filter": " or ".join(["active pr"] * 500)}
    assert (await scim.call("POST", "/Users/.search", search, 400))["scimType"] == "tooMany"
    search = {"attributes": ["title"] * 101}
    assert (await scim.call("POST", "/.search", search, 400))["scimType"] == "tooMany"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("active pr", 1),
        ('active pr and (title sw "a" or not (title ew "b"))', 3),
        ('emails[type eq "work" and value co "@"] or title pr', 3),
    ],
)
def test_the_cost_of_a_filter_is_the_number_of_its_comparisons(text: str, count: int) -> None:
    assert count_comparisons(ScimFilter[User[Any]](text)) == count


@pytest.mark.parametrize("declared", [True, False])
async def test_a_large_body_is_not_read(scim: ScimClient, declared: bool) -> None:
    """One that says how long it is isn't read at all, and any other one until it has become too long."""
    paths = {"/Users": MAX_BODY, "/Groups": MAX_BODY, "/Bulk": MAX_BODY, "/none": MAX_BODY, "/.search": MAX_SEARCH}
    for path, most in paths.items():
        for method in ("POST", "PUT", "PATCH"):
            sent = 0

            async def body() -> AsyncIterator[bytes]:
                nonlocal sent
                for _ in range(1000):
                    sent += 16 * 1024
                    yield b" " * 16 * 1024

            headers = {"content-type": "application/scim+json"}
            headers |= {"content-length": str(most + 1)} if declared else {"transfer-encoding": "chunked"}
            response = await scim.http.request(method, ROOT + path, content=body(), headers=headers)
            assert response.status_code == 413, (method, path, response.text)
            assert sent == 0 if declared else sent <= most + 32 * 1024, (method, path)


async def test_what_the_library_reads_is_what_was_checked(scim: ScimClient) -> None:
    """Parsers disagree about repeated names and about numbers that are none."""
    user = await scim.add_user("ada")
    operations = b",".join([b'{"op":"add","path":"title","value":"x"}'] * 200)
    twice = b'{"schemas":["%s"],"Operations":[%s],"operations":[]}' % (PATCH.encode(), operations)
    not_finite = b'{"schemas":["%s"],"Operations":[%s],"x":NaN}' % (PATCH.encode(), operations)
    repeated = b'{"schemas":["%s"],"Operations":[%s],"Operations":[]}' % (PATCH.encode(), operations)
    for content in (twice, not_finite, repeated):
        headers = {"content-type": "application/scim+json"}
        response = await scim.http.patch(f"{ROOT}/Users/{user['id']}", content=content, headers=headers)
        assert response.status_code == 400, response.text
    assert await scim.call("GET", f"/Users/{user['id']}") == user
