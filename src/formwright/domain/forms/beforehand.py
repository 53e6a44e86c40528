"""Answers that are given before anybody fills the form: they need not be all, but what is there has to fit."""

from collections.abc import Mapping

from formwright.core.access.actor import Actor
from formwright.core.kernel.errors import Fault, Invalid
from formwright.core.storage.database import Reading
from formwright.domain.forms import answers
from formwright.domain.forms.lookups import filtered, left_out, looked_up, unknown
from formwright.domain.forms.model import Version
from formwright.domain.forms.prefilling import prefilled


async def filled_beforehand(
    tx: Reading, actor: Actor, version: Version, data: Mapping[str, object]
) -> tuple[dict[str, object], list[Fault]]:
    """The data with what the rows that it names fill in, and all that is wrong with it; pointers begin with `/data`."""
    try:
        found = [fault for fault in (await answers.judge(version, data))[1] if fault.code != "value.required"]
    except Invalid as error:
        return dict(data), list(error.faults)
    rows = await looked_up(tx, actor, version, data)
    if found := found + unknown(version, rows):
        return dict(data), found
    whole = await prefilled(version, data, rows)
    return whole, filtered(version, left_out(version, (await answers.judge(version, whole))[0], rows))
