"""What is refused before it is looked up: what cannot be read, keys that are not known, what is not allowed."""

from formwright.api.problems.entry import ProblemCode

REFUSED = (
    ProblemCode(
        "request.malformed",
        400,
        "The request is not HTTP as it should be.",
        "Look at how the client builds it; use a plain HTTP client to compare.",
    ),
    ProblemCode(
        "json.malformed",
        400,
        "The body is no JSON, no UTF-8, nested too deeply, or holds a number of more than 500 digits. `detail` says "
        "which.",
        "Send one whole JSON document.",
    ),
    ProblemCode(
        "query.invalid", 400, "The query has unknown members or values that do not fit.", "Mend what `errors` names."
    ),
    ProblemCode(
        "idempotency.key",
        400,
        "`Idempotency-Key` is empty, too long, or holds other than visible ASCII characters.",
        "Send a UUID.",
    ),
    ProblemCode("key.missing", 401, "The request has no `X-Api-Key`.", "Send the key in this header."),
    ProblemCode(
        "key.unknown",
        401,
        "The key was mistyped, never existed, or was revoked.",
        "Copy it again, or make a new one under Settings, Connections, API keys.",
    ),
    ProblemCode(
        "key.ended",
        401,
        "The key's last day is over, or it was rotated and the time in which the old text still works has passed.",
        "Take the new text, or make a new key.",
    ),
    ProblemCode(
        "access.denied",
        403,
        "The role of the person does not allow it, or somebody who may do more would be changed. Met in the "
        "pages; a key may do all that the API offers.",
        "Ask the owner of the account for a role that has the permission named in `detail`.",
    ),
    ProblemCode(
        "key.read_only", 403, "The key is read-only, and the operation changes something.", "Use a key that may write."
    ),
    ProblemCode(
        "file.link_ended",
        403,
        "The link to a file is older than 15 minutes.",
        "List the files of the submission again: each has a new link.",
    ),
    ProblemCode(
        "https.required",
        403,
        "A proxy said that it was called over plain HTTP.",
        "Call the same address with `https://`.",
    ),
)
