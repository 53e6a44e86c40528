"""Prometheus, as far as a test needs it: asks for the figures and reads them."""

import httpx
from prometheus_client.parser import text_string_to_metric_families


class Figures:
    """What was told, by name (without its first word) and labels. What was not told is 0."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._samples = {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    def of(self, name: str, **labels: str) -> float:
        return self._samples.get((f"formwright_{name}", tuple(sorted(labels.items()))), 0.0)


async def figures_of(port: int) -> Figures:
    """What is told now on this port."""
    async with httpx.AsyncClient(verify=False) as http:
        answer = await http.get(f"http://127.0.0.1:{port}/metrics")
    assert answer.status_code == 200, answer.text
    return Figures(answer.text)
