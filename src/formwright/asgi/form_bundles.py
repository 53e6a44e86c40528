"""Reads form bundles, which the API and the pages receive."""

from typing import Any

from formwright.asgi.validation import read_body
from formwright.domain.forms.bundles import FormBundle, check_format


def read_bundle(raw: bytes) -> FormBundle:
    """Return the bundle in this JSON.

    Raises `JsonMalformed`, `BodyTooComplex`, or `Invalid` with all errors. Whether it is a bundle of a known version is
    checked first, because a newer one may have properties that this version rejects.
    """
    check_format(read_body(raw, Any))
    bundle: FormBundle = read_body(raw, FormBundle)
    return bundle
