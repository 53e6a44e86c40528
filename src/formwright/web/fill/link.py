"""Whom a fill link lets in."""

from formwright.core.access import caller
from formwright.core.access.actor import Actor
from formwright.core.storage.database import Reading
from formwright.domain.forms import service as forms
from formwright.domain.forms.model import FormNotFound


async def opened(tx: Reading, token: str) -> tuple[Actor, str]:
    """As whom its holder acts, and the form it opens; `FormNotFound` where it opens none."""
    found = await forms.open_link(tx, token)
    if found is None:
        raise FormNotFound("This link opens no form. Ask the person who sent it for a new one.")
    caller.is_by(found[0])
    return found
