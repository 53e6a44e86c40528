"""The kinds of background work that accounts can have."""

from enum import StrEnum


class WorkKind(StrEnum):
    """A kind of background work, which one loop of a worker does."""

    WEBHOOK = "WEBHOOK"
    MAIL = "MAIL"
    PULL = "PULL"
    TASK = "TASK"
    INVITE = "INVITE"
    INDEX = "INDEX"
