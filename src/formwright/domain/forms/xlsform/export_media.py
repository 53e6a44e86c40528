"""Writes the names of media files to the columns of questions and choices."""

from msgspec import UNSET, UnsetType

from formwright.domain.forms.fields.media import Media
from formwright.domain.forms.xlsform.media_columns import COLUMNS
from formwright.domain.forms.xlsform.report import Report

_ATTRIBUTES = {"bigImage": "big_image"}


def write_media(
    cells: dict[tuple[str, str], str], media: Media | UnsetType, report: Report, place: tuple[str, int]
) -> None:
    """Add the names of files to the cells of a row. `place` is the sheet and the number of the row."""
    if media is UNSET:
        return
    for column, member in COLUMNS.items():
        names = getattr(media, _ATTRIBUTES.get(member, member))
        if names is not UNSET:
            cells.update(
                {(column, tag): name for tag, name in ({"": names} if isinstance(names, str) else names).items()}
            )
    # XLSForm shows a larger image only when people tap on an image.
    if media.image is UNSET:
        cells.update({("image", tag): name for (column, tag), name in cells.items() if column == "big-image"})
    if media.alt is not UNSET:
        detail = "XLSForm has no text for people who do not see or hear media."
        report.add_drop(*place, None, "alt", detail)
