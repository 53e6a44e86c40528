"""What is overtaken, too much or of another type, and what fails on our side."""

from formwright.api.problems.entry import ProblemCode

LIMITS = (
    ProblemCode(
        "precondition.failed",
        412,
        "The resource is no longer as `If-Match` says: somebody changed it meanwhile.",
        "Read it again, apply your change to what it is now, and send that with the new `ETag`.",
    ),
    ProblemCode(
        "body.too_large",
        413,
        "The body is larger than 10 MiB or, for the page in which a form is filled, larger than any answers to this "
        "form can be ([limits](conventions.md#limits)).",
        "Send less at once.",
    ),
    ProblemCode(
        "body.too_complex",
        413,
        "The body holds more than 100,000 values, lists and objects included (1,000,000 with the rows of a "
        "datasource; for the page in which a form is filled, as many as answers to its fields can have).",
        "Send less at once; send rows as CSV.",
    ),
    ProblemCode(
        "file.too_large", 413, "A file has more than 100 MiB, or one of rows more than 256 MiB.", "Send a smaller one."
    ),
    ProblemCode(
        "body.media_type",
        415,
        "The body is not declared as what the endpoint takes, or it is compressed.",
        "Send `Content-Type: application/json`, uncompressed. An XLSForm is sent as "
        "`application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` or `application/vnd.ms-excel`, rows as "
        "one of these or as `text/csv`.",
    ),
    ProblemCode(
        "file.range",
        416,
        "The part of the file that `Range` asks for begins behind its end.",
        "`Content-Range` of the answer says how long the file is.",
    ),
    ProblemCode(
        "host.unknown",
        421,
        "The `Host` header names a host that is not one of this server.",
        "Call the server by its public address. The operator adds further names to "
        "[`FORMWRIGHT_ALLOWED_HOSTS`](settings.md).",
    ),
    ProblemCode(
        "request.invalid",
        422,
        "The body was understood and cannot be accepted.",
        "Mend what `errors` names. Nothing was changed.",
    ),
    ProblemCode("sign_in.too_many", 429, "Guessing is slowed. Met in the pages.", "Wait as long as the page says."),
    ProblemCode(
        "rate.exceeded",
        429,
        "The key has asked as often as it may within a minute.",
        "Wait `Retry-After` seconds. `RateLimit` in each answer says what is left; the operator sets the limit "
        "([FORMWRIGHT_RATE_LIMIT](settings.md)).",
    ),
    ProblemCode(
        "rate.unknown_keys",
        429,
        "More than 60 requests with unknown keys came from one address within a minute. Keys that are known are "
        "served on.",
        "Check the key; wait a minute.",
    ),
    ProblemCode(
        "fill.rate_exceeded",
        429,
        "Too many requests came to a fill link from one address, or for one link, within a minute. Met in the page "
        "that fills a form, which keeps the answers and tries again.",
        "Wait `Retry-After` seconds. The operator sets the limit ([FORMWRIGHT_FILL_RATE_LIMIT](settings.md)).",
    ),
    ProblemCode(
        "fill.quota_exceeded",
        429,
        "A form's link, or an account through all its links, has received as much as it may in a day. Met in the page "
        "that fills a form, which keeps the answers and tries again. The audit log names the form.",
        "Wait `Retry-After` seconds. The operator sets the quotas ([FORMWRIGHT_LINK_DAILY_MIB and its "
        "neighbours](settings.md)).",
    ),
    ProblemCode("server.error", 500, "Something is broken here.", "Tell the operator the `requestId`."),
    ProblemCode(
        "database.unavailable",
        503,
        "The database cannot be reached or is held by somebody else. Nothing was changed; where the connection was "
        "lost in the middle of a commit, `detail` says that this is not known.",
        "Try again after `Retry-After`, a POST with the same `Idempotency-Key`. The operator looks at the database.",
    ),
    ProblemCode(
        "storage.full",
        503,
        "The disk is almost full: uploads and submissions are refused so that everything else goes on. Nothing was "
        "changed.",
        "Try again after `Retry-After`. The operator makes room ([FORMWRIGHT_MIN_FREE_MIB](settings.md)).",
    ),
    ProblemCode(
        "request.timeout",
        503,
        "Answering took longer than the operator allows (60 seconds where nothing was set), and was given up; "
        "what it had begun is rolled back, unless just then it is being committed together with others.",
        "Ask for less at once: a smaller `limit`, fewer conditions. Or send it again later, a POST with the same "
        "`Idempotency-Key`.",
    ),
    ProblemCode(
        "files.unavailable",
        503,
        "The folder or bucket in which files are kept does not do as asked. Nothing was changed.",
        "Try again after `Retry-After`. The operator looks at it ([FORMWRIGHT_FILES_URL](settings.md)).",
    ),
    ProblemCode(
        "service.unavailable",
        503,
        "The service cannot do it right now. The kind of `database.unavailable`; no other is answered yet.",
        "Try again after `Retry-After`.",
    ),
)
