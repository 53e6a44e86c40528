"""The kinds of background work that accounts can have."""

from enum import StrEnum


class WorkKind(StrEnum):
    """A kind of background work, which one loop of a worker does."""

    WEBHOOK = "WEBHOOK"
    MAIL = "MAIL"
    PULL = "PULL"
    TASK = "TASK"
    INVITE = "INVITE"
    IMPORT = "IMPORT"
    INDEX = "INDEX"
    # After WEBHOOK in alphabetical order, in which rows are locked: a delivery worker settles WEBHOOK first.
    WEBHOOK_ALERT = "WEBHOOK_ALERT"
    TRASH = "TRASH"
    EXPORT = "EXPORT"
    DOWNLOAD = "DOWNLOAD"
    SUBMISSION_ALERT = "SUBMISSION_ALERT"
    RECEIPT = "RECEIPT"
