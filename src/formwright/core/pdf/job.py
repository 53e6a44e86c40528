"""What the server sends to the compiler process."""

import msgspec


class Job(msgspec.Struct):
    """A template and its data as JSON. `images` are files in `folder`."""

    template: str
    data: str
    images: list[str]
    folder: str
    fonts: list[str]
