"""Compiles PDF documents: runs the compiler process and returns its output."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec

from formwright.core.errors import Unavailable
from formwright.core.pdf.job import Job

CPU_S = 30
MEMORY = 2 << 30
"""Bytes of address space, most of which are the compiler itself and the fonts, which are mapped and not copied."""
_TIMEOUT_FACTOR = 4
"""Seconds of wall-clock time per second of processor time, because the machine may be busy."""
_compiler_slots = threading.BoundedSemaphore(2)
"""At most two compilers run at once per server process."""
_STOPPED = {-signal.SIGABRT, -signal.SIGKILL, -signal.SIGXCPU, -signal.SIGSEGV}


class PdfTooDemanding(Unavailable):
    """The compiler exceeded its limits of memory or time."""

    code = "pdf.too_demanding"
    detail = "The PDF needs more time or memory than is allowed. Remove large photos, or download the data instead."


class PdfFailed(RuntimeError):
    """The template cannot be compiled, which is an error of ours; the text is the compiler's message."""


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
    """Run the compiler process. Images may be malicious, so it inherits no environment and no open files."""
    paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 - an empty path is the working directory.
    code = f"import sys; sys.path[:] = {paths!r}; from formwright.core.pdf.process import main; main()"
    try:
        with _compiler_slots:
            completed = subprocess.run(  # noqa: S603
                [sys.executable, "-I", "-S", "-c", code, str(MEMORY), str(CPU_S)],
                input=msgspec.msgpack.encode(job),
                capture_output=True,
                env={name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
                timeout=_TIMEOUT_FACTOR * CPU_S,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise PdfTooDemanding() from None
    if completed.returncode in _STOPPED:
        raise PdfTooDemanding()
    if completed.returncode:
        raise PdfFailed(completed.stderr.decode(errors="replace")[-2000:])
    return completed.stdout
