"""The compiler process: reads a job from standard input, and writes the PDF to standard output."""

import json
import os
import re
import sys
from pathlib import Path

import msgspec
import typst

from formwright.core.child_process import limit_this_process
from formwright.core.images import scale_image
from formwright.core.pdf.job import Failure, Job

_MAX_PIXELS = 80_000_000
_EDGE = 1600
"""The longest edge of an image in pixels: 240 dots per inch at the width of the text."""


def main() -> None:
    """Limit this process to the memory and processor time of its arguments, and run the job."""
    limit_this_process(memory=int(sys.argv[1]), cpu_s=int(sys.argv[2]))
    # Templates may import packages, which Typst would download. There is no proxy at this address, so that fails.
    os.environ.update(dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"))
    job = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Job)
    try:
        pdf = compile_job(job)
    except typst.TypstError as error:
        sys.exit(msgspec.json.encode(_describe(error, job.folder)).decode())
    sys.stdout.buffer.write(pdf)


def _describe(error: typst.TypstError, folder: str) -> Failure:
    """Return the first error, without the name of the temporary folder."""
    # Warnings may come first.
    line = re.search(r"^error:.*?main\.typ:(\d+)", str(error.diagnostic), re.DOTALL | re.MULTILINE)
    reason = str(error).partition("\n")[0].replace(folder, "").partition(" (searched at")[0]
    if reason.startswith("failed to download package"):
        reason = "packages cannot be imported"
    return Failure(reason[:500], int(line[1]) if line else 0)


def compile_job(job: Job) -> bytes:
    """Return the PDF."""
    folder = Path(job.folder)
    scaled = [name for name in job.images if _scale(folder / name)]
    Path(folder, "main.typ").write_text(job.template, encoding="utf-8")
    data = json.loads(job.data) | {"images": scaled}
    pdf: bytes = typst.compile(
        str(folder / "main.typ"),
        root=job.folder,
        font_paths=job.fonts,
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data)},
        # Templates may not load packages, which would be downloaded.
        package_path=job.folder,
        package_cache_path=job.folder,
    )
    return pdf


def _scale(file: Path) -> bool:
    """Replace an image by a smaller one. Return whether it can be read."""
    scaled = scale_image(file.read_bytes(), _EDGE, _MAX_PIXELS)
    if scaled:
        file.unlink()
        file.write_bytes(scaled.content)
    return scaled is not None
