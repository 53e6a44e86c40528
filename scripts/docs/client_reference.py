"""The pages of the Python client's reference: Sphinx fills them with the docstrings."""

import inspect
from collections.abc import Iterator, Mapping

import formwright_client
from formwright_client import Client

INDEX = "python-reference.md"


def render_client_pages() -> dict[str, str]:
    """Return the text of each page by its path below `clients/`: the index first, then a page per namespace."""
    namespaces = _list_namespaces()
    pages = {INDEX: _join(_index(namespaces))}
    return pages | {f"python/{name}.md": _join(_namespace(name, class_)) for name, class_ in namespaces.items()}


def _list_namespaces() -> Mapping[str, type]:
    with Client("https://forms.example.org", "key") as client:
        return {name: type(value) for name, value in vars(client).items() if not name.startswith("_")}


def _index(namespaces: Mapping[str, type]) -> Iterator[str]:
    yield "# Python client reference"
    yield "How to use the client is described in [Formwright's client for Python](python.md)."
    yield (
        "`Client` has a namespace per resource. `AsyncClient` has the same namespaces and methods for `asyncio`: "
        "await them, and use `async for` with lists."
    )
    rows = [f"| [`client.{name}`](python/{name}.md) | {_summary(class_)} |" for name, class_ in namespaces.items()]
    yield "\n".join(["| namespace | what it does |", "| --- | --- |", *rows])
    for name in formwright_client.__all__:
        yield f"## {name}"
        yield _autodoc(_kind(getattr(formwright_client, name)), f"formwright_client.{name}")


def _namespace(name: str, class_: type) -> Iterator[str]:
    yield f"# client.{name}"
    yield _autodoc(
        "autoclass",
        f"{class_.__module__}.{class_.__qualname__}",
        "inherited-members: Resource",
        "exclude-members: __init__, __new__",
    )


def _summary(class_: type) -> str:
    return (inspect.getdoc(class_) or "").partition("\n")[0]


def _kind(value: object) -> str:
    if inspect.isclass(value):
        return "autoclass"
    return "autofunction" if inspect.isfunction(value) else "autodata"


def _autodoc(directive: str, name: str, *options: str) -> str:
    # Docstrings are reStructuredText, so the directive is too.
    options = ("members", *options) if directive == "autoclass" else options
    lines = "".join(f"\n   :{option}" if ":" in option else f"\n   :{option}:" for option in options)
    return f"```{{eval-rst}}\n.. {directive}:: {name}{lines}\n```"


def _join(parts: Iterator[str]) -> str:
    return "\n\n".join(parts) + "\n"
