"""Compiles PDF documents: runs the compiler process and returns its output."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from formwright.core.child_process import LimitsExceeded, run_limited
from formwright.core.errors import Unavailable
from formwright.core.pdf.job import Failure, Job

CPU_S = 30
MEMORY = 2 << 30
"""Bytes of address space, most of which are the compiler itself and the fonts, which are mapped and not copied."""


class PdfTooDemanding(Unavailable):
    """The compiler exceeded its limits of memory or time."""

    code = "pdf.too_demanding"
    detail = "The PDF needs more time or memory than is allowed. Remove large photos, or download the data instead."


class PdfFailed(RuntimeError):
    """The template cannot be compiled: the compiler's `reason`, and the `line` of the template, or 0 if unknown."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason, self.line = reason, line


def compile_pdf(template: str, data: Mapping[str, object], images: Mapping[str, bytes], fonts: list[Path]) -> bytes:
    """Return the PDF of a template, which reads `data` from `sys.inputs.data` as JSON and images by their name.

    Images are scaled down to what a printed page can show; those that cannot be read are left out of the list `images`
    in the data. This blocks until a separate process is done, so call it in a thread. Raises `PdfTooDemanding`.
    """
    with tempfile.TemporaryDirectory(prefix="formwright-pdf-") as folder:
        for name, content in images.items():
            Path(folder, name).write_bytes(content)
        job = Job(template, msgspec.json.encode(data).decode(), list(images), folder, [str(path) for path in fonts])
        return _run(job)


def _run(job: Job) -> bytes:
    streams = {"input": msgspec.msgpack.encode(job), "capture_output": True}
    try:
        completed = run_limited("formwright.core.pdf.process", str(MEMORY), str(CPU_S), cpu_s=CPU_S, **streams)
    except LimitsExceeded:
        raise PdfTooDemanding() from None
    if completed.returncode:
        raise _read_failure(completed.stderr)
    return completed.stdout


def _read_failure(written: bytes) -> PdfFailed:
    try:
        failure = msgspec.json.decode(written, type=Failure)
    except msgspec.MsgspecError:  # The process itself failed.
        return PdfFailed(written.decode(errors="replace")[-2000:], 0)
    return PdfFailed(failure.reason, failure.line)
