"""What stands in the audit log, in plain words."""

from formwright.domain.audit.models import AuditHand, By, noun

RESOURCE_LABELS = {
    "submission": "Submissions",
    "form": "Forms",
    "version": "Versions of forms",
    "template": "Templates",
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
    "invocation": "Deliveries of webhooks",
    "customer": "The account",
}
"""What can be asked for, by the noun of the action."""

_SINGULAR_LABELS = {
    "datasource": "data source",
    "key": "API key",
    "subscriber": "webhook",
    "invocation": "delivery",
    "customer": "account",
    "user": "person",
}
_VERB_LABELS = {"created": "Made", "updated": "Changed", "deleted": "Deleted"}
_ACTION_LABELS = {
    "user.signed_in": "Signed in",
    "user.signed_out": "Signed out",
    "user.sign_in_failed": "Tried to sign in",
    "user.created": "Added a person",
    "user.erased": "Erased a person's data",
    "user.erasure_begun": "Began to erase a person's data",
    "user.exported": "Took a person's data out",
    "user.invited": "Invited a person again",
    "subscriber.tested": "Sent a test to a webhook",
    "subscriber.failing": "Told that a webhook has been failing",
    "subscriber.disabled": "Disabled a webhook",
    "subscriber.replayed": "Sent events to a webhook once more",
    "subscriber.secret_rotated": "Gave a webhook another secret",
    "customer.created": "Opened the account",
    "customer.updated": "Changed the account",
    "customer.limit_reached": "The account reached a daily limit of its links",
    "form.limit_reached": "The form's link reached a daily limit",
    "file.uploaded": "Added a file",
    "datasource.imported": "Imported rows",
    "datasource.failed": "Could not pull rows",
    "datasource.refreshed": "Asked for a pull",
    "invite.created": "Invited a person",
    "invite.started": "Began to fill an invite's form",
    "invite.completed": "Filled an invite's form",
    "invite.failed": "Could not deliver an invite",
    "invite.resent": "Sent an invite again",
    "submission.started": "Began to fill a form",
    "submission.submitted": "Handed in a form",
}


def describe_action(action: str) -> str:
    """`Changed a form` for `form.updated`."""
    if action in _ACTION_LABELS:
        return _ACTION_LABELS[action]
    verb = action.partition(".")[2].replace("_", " ")
    thing = _SINGULAR_LABELS.get(noun(action), noun(action).replace("_", " "))
    article = "an" if thing[:1].lower() in "aei" else "a"
    return f"{_VERB_LABELS.get(action.partition('.')[2], verb.capitalize())} {article} {thing}"


def describe_actor(hand: AuditHand) -> str:
    """Who it was, as it was called then."""
    match hand.by:
        case By.LINK:
            return "Someone with the fill link"
        case By.NOBODY:
            return "Someone who had not signed in"
        case By.KEY:
            return f"{hand.name or 'A key'} (API key)"
    return hand.name or "Someone"
