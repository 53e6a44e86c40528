"""The branding of an account: logo, accent color and sender name."""

import base64
import hashlib
from dataclasses import dataclass, replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.colors import is_color
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.events import AuditNote, changed_properties
from formwright.core.images import ScaledImage, scale_image
from formwright.core.offload import offload
from formwright.domain.customers import service, store
from formwright.domain.customers.models import Customer

MAX_LOGO_SIZE = 2 << 20
MAX_SENDER_NAME = 100
_EDGE = 600
# A small file can have billions of pixels, which would take gigabytes of memory once decoded.
_MAX_PIXELS = 25_000_000
_EXTENSIONS = {"image/png": "png", "image/jpeg": "jpg"}
MEDIA_TYPES = {extension: media_type for media_type, extension in _EXTENSIONS.items()}


@dataclass(frozen=True, slots=True)
class Branding:
    """The branding to save. `accent_color` is empty for the default; `logo` None keeps the current one."""

    accent_color: str
    sender_name: str
    logo: ScaledImage | None = None
    remove_logo: bool = False


async def scale_logo(content: bytes) -> ScaledImage:
    """Return the logo as a new PNG or JPEG of at most 600 pixels, never the uploaded file itself.

    Raises `Invalid` if it cannot be read as an image. SVG is rejected, because it can contain scripts.
    """
    scaled = await offload(scale_image, content, _EDGE, _MAX_PIXELS) if len(content) <= MAX_LOGO_SIZE else None
    if scaled is None:
        text = "Choose a PNG, JPEG, WebP or GIF image of at most 2 MB. SVG isn’t accepted."
        raise Invalid.at("/logo", "value.format", text)
    return scaled


async def change(tx: WriteTransaction, actor: Actor, new: Branding) -> Customer:
    """Save the branding of the account. Raises `Invalid` with all errors."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.CUSTOMER_EDIT)
    before = await service.get(tx, actor)
    if faults := _validate(new):
        raise Invalid(faults)
    logo = "" if new.remove_logo else _file_name(new.logo) if new.logo else before.logo
    after = replace(before, accent_color=new.accent_color, sender_name=new.sender_name.strip(), logo=logo)
    if after == before:
        return before
    after = replace(after, updated=now, revision=before.revision + 1)
    if logo != before.logo:
        content = base64.b64encode(new.logo.content).decode() if new.logo and logo else ""
        await store.replace_logo(tx, scope, logo, content)
    await store.update(tx, after)
    tx.audit(AuditNote(after.id, "customer.updated", after.id, after.name, changed_properties(before, after)))
    return after


async def change_logo(tx: WriteTransaction, actor: Actor, logo: ScaledImage | None) -> Customer:
    """Replace the logo of the account, or remove it, and keep the rest of the branding."""
    before = await service.get(tx, actor)
    return await change(tx, actor, Branding(before.accent_color, before.sender_name, logo, remove_logo=logo is None))


def _file_name(logo: ScaledImage) -> str:
    return f"{hashlib.sha256(logo.content).hexdigest()[:32]}.{_EXTENSIONS[logo.type]}"


def _validate(new: Branding) -> list[ValidationFault]:
    faults, name = [], new.sender_name.strip()
    if new.accent_color and not is_color(new.accent_color):
        faults.append(ValidationFault("/accentColor", "value.format", "Enter a color such as #2355c8."))
    if len(name) > MAX_SENDER_NAME:
        detail = f"Enter at most {MAX_SENDER_NAME} characters."
        faults.append(ValidationFault("/senderName", "value.too_long", detail))
    # Mail programs show the name instead of the address, so it must not look like another address.
    if any(letter in '@<>"' or not letter.isprintable() for letter in name):
        detail = "Enter a name without @, quotation marks and angle brackets."
        faults.append(ValidationFault("/senderName", "value.format", detail))
    return faults


async def find_logo(tx: ReadTransaction, customer_id: str, file_name: str) -> bytes | None:
    """Return the logo with this file name. Logos are public, because everyone who gets a form or an email sees them."""
    content = await store.find_logo(tx, Scope(customer_id), file_name) if file_name else None
    return base64.b64decode(content) if content else None
