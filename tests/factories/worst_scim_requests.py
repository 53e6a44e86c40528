"""SCIM requests that cost the most: as large as is allowed, and far larger."""

from typing import Any

from fixtures.scim import GROUP, PATCH, USER

ATTRIBUTES = ("emails", "phoneNumbers", "ims", "entitlements", "roles", "addresses", "photos")


def patch(*operations: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a PATCH."""
    return {"schemas": [PATCH], "Operations": list(operations)}


def values(count: int, part: int = 0) -> list[dict[str, Any]]:
    """Return different values of an attribute."""
    return [{"value": f"p{part}.{number}@acme.example"} for number in range(count)]


def nested(depth: int) -> Any:
    """Return objects in objects."""
    value: Any = {"value": "x"}
    for _ in range(depth):
        value = {"name": value}
    return value


def too_many(user_name: str) -> dict[str, dict[str, Any]]:
    """Return bodies of a PATCH of a user that exceed a limit, by what there is too much of."""
    email = {"op": "replace", "path": 'emails[type eq "work"].value', "value": user_name}
    terms = " or ".join(['value eq "x"'] * 20)
    return {
        "operations": patch(*[email] * 101),
        "10,000 operations": patch(*[email] * 10_000),
        "values": patch({"op": "add", "path": "emails", "value": values(101)}),
        "20,000 values": patch({"op": "add", "path": "emails", "value": values(20_000)}),
        "values without a path": patch({"op": "add", "value": {"phoneNumbers": values(101)}}),
        "values in all": patch(*({"op": "add", "path": "emails", "value": values(100, one)} for one in range(11))),
        "properties": patch({"op": "replace", "value": {f"k{number}": 1 for number in range(1001)}}),
        "levels": patch({"op": "replace", "value": nested(20)}),
        "1,000 levels": patch({"op": "replace", "value": nested(400)}),
        "comparisons": patch({"op": "replace", "path": f"emails[{terms}].value", "value": "x@y.example"}),
        "comparisons in a name": patch({"op": "replace", "value": {f"emails[{terms}].value": "x@y.example"}}),
        "letters of a path": patch({"op": "replace", "path": "a" * 100_000, "value": "x"}),
        "digits": patch({"op": "replace", "path": "title", "value": 10**4000}),
    }


def largest(user_name: str) -> dict[str, dict[str, Any]]:
    """Return bodies of a PATCH of a user that are as large as is allowed, and accepted."""
    numbers = {"op": "add", "path": "phoneNumbers", "value": values(100)}
    return {
        "100 operations": patch(*[{"op": "replace", "path": "title", "value": "x"}] * 100),
        "100 filters": patch(*[{"op": "replace", "path": 'emails[type eq "work"].value', "value": user_name}] * 100),
        "100 values": patch(numbers),
        "100 filters of 100 values": patch(
            numbers,
            *(
                {"op": "replace", "path": f'phoneNumbers[value eq "p0.{n}@acme.example"].type', "value": "x"}
                for n in range(99)
            ),
        ),
        "1,000 values": patch(*[{"op": "replace", "path": "roles", "value": values(100)}] * 10),
        "900 properties": patch({"op": "replace", "value": {f"k{number}": 1 for number in range(900)}}),
    }


def group_patches(member_ids: list[str]) -> dict[str, dict[str, Any]]:
    """Return bodies of a PATCH of a group with 1,000 members that are as large as is allowed."""
    by_path = [{"op": "remove", "path": f'members[value eq "{one}"]'} for one in member_ids[:100]]
    members = [{"value": one, "$ref": None, "display": "x" * 20} for one in member_ids]
    return {
        "100 removals by a filter": patch(*by_path),
        "1,000 removals by value": patch({"op": "Remove", "path": "members", "value": members}),
        "1,000 additions": patch({"op": "Add", "path": "members", "value": members}),
        "1,000 replaced": patch({"op": "replace", "path": "members", "value": members}),
        "a long filter": patch({"op": "remove", "path": "members[" + " or ".join(['value eq "x"'] * 20_000) + "]"}),
        "1,001 members": patch({"op": "Add", "path": "members", "value": [*members, *members][:1001]}),
    }


def resources(user_name: str) -> dict[str, dict[str, Any]]:
    """Return bodies of users and groups that are large."""
    everything = {name: values(100) for name in ATTRIBUTES}
    return {
        "a user with 700 values": {"schemas": [USER], "userName": user_name, **everything},
        "a user with 20,000 addresses": {"schemas": [USER], "userName": user_name, "emails": values(20_000)},
        "a group with 1,000 members": {"schemas": [GROUP], "displayName": "Large", "members": values(1000)},
        "a group with 20,000 members": {"schemas": [GROUP], "displayName": "Large", "members": values(20_000)},
    }
