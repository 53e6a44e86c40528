"""The text that `formwright serve` prints at startup: its URL, and how to sign in. It contains no secrets."""

import shlex

from formwright.cli.demo import EMAIL, create_demo, demo_fill_path, demo_path, has_demo
from formwright.context import AppContext
from formwright.core.clock import rfc3339
from formwright.domain.users import setup


async def welcome(ctx: AppContext, base_url: str, *, with_demo: bool) -> str:
    """Return the text for the operator.

    In an empty installation, this creates the demo account or, without `with_demo`, a link with which the first owner
    creates an account. It replaces the link of an earlier start.
    """
    if with_demo:
        await create_demo(ctx)
    lines = [f"Formwright is at {base_url}", f"  Data folder:     {ctx.settings.data_dir.resolve()}"]
    if link := await _first_owner_link(ctx):
        token, ends = link
        lines += ["  Create the first account. The link works once, until " + f"{rfc3339(ends)}:"]
        lines += [f"    {base_url}/first-owner/{token}"]
    else:
        lines += [f"  Sign in:         {base_url}/sign-in"]
    if await has_demo(ctx):
        lines += await _demo_lines(ctx, base_url)
    return "\n".join(lines)


async def _first_owner_link(ctx: AppContext) -> tuple[str, int] | None:
    async with ctx.db.writing() as tx:
        return await setup.create_link(tx)


async def _demo_lines(ctx: AppContext, base_url: str) -> list[str]:
    path, ca = demo_path(ctx), ctx.settings.data_dir / "tls" / "ca.pem"
    trust = f"--cacert {shlex.quote(str(ca))} " if base_url.startswith("https://localhost") and ca.exists() else ""
    key = f"""$(python3 -c 'import json; print(json.load(open("{path}"))["apiKey"])')"""
    return [
        f"                   as {EMAIL} with the password in {path}",
        "  Its API key:     export KEY=" + key,
        f'  Read answers:    curl {trust}-H "X-Api-Key: $KEY" {base_url}/api/v1.0/submissions',
        f"  Form to fill:    {base_url}{await demo_fill_path(ctx)}",
    ]
