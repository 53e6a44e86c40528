"""Reads deploy/Dockerfile: its stages and their instructions."""

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Stage:
    """A stage: the image it begins with, its name (or ""), and its instructions with their arguments, in order."""

    base: str
    name: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def last(self, instruction: str) -> str:
        """Return the arguments of the last such instruction. Raises `KeyError`."""
        return dict(self.instructions)[instruction]

    def command(self, instruction: str) -> list[str]:
        """Return the words of an instruction in its exec form, such as `CMD ["serve"]`, without options."""
        words: list[str] = json.loads(re.sub(r"^[^\[]*", "", self.last(instruction)))
        return words

    def environment(self) -> dict[str, str]:
        """Return the variables that the stage sets, with references to earlier ones resolved."""
        found = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        for instruction, arguments in self.instructions:
            if instruction == "ENV":
                for word in shlex.split(arguments):
                    name, _, value = word.partition("=")
                    found[name] = re.sub(r"\$(\w+)", lambda match: found.get(match[1], ""), value)
        return found


def read(file: Path) -> list[Stage]:
    """Return the stages of a Dockerfile, in order."""
    text = re.sub(r"^#.*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    stages: list[Stage] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        instruction, _, arguments = line.partition(" ")
        if instruction == "FROM":
            base, _, name = arguments.partition(" AS ")
            stages.append(Stage(base, name))
        else:
            stages[-1].instructions.append((instruction, arguments.strip()))
    return stages
