"""The account's logo and the stylesheet with its accent color, which fill pages and emails load."""

from formwright.core.colors import AccentShades, dark_shades, is_color, light_shades
from formwright.domain.customers.branding import MEDIA_TYPES, find_logo
from formwright.web.http import NotFoundException, Response, get
from formwright.web.page import PublicPage

# The names of the files depend on their content, so a copy never becomes outdated.
_HEADERS = {"cache-control": "public, max-age=31536000, immutable", "content-security-policy": "default-src 'none'"}


@get("/fill/branding/{color:str}")
async def accent_stylesheet(page: PublicPage, color: str) -> Response:
    """The stylesheet of an accent color, such as `2355c8.css`: its shades for light and dark pages."""
    accent = "#" + color.removesuffix(".css")
    if not color.endswith(".css") or not is_color(accent):
        raise NotFoundException
    light, dark = _declarations(light_shades(accent)), _declarations(dark_shades(accent))
    # The same selectors as in `static/tokens.css`, which comes before.
    text = (
        f':root {{ {light} }}\n@media screen {{ :root[data-theme="dark"] {{ {dark} }} }}\n'
        f'@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}\n'
    )
    return Response(text, media_type="text/css", headers=_HEADERS)


def _declarations(shades: AccentShades) -> str:
    return (
        f"--accent: {shades.accent}; --accent-strong: {shades.strong}; --accent-soft: {shades.soft};"
        f" --on-accent: {shades.on_accent};"
    )


@get("/fill/branding/{customer_id:str}/{name:str}")
async def logo(page: PublicPage, customer_id: str, name: str) -> Response:
    """The logo with this file name: a PNG or JPEG that the server has written itself, never the uploaded file."""
    async with page.ctx.db.reading() as tx:
        content = await find_logo(tx, customer_id, name)
    if content is None:
        raise NotFoundException
    return Response(content, media_type=MEDIA_TYPES[name.rpartition(".")[2]], headers=_HEADERS)
