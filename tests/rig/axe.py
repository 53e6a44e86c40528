"""axe-core looks at a page: WCAG 2.1, levels A and AA."""

from pathlib import Path
from typing import Any

from playwright.async_api import Page

_SCRIPT = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async () => {
  const found = await axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"]});
  return found.violations.map(({id, impact, help, nodes}) =>
    ({id, impact, help, where: nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + " | " + node.failureSummary)}));
}"""  # noqa: E501
GRAVE = {"serious", "critical"}


async def bring(page: Page) -> None:
    """To be called before the page goes anywhere."""
    await page.context.add_init_script(path=_SCRIPT)


async def faults(page: Page) -> list[dict[str, Any]]:
    """What is wrong on this page, grave faults only: each with its rule and the first places."""
    found: list[dict[str, Any]] = await page.evaluate(_RUN)
    return [fault for fault in found if fault["impact"] in GRAVE]
