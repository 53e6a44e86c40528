"""Temporary links to files, for pages that show them."""

from dataclasses import asdict
from urllib.parse import urlencode

from formwright.context import AppContext


def sign_file_url(ctx: AppContext, customer_id: str, file_id: str) -> str:
    """Return a link to a file of the account that is valid for 15 minutes."""
    return f"/files/{file_id}?{urlencode(asdict(ctx.file_links.sign(customer_id, file_id, ctx.clock.now())))}"
