"""Draws the ratios as an SVG chart: a bar for each, with its goal. The colours follow the reader's colour scheme."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from bench.rounds import Comparison

CHART = Path("docs/explanation/performance.svg")
_LABEL, _WIDTH, _ROW, _TOP, _END = 390, 400, 26, 64, 60
_NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:15px}.soft{fill:#59636e}"
    ".line{stroke:#d1d9e0}.met{fill:#1a7f37}.missed{fill:#9a6700}.goal{stroke:#1f2328;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.soft{fill:#9198a1}.line{stroke:#3d444d}"
    ".met{fill:#3fb950}.missed{fill:#d29922}.goal{stroke:#f0f6fc}}"
)


def draw(results: Sequence[Comparison]) -> str:
    """Return the chart of all results with a goal; a full bar means as fast as the baseline."""
    results_with_goal = [result for result in results if result.workload.goal is not None]
    height, width = _TOP + _ROW * len(results_with_goal) + 40, _LABEL + _WIDTH + _END
    description = "; ".join(
        f"{_label(result)} {result.cpu_ratio:.2f} of the baseline, goal {result.workload.goal}"
        for result in results_with_goal
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t d">',
        f'<title id="t">Performance relative to the baseline</title><desc id="d">{escape(description)}</desc>',
        f"<style>{_STYLE}</style>",
        '<text class="title" x="12" y="24">Relative to the baseline, by processor time</text>',
        '<text class="soft" x="12" y="44">1 is as fast as the baseline; the vertical line is the goal</text>',
        *_scale(height),
        *(part for number, result in enumerate(results_with_goal) for part in _bar(result, _TOP + _ROW * number)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _label(result: Comparison) -> str:
    return f"{_NAMES[result.database]}: {result.workload.name}"


def _scale(height: int) -> list[str]:
    marks = [(tenth / 10, _LABEL + _WIDTH * tenth // 10) for tenth in range(0, 11, 2)]
    return [
        f'<line class="line" x1="{x}" x2="{x}" y1="{_TOP - 8}" y2="{height - 32}"/>'
        f'<text class="soft" x="{x}" y="{height - 12}" text-anchor="middle">{part:g}</text>'
        for part, x in marks
    ]


def _bar(result: Comparison, y: int) -> list[str]:
    goal, length = result.workload.goal or 0, _WIDTH * min(result.cpu_ratio, 1.1)
    kind, at = ("met" if result.cpu_ratio >= goal else "missed"), _LABEL + _WIDTH * goal
    return [
        f'<text x="{_LABEL - 10}" y="{y + 13}" text-anchor="end">{escape(_label(result))}</text>',
        f'<rect class="{kind}" x="{_LABEL}" y="{y}" width="{length:.0f}" height="17" rx="3"/>',
        f'<line class="goal" x1="{at:.0f}" x2="{at:.0f}" y1="{y - 3}" y2="{y + 20}"/>',
        f'<text x="{_LABEL + max(length, _WIDTH * goal) + 8:.0f}" y="{y + 13}">{result.cpu_ratio:.2f}</text>',
    ]
