"""What the server sends to the compiler process, and how that reports failures."""

import msgspec


class Job(msgspec.Struct):
    """A template and its data as JSON. `images` are files in `folder`."""

    template: str
    data: str
    images: list[str]
    folder: str
    fonts: list[str]


class Failure(msgspec.Struct):
    """Why the compiler process could not compile the template, and the line of the template, or 0 if unknown."""

    reason: str
    line: int
