"""The pages of the Python client's reference: Sphinx fills them with the docstrings."""

import inspect
import pkgutil
from collections.abc import Iterator, Mapping

import formwright_client
from formwright_client import Client, encoding, schemas

INDEX = "python-reference.md"


def render_client_pages() -> dict[str, str]:
    """Return the text of each page by its path below `clients/`.

    The index comes first, then a page per namespace, then a page per module of schemas.
    """
    namespaces = _list_namespaces()
    modules = [module.name for module in pkgutil.iter_modules(schemas.__path__)]
    pages = {INDEX: _join(_index(namespaces, modules))}
    pages |= {f"python/{name}.md": _join(_namespace(name, class_)) for name, class_ in namespaces.items()}
    return pages | {f"python/schemas/{name}.md": _join(_schemas(name)) for name in modules}


def _list_namespaces() -> Mapping[str, type]:
    with Client("https://forms.example.org", "key") as client:
        return {name: type(value) for name, value in vars(client).items() if not name.startswith("_")}


def _index(namespaces: Mapping[str, type], schema_modules: list[str]) -> Iterator[str]:
    yield "# Python client reference"
    yield "How to use the client is described in [Formwright's client for Python](python.md)."
    yield (
        "`Client` has a namespace per resource. `AsyncClient` has the same namespaces and methods for `asyncio`: "
        "await them, and use `async for` with lists."
    )
    rows = [f"| [`client.{name}`](python/{name}.md) | {_summary(class_)} |" for name, class_ in namespaces.items()]
    yield "\n".join(["| namespace | what it does |", "| --- | --- |", *rows])
    links = ", ".join(f"[{_title(name)}](python/schemas/{name}.md)" for name in schema_modules)
    yield f"The types of resources are in `formwright_client.schemas`: {links}."
    for name in formwright_client.__all__:
        yield f"## {name}"
        kind = _kind(getattr(formwright_client, name))
        # Sphinx finds the description of a constant only where the constant is defined.
        module = encoding if kind == "autodata" else formwright_client
        yield _autodoc(kind, f"{module.__name__}.{name}")


def _namespace(name: str, class_: type) -> Iterator[str]:
    yield f"# client.{name}"
    yield _autodoc(
        "autoclass",
        f"{class_.__module__}.{class_.__qualname__}",
        "inherited-members: Resource",
        "exclude-members: __init__, __new__",
    )


def _schemas(module: str) -> Iterator[str]:
    yield f"# Schemas: {_title(module)}"
    yield _autodoc("automodule", f"{schemas.__name__}.{module}", "members", "undoc-members")


def _title(module: str) -> str:
    return module.replace("_", " ")


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
