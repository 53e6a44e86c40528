"""Temporary links to files, for pages that show them."""

from formwright.context import AppContext


def sign_file_url(ctx: AppContext, customer_id: str, file_id: str) -> str:
    """Return a link to a file of the account that is valid for 15 minutes."""
    return ctx.file_links.sign(customer_id, file_id, ctx.clock.now()).path(file_id)


def sign_media_url(ctx: AppContext, customer_id: str, file_id: str) -> str:
    """Return the link to a media file of a form of the account, which is always the same."""
    # Pages are kept offline together with their media, so these links must not expire.
    return ctx.file_links.sign_permanently(customer_id, file_id)


def sign_thumbnail_url(ctx: AppContext, customer_id: str, file_id: str) -> str:
    """Return a link to the thumbnail of a photo of the account that is valid for 15 minutes."""
    return ctx.file_links.sign(customer_id, file_id, ctx.clock.now()).thumbnail_path(file_id)
