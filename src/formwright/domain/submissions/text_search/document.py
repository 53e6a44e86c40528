"""The searchable text of a submission: its answers as people see them, and its external id."""

from collections.abc import Mapping

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.lru_cache import LRUCache
from formwright.domain.datasources.search.normalize import fold
from formwright.domain.forms.answers.validation import CompiledVersion
from formwright.domain.forms.fields.display import ReadTexts, SearchContext, read_texts
from formwright.domain.forms.fields.structure import text_readers
from formwright.domain.forms.models import Version
from formwright.domain.submissions import attachments
from formwright.domain.submissions.lookup_snapshots import read_rows
from formwright.domain.submissions.models import Submission
from formwright.domain.submissions.text_search import store

MAX_CHARACTERS = 100_000
"""How much of the text of a submission is searched."""
_compiled = LRUCache[tuple[str, int], Mapping[str, ReadTexts]](500)


async def build_text(tx: ReadTransaction, compiled: CompiledVersion, submission: Submission) -> str:
    """Return the normalised text of a submission to this version.

    A line break separates answers, so no word spans two of them. Choices have the labels of all languages.
    """
    version, data = compiled.version, msgspec.json.decode(submission.data)
    names: dict[str, str] = {}
    if compiled.has_file_fields:
        file_ids = [one.file_id for one in attachments.find_file_references(version.definition.fields, data)]
        if file_ids:
            names = await store.list_file_names(tx, Scope(submission.customer_id), submission.form_id, file_ids)
    context = SearchContext(read_rows(submission.lookups) if submission.lookups else {}, names)
    texts = read_texts(_compile_version(version), data, context)
    parts = [submission.external_id, *texts] if submission.external_id else texts
    return normalize("\n".join(parts)[:MAX_CHARACTERS])


def normalize(text: str) -> str:
    """Return a text as it is stored and searched: in lower case, without accents and NUL."""
    return fold(text).replace("\0", " ")


def _compile_version(version: Version) -> Mapping[str, ReadTexts]:
    key = (version.id, version.revision)
    return _compiled.get(key) or _compiled.put(key, text_readers(version.definition.fields))
