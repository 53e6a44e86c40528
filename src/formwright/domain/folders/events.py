"""Events of folders. Creating and changing a folder records none."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.folders.models import Folder


@dataclass(frozen=True, slots=True)
class FolderEvent(Event):
    """Base of these events."""

    folder: Folder


@dataclass(frozen=True, slots=True)
class FolderDeleted(FolderEvent):
    """A folder was moved to the trash with everything in it."""

    type = "folder.deleted"


@dataclass(frozen=True, slots=True)
class FolderRestored(FolderEvent):
    """A folder was restored with everything in it."""

    type = "folder.restored"
