"""Runs ODK Validate and JavaRosa, the reference implementation of ODK, which are part of what pyxform ships."""

import io
import os
import shutil
import subprocess
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest
from pyxform.errors import PyXFormError
from pyxform.xls2xform import convert

needs_java = pytest.mark.skipif(shutil.which("javac") is None, reason="needs a Java development kit")


def to_xform(content: bytes) -> str:
    """Return the XForm of a workbook, as pyxform writes it."""
    return convert(io.BytesIO(content), file_type=".xlsx", validate=False).xform


def is_valid(content: bytes) -> bool:
    """Whether pyxform accepts a workbook. It raises `KeyError` for some of those that it does not."""
    try:
        to_xform(content)
    except (PyXFormError, KeyError, AttributeError, TypeError):
        return False
    return True


def find_jar() -> Path:
    """Return the path of ODK Validate, which contains JavaRosa."""
    package = find_spec("pyxform")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "validators/odk_validate/bin/ODK_Validate.jar"


def run_java(folder: Path, program: str, lines: str, *args: str) -> list[str]:
    """Compile and run a program beside this file, and return the lines of its output that begin with `=`."""
    jar, source = find_jar(), Path(__file__).with_name(f"{program}.java")
    subprocess.run(["javac", "-cp", jar, "-d", folder, source], check=True, capture_output=True)
    command = [
        "java",
        "-Djava.awt.headless=true",
        "-Duser.timezone=UTC",
        "-cp",
        f"{jar}{os.pathsep}{folder}",
        program,
        *args,
    ]
    ended = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, encoding="utf-8")
    return [line[1:] for line in ended.stdout.splitlines() if line.startswith("=")]


def find_errors(folder: Path, workbooks: Mapping[str, bytes]) -> dict[str, str]:
    """Return what ODK Validate finds wrong with each of these forms, by their names; an empty text if nothing."""
    paths = {str(folder / f"{name}.xml"): name for name in workbooks}
    for path, name in paths.items():
        Path(path).write_text(to_xform(workbooks[name]), encoding="utf-8")
    found = [line.split("\t") for line in run_java(folder, "Validator", "\n".join(paths) + "\n")]
    assert len(found) == len(workbooks)
    return {paths[path]: errors for path, errors in found}
