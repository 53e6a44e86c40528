"""The compiler process: reads a job from standard input, and writes the PDF to standard output."""

import json
import sys
from pathlib import Path

import msgspec
import typst

from formwright.core.child_process import limit_this_process
from formwright.core.images import scale_image
from formwright.core.pdf.job import Job

_MAX_PIXELS = 80_000_000
_EDGE = 1600
"""The longest edge of an image in pixels: 240 dots per inch at the width of the text."""


def main() -> None:
    """Limit this process to the memory and processor time of its arguments, and run the job."""
    limit_this_process(memory=int(sys.argv[1]), cpu_s=int(sys.argv[2]))
    try:
        pdf = compile_job(msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Job))
    except typst.TypstError as error:
        sys.exit(str(error))
    sys.stdout.buffer.write(pdf)


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
