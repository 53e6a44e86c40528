"""The files of many submissions as a ZIP archive, which is created while it is sent."""

from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Iterator, Sequence
from typing import Any

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import BlobStore
from formwright.core.db.interface import Database
from formwright.core.ids import is_id
from formwright.core.pagination import Window
from formwright.domain.files import service as files
from formwright.domain.files import zip_stream
from formwright.domain.files.filenames import clean_path_segment
from formwright.domain.files.models import ID_PREFIX, File
from formwright.domain.forms import service as forms
from formwright.domain.submissions import service
from formwright.domain.submissions.models import Submission, SubmissionFilter

_PAGE = 500
_MAX_FOLDER = 100


async def iter_zip(
    db: Database, blobs: BlobStore, actor: Actor, criteria: SubmissionFilter
) -> AsyncGenerator[bytes, None]:
    """Yield a ZIP archive with the files of the matching submissions, in the order of the filter.

    A path consists of the form, the id of the submission, and the field with the name of the file:
    `Site visit/sub_01m7z1…/photos-2 quay.jpg`, or `defects-1-picture-1 crack.jpg` for a field in the first row of a
    repeat. Files whose content has been lost are listed in `missing.txt`.
    """
    async for chunk in zip_stream.iter_zip(blobs, _iter_members(db, actor, criteria)):
        yield chunk


async def _iter_members(db: Database, actor: Actor, criteria: SubmissionFilter) -> AsyncIterator[zip_stream.Member]:
    folders: dict[str, str] = {}
    window: Window | None = Window(_PAGE)
    while window:
        async with db.reading(long=True, listing=True) as tx:
            page = await service.page(tx, actor, criteria, window)
            found = await files.list_of_submissions(tx, actor, [one.id for one in page.items])
            new = sorted({one.form_id for one in page.items} - folders.keys())
            names = await forms.find_names(tx, actor, new) if new and Permission.FORMS_READ in actor.permissions else {}
        for form_id in new:
            folders[form_id] = _unique_folder(names.get(form_id, form_id), form_id, folders.values())
        by_submission: defaultdict[str | None, list[File]] = defaultdict(list)
        for file in found:
            by_submission[file.submission_id].append(file)
        for submission in page.items:
            for name, file in _name_files(submission, by_submission[submission.id]):
                yield f"{folders[submission.form_id]}/{submission.id}/{name}", file
        window = Window(_PAGE, page.next) if page.next else None


def _unique_folder(name: str, form_id: str, taken: Collection[str]) -> str:
    """Return the name of the form's folder. Names that differ in case only are the same folder on many computers."""
    plain = clean_path_segment(name)[:_MAX_FOLDER].strip(" .") or form_id
    return f"{plain} {form_id}" if plain.casefold() in {one.casefold() for one in taken} else plain


def _name_files(submission: Submission, found: Sequence[File]) -> Iterator[tuple[str, File]]:
    """Yield each file with its name: where the answers refer to it, and how it was called when it was uploaded."""
    if not found:
        return
    places = dict(_find_places(msgspec.json.decode(submission.data), ()))
    for file in found:
        place = places.get(file.id) or f"{file.field}-{file.id}"
        yield f"{place} {clean_path_segment(file.name)}", file


def _find_places(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the id and the place of each file in the answers, such as `defects-1-picture-2`."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _find_places(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value, start=1):
            yield from _find_places(inner, (*path, str(number)))
    elif isinstance(value, str) and is_id(value, ID_PREFIX):
        yield value, "-".join(path)
