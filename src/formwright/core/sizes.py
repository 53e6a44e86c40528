"""Sizes of files as people read them."""

_KB = 1024


def format_size(size: int) -> str:
    """Return a number of bytes for people, such as “1.4 MB”, in units of 1,024."""
    if size < _KB:
        return f"{size} bytes"
    return f"{size / _KB:,.0f} KB" if size < _KB**2 else f"{size / _KB**2:,.1f} MB"
