"""Scales images down."""

import io
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

_FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
"""Only these decoders are used, so the others cannot be attacked with a file that claims another type."""
_QUALITY = 82


@dataclass(frozen=True, slots=True)
class ScaledImage:
    """A JPEG, or a PNG if the image is transparent, and its media type."""

    content: bytes
    type: str


def scale_image(content: bytes, edge: int, max_pixels: int) -> ScaledImage | None:
    """Return the image with at most `edge` pixels on its longer side, upright and without metadata.

    None if it cannot be read, or has more than `max_pixels`, which would need a lot of memory. Of an animation, only
    the first picture is used.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=_FORMATS) as opened:
                # `open` has read the header only. The pixels are decoded below.
                if opened.width * opened.height > max_pixels:
                    return None
                # Lets the JPEG decoder reduce the image by a power of two, which takes less memory and time.
                opened.draft("RGB", (edge, edge))
                image = ImageOps.exif_transpose(opened)
        image.thumbnail((edge, edge))
        return _encode(image)
    except (UnidentifiedImageError, Image.DecompressionBombWarning, Image.DecompressionBombError, OSError, ValueError):
        return None


def _encode(image: Image.Image) -> ScaledImage:
    written = io.BytesIO()
    # Signatures are drawings on a transparent background, which JPEG does not have.
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image.convert("RGBA").save(written, "PNG")
        return ScaledImage(written.getvalue(), "image/png")
    image.convert("RGB").save(written, "JPEG", quality=_QUALITY)
    return ScaledImage(written.getvalue(), "image/jpeg")
