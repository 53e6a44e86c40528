"""Enforces the limits of a form's public link, in the transaction that stores the response.

The number of responses is kept in a row per form, as long as the form has a limit: counting the submissions would take
longer with each of them. The account lock makes concurrent responses wait for each other.
"""

import re

from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid
from formwright.domain.forms.links import link_limit_store as store
from formwright.domain.forms.models import Form
from formwright.domain.forms.public_link import DeviceAnswered, LinkFull, LinkRefused, OnePer, check_period

_DEVICE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


async def check_accepting(tx: ReadTransaction, form: Form, now: int) -> None:
    """Raise `LinkNotOpen`, `LinkClosed` or `LinkFull` if the link accepts no response at this time."""
    check_period(form.public_link, now)
    count = await count_responses(tx, form)
    if count is not None and count >= (form.public_link.max_responses or 0):
        raise LinkFull()


async def find_refusal(tx: ReadTransaction, form: Form, now: int) -> LinkRefused | None:
    """Return the error that `check_accepting` would raise, or None."""
    try:
        await check_accepting(tx, form, now)
    except LinkRefused as error:
        return error
    return None


async def has_answered(tx: ReadTransaction, form: Form, device: str) -> bool:
    """Whether a response has been sent from this device, and still exists."""
    is_device = _DEVICE.fullmatch(device) is not None
    return is_device and await store.has_device(tx, form.customer_id, form.id, device)


async def count_responses(tx: ReadTransaction, form: Form) -> int | None:
    """Return how many responses count towards the limit, or None if there is no limit."""
    return await store.find_count(tx, form.customer_id, form.id) if form.public_link.max_responses else None


async def admit_response(
    tx: WriteTransaction, form: Form, *, submission_id: str, is_invited: bool, device: str | None
) -> None:
    """Count a response that is about to be submitted. The caller holds the account lock.

    `device` is the random id that the page has for this browser and form. Raises `LinkNotOpen`, `LinkClosed`,
    `LinkFull` or `DeviceAnswered`, or `Invalid` if the form accepts one response per device and `device` is missing.
    """
    link = form.public_link
    check_period(link, tx.now())
    if link.one_per is OnePer.DEVICE and not is_invited:
        if device is None or not _DEVICE.fullmatch(device):
            raise Invalid.at("/device", "submission.device", "The id of the device must be a UUID in lower case.")
        if not await store.add_device(tx, form.customer_id, form.id, device, submission_id):
            raise DeviceAnswered()
    if link.max_responses is not None and not await store.count_up(tx, form.customer_id, form.id, link.max_responses):
        raise LinkFull()


async def apply_limit(tx: WriteTransaction, form: Form) -> None:
    """Start or stop counting, after the limits have changed. The caller holds the account lock."""
    await store.stop_counting(tx, form.customer_id, form.id)
    if form.public_link.max_responses is not None:
        await store.start_counting(tx, form.customer_id, form.id)


async def release_response(
    tx: WriteTransaction, customer_id: str, *, form_id: str, submission_id: str, is_counted: bool
) -> None:
    """Let another response take the place of a deleted one. The caller holds the account lock."""
    await store.remove_devices(tx, customer_id, submission_id)
    if is_counted:
        await store.count_down(tx, customer_id, form_id)
