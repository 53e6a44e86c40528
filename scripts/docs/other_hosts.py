"""Finds what a built page would load from another host. The site has to work without a network."""

import re
from collections.abc import Iterator
from pathlib import Path

_LOADS = {
    ".html": re.compile(r"<(?!a\s)\w+\s[^>]*?(?:src|srcset|href|data)=[\"'](?:https?:)?//[^>]*>", re.IGNORECASE),
    ".css": re.compile(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^)\s]*", re.IGNORECASE),
}


def find_other_hosts(site: Path) -> Iterator[str]:
    """Yield each element and style that loads from another host, with the file that contains it. Links are no loads."""
    for path in sorted(site.rglob("*")):
        if loads := _LOADS.get(path.suffix):
            for match in loads.finditer(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(site)}: {match[0]}"
