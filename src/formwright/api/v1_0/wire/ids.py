"""The ids of version 1.0: the prefix says what is named."""

from typing import Annotated

from msgspec import Meta


def _meta(prefix: str, what: str) -> Meta:
    return Meta(
        pattern=rf"^{prefix}_[0-7][0-9a-hjkmnp-tv-z]{{25}}$",
        description=f"The id of {what}.",
        examples=[f"{prefix}_01h455vb4pex5vsknk084sn02q"],
    )


CustomerId = Annotated[str, _meta("cus", "the account that owns the data")]
UserId = Annotated[str, _meta("usr", "a user")]
GroupId = Annotated[str, _meta("grp", "a group")]
RoleId = Annotated[str, _meta("rol", "a role")]
FormId = Annotated[str, _meta("frm", "a form")]
VersionId = Annotated[str, _meta("ver", "a version of a form")]
TemplateId = Annotated[str, _meta("tpl", "a template")]
FolderId = Annotated[str, _meta("fol", "a folder")]
SubmissionId = Annotated[str, _meta("sub", "a submission")]
FileId = Annotated[str, _meta("fil", "a file")]
DatasourceId = Annotated[str, _meta("dat", "a datasource")]
ImportId = Annotated[str, _meta("imp", "an import")]
TaskId = Annotated[str, _meta("tsk", "a task")]
InviteId = Annotated[str, _meta("ivt", "an invite")]
SubscriberId = Annotated[str, _meta("hook", "a subscriber")]
InvocationId = Annotated[str, _meta("inv", "an invocation")]
AuditId = Annotated[str, _meta("aud", "a line of the audit log")]
EventId = Annotated[str, _meta("evt", "an event")]

BY_PARAMETER = {
    "customerId": CustomerId,
    "userId": UserId,
    "groupId": GroupId,
    "roleId": RoleId,
    "formId": FormId,
    "versionId": VersionId,
    "templateId": TemplateId,
    "folderId": FolderId,
    "submissionId": SubmissionId,
    "datasourceId": DatasourceId,
    "taskId": TaskId,
    "inviteId": InviteId,
    "subscriberId": SubscriberId,
    "invocationId": InvocationId,
    "eventId": EventId,
}
"""The type of each id in a path, by the name it has there."""
