"""The process that creates PDF documents is stopped when it needs too much, and reads nothing but its own files."""

import pytest

from formwright.core.pdf import compiler
from formwright.core.pdf.compiler import PdfFailed, PdfTooDemanding, compile_pdf

LONG_LOOP = "#for _ in range(9000) { for _ in range(9000) { let _ = calc.sin(1) } }"


@pytest.mark.parametrize("template", [LONG_LOOP, "#range(1000000000).len()"], ids=["time", "memory"])
def test_a_demanding_document_is_stopped(template: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "CPU_S", 1)
    with pytest.raises(PdfTooDemanding):
        compile_pdf(template, {}, {}, [])


@pytest.mark.parametrize(
    "template", ['#read("/etc/passwd")', '#read("../../etc/passwd")', '#import "@preview/cetz:0.3.0"', "#panic(1)"]
)
def test_a_template_reads_no_other_files(template: str) -> None:
    with pytest.raises(PdfFailed):
        compile_pdf(template, {}, {}, [])
