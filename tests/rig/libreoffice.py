"""LibreOffice, run without windows to save workbooks in its own ways."""

import subprocess
from pathlib import Path

from rig import machine

FORMATS = ("xls:MS Excel 97", "xlsx:Calc MS Excel 2007 XML", "xlsx:Calc Office Open XML")
"""LibreOffice's filters for the formats that are read."""

ODS = "ods:calc8"


def convert(files: list[Path], filter_: str, folder: Path) -> dict[str, bytes]:
    """The files as LibreOffice saves them, by their names without an ending. One start for all: it takes seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command: list[str | Path] = [
        machine.libreoffice(),
        profile,
        "--headless",
        "--convert-to",
        filter_,
        "--outdir",
        folder,
        *files,
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=110)
    ending = filter_.partition(":")[0]
    return {file.stem: (folder / f"{file.stem}.{ending}").read_bytes() for file in files}
