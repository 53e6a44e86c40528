"""Embedding a form into other sites, on the tab “Share”: the sites that may do so, and the code for them."""

from dataclasses import dataclass
from html import escape

from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.forms.models import Form
from formwright.domain.forms.public_link import EMBED_ORIGIN, MAX_ORIGINS

MAX_SITES_TEXT = MAX_ORIGINS * 260


@dataclass(frozen=True, slots=True)
class EmbedForm:
    """The sites as text, one per line, the code to embed the form, and the error of the sites."""

    sites: str
    snippet: str = ""
    fault: str = ""


def fill_in_sites(form: Form, link: str) -> EmbedForm:
    """Return the sites that may embed the form."""
    return EmbedForm("\n".join(form.public_link.embed_origins), embed_snippet(form, link))


def embed_snippet(form: Form, link: str) -> str:
    """Return the HTML that shows the form on another site. Photos and locations need the permissions in `allow`."""
    return (
        f'<iframe src="{escape(link)}" title="{escape(form.name)}" width="100%" height="700" style="border: 0"'
        ' allow="camera; geolocation" loading="lazy"></iframe>'
    )


def parse_sites(text: str) -> tuple[str, ...]:
    """Return the sites in the lines of a text, without repetitions. Raises `Invalid` if there are too many."""
    sites = tuple(dict.fromkeys(line.strip().rstrip("/").lower() for line in text.splitlines() if line.strip()))
    if len(sites) > MAX_ORIGINS:
        fault = ValidationFault("/publicLink/embedOrigins", "value.too_many", f"Enter at most {MAX_ORIGINS} sites.")
        raise Invalid([fault])
    return sites


def describe_sites_error(error: Invalid, text: str) -> str:
    """Return the first error, with the site that it concerns."""
    fault, sites = error.faults[0], parse_sites(text) if error.faults[0].code == "form.embed_origin" else ()
    index = fault.pointer.rpartition("/")[2]
    return f"{sites[int(index)]}: {EMBED_ORIGIN}" if sites else fault.detail
