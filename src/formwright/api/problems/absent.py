"""What is not there, or not in this way."""

from formwright.api.problems.entry import ProblemCode

ABSENT = (
    ProblemCode("route.not_found", 404, "There is no such path.", "Compare with `/api/v1.0/openapi.json`."),
    ProblemCode(
        "customer.not_found",
        404,
        "The `customerId` is not the account of the key.",
        "`GET /api/v1.0/customers` names the right one.",
    ),
    ProblemCode(
        "user.not_found",
        404,
        "No such user in this account. In `errors`: an id in the body names nobody.",
        "List the users: `GET /api/v1.0/customers/{customerId}/users`.",
    ),
    ProblemCode(
        "group.not_found",
        404,
        "No such group in this account. In `errors`: a `groups` entry names none.",
        "List them: `GET …/customers/{customerId}/groups`.",
    ),
    ProblemCode(
        "role.not_found",
        404,
        "No such role in this account. In `errors`: a `roleId` names none.",
        "List them: `GET …/customers/{customerId}/roles`.",
    ),
    ProblemCode(
        "form.not_found",
        404,
        "No such form in this account. In `errors`: a `formIds` entry names none.",
        "List the forms: `GET /api/v1.0/forms/customer/{customerId}/forms`.",
    ),
    ProblemCode(
        "form.version.not_found", 404, "The form has no such version.", "List them: `GET …/forms/{formId}/versions`."
    ),
    ProblemCode(
        "form.lookup.not_found",
        404,
        "The form has no lookup of this name. Met while filling a form.",
        "Load the page again.",
    ),
    ProblemCode(
        "template.not_found",
        404,
        "There is no such template, neither in this account nor among the global ones. In `errors`: a "
        "`templateId` names none.",
        "List them: `GET …/templates`.",
    ),
    ProblemCode(
        "folder.not_found",
        404,
        "No such folder in this account. In `errors`: a `folderId` or `parentId` names none.",
        "List them: `GET …/folders`.",
    ),
    ProblemCode(
        "submission.not_found", 404, "No such submission in this account.", "Check the id; it begins with `sub_`."
    ),
    ProblemCode(
        "file.not_found",
        404,
        "There is no such file, or the link to it was changed or cut off.",
        "List the files of the submission again: each has a whole link.",
    ),
    ProblemCode(
        "file.content_missing",
        404,
        "The file is known, and its content is not where files are kept.",
        "Tell the operator: something was removed from the folder or the bucket ([FORMWRIGHT_FILES_URL](settings.md)).",
    ),
    ProblemCode(
        "session.not_found",
        404,
        "This session has ended already. Met in the pages.",
        "Nothing: nobody is signed in there.",
    ),
    ProblemCode(
        "person.nothing_found",
        404,
        "Nothing is kept of this person. Met in the pages and on the command line.",
        "Look at how the person is named.",
    ),
    ProblemCode(
        "user.link.ended",
        404,
        "A link to set a password was used, has ended, or was replaced by a newer one. Met in the pages.",
        "Ask for a new one.",
    ),
    ProblemCode("mail.not_found", 404, "No such mail in this account. Met in the pages.", "Open Settings › Mail."),
    ProblemCode(
        "datasource.upload.not_found",
        404,
        "The file is no longer there: files wait for an hour. Met in the pages.",
        "Choose the file once more.",
    ),
    ProblemCode(
        "datasource.not_found", 404, "No such datasource in this account.", "List them: `GET /api/v1.0/datasources`."
    ),
    ProblemCode(
        "invite.not_found", 404, "No invite has this id.", "List them: `GET /api/v1.0/customers/{customerId}/invites`."
    ),
    ProblemCode(
        "task.not_found",
        404,
        "No task has this `id` or `externalId`.",
        "List them: `GET /api/v1.0/customers/{customerId}/tasks`.",
    ),
    ProblemCode("subscriber.not_found", 404, "No such subscriber in this account.", "List them: `GET …/subscribers`."),
    ProblemCode(
        "invocation.not_found",
        404,
        "This subscriber has no such invocation.",
        "List them: `GET …/subscribers/{subscriberId}/invocations`.",
    ),
    ProblemCode("event.not_found", 404, "The account's log has no such event.", "Check the id; it begins with `evt_`."),
    ProblemCode(
        "key.not_found",
        404,
        "No such key in this account. Met in the pages and on the command line.",
        "List them: `formwright keys list`.",
    ),
    ProblemCode(
        "method.not_allowed",
        405,
        "The path does not take this method.",
        "The header `Allow` names those that it takes.",
    ),
    ProblemCode(
        "accept.not_acceptable",
        406,
        "`Accept` does not allow what this endpoint answers with.",
        "Allow `application/json`, for an XLSForm its own type, or leave the header out.",
    ),
    ProblemCode(
        "body.too_slow",
        408,
        "The body took longer than 30 seconds and one more for each KiB of it.",
        "Send it whole, over a connection that holds; look for a proxy that stalls.",
    ),
)
