"""Labels of the audit log."""

from formwright.domain.audit.models import AuditActor, AuditActorType

RESOURCE_LABELS = {
    "submission": "Submissions",
    "comment": "Comments",
    "view": "Saved views",
    "export": "Exports",
    "run": "Export runs",
    "form": "Forms",
    "version": "Form versions",
    "template": "Templates",
    "question_block": "Question library",
    "folder": "Folders",
    "datasource": "Data sources",
    "file": "Files",
    "task": "Tasks",
    "invite": "Invites",
    "user": "People",
    "group": "Groups",
    "role": "Roles",
    "key": "API keys",
    "subscriber": "Webhooks",
    "invocation": "Webhook deliveries",
    "customer": "Account",
    "identity_provider": "Identity providers",
    "provisioning": "Provisioning",
    "domain": "Domains",
}
"""The resource types to filter by."""

_SINGULAR_LABELS = {
    "view": "saved view",
    "question_block": "question block",
    "datasource": "data source",
    "key": "API key",
    "subscriber": "webhook",
    "invocation": "delivery",
    "customer": "account",
    "user": "person",
}
_VERB_LABELS = {"created": "Created", "updated": "Updated", "deleted": "Deleted"}
_ACTION_LABELS = {
    "user.signed_in": "Signed in",
    "user.signed_in_with_password": "Signed in with a password although single sign-on is required",
    "user.signed_out": "Signed out",
    "user.sign_in_failed": "Failed to sign in",
    "user.created": "Added a person",
    "user.erased": "Erased a person’s data",
    "user.erasure_begun": "Started erasing a person’s data",
    "user.exported": "Exported a person’s data",
    "user.invited": "Resent an invitation",
    "subscriber.tested": "Sent a test event to a webhook",
    "subscriber.failing": "Reported a failing webhook",
    "subscriber.disabled": "Disabled a webhook",
    "subscriber.retried": "Retried the failed deliveries of a webhook",
    "subscriber.replayed": "Replayed events to a webhook",
    "subscriber.secret_rotated": "Rotated the secret of a webhook",
    "customer.created": "Created the account",
    "customer.updated": "Updated the account",
    "provisioning.enabled": "Switched provisioning on",
    "provisioning.rotated": "Replaced the provisioning token",
    "provisioning.disabled": "Switched provisioning off",
    "identity_provider.created": "Added an identity provider",
    "identity_provider.updated": "Updated an identity provider",
    "identity_provider.deleted": "Removed an identity provider",
    "identity_provider.sign_in_failed": "Failed to sign in with an identity provider",
    "feed.enabled": "Switched on the feed",
    "feed.disabled": "Switched off the feed",
    "customer.limit_reached": "Account reached a daily link limit",
    "form.limit_reached": "Form link reached a daily limit",
    "file.uploaded": "Uploaded a file",
    "form.media_added": "Added a media file to a form",
    "form.media_removed": "Removed a media file from a form",
    "import.created": "Imported submissions",
    "datasource.imported": "Imported rows",
    "datasource.failed": "Scheduled import failed",
    "datasource.refreshed": "Requested a scheduled import",
    "invite.created": "Invited a person",
    "invite.started": "Started filling in an invite",
    "invite.completed": "Completed an invite",
    "invite.failed": "Failed to deliver an invite",
    "invite.resent": "Resent an invite",
    "invite.link_created": "Created a link for an invite",
    "export.run": "Started an export",
    "export.tested": "Tested the destination of an export",
    "export.completed": "Export completed",
    "export.failed": "Export failed",
    "submission.started": "Started a submission",
    "submission.submitted": "Submitted a form",
    "comment.created": "Commented on a submission",
}


def describe_action(action: str) -> str:
    """Return `Changed a form` for `form.updated`."""
    if action in _ACTION_LABELS:
        return _ACTION_LABELS[action]
    noun, _, verb = action.partition(".")
    resource = _SINGULAR_LABELS.get(noun, noun.replace("_", " "))
    article = "an" if resource[:1].lower() in "aei" else "a"
    return f"{_VERB_LABELS.get(verb, verb.replace('_', ' ').capitalize())} {article} {resource}"


def describe_actor(actor: AuditActor) -> str:
    """Return the name that the actor had at the time."""
    match actor.type:
        case AuditActorType.LINK:
            return "Someone with the link"
        case AuditActorType.NOBODY:
            return "Someone not signed in"
        case AuditActorType.KEY:
            return f"{actor.name or 'A key'} (API key)"
    return actor.name or "Someone"
