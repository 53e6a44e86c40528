"""Each test stands on databases of its own."""

from rig.houses import own_settings

__all__ = ["own_settings"]
