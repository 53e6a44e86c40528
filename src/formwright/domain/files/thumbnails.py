"""Small versions of photos and signatures, which are created when they are requested."""

from formwright.core.blobs import BlobStore
from formwright.core.errors import require
from formwright.core.images import ScaledImage, scale_image
from formwright.core.lru_cache import LRUCache
from formwright.core.offload import offload
from formwright.domain.files.models import File, ThumbnailUnavailable

EDGE = 320
"""The longer side in pixels."""
_MAX_SIZE = 32 << 20
# A small file can have billions of pixels, which would take gigabytes of memory once decoded.
_MAX_PIXELS = 50_000_000
_cache = LRUCache[tuple[str, str], ScaledImage](512)
"""By account and hash of the content; about 20 KB each."""


async def render_thumbnail(blobs: BlobStore, file: File) -> ScaledImage:
    """Return a small version of an image. Raises `ThumbnailUnavailable` if the file is no image that can be read."""
    key = file.customer_id, file.hash
    if cached := _cache.get(key):
        return cached
    if not file.is_image or file.size > _MAX_SIZE:
        raise ThumbnailUnavailable()
    content = b"".join([chunk async for chunk in await blobs.read(file.blob_key, 0, file.size)])
    thumbnail = require(await offload(scale_image, content, EDGE, _MAX_PIXELS), ThumbnailUnavailable)
    return _cache.put(key, thumbnail)
