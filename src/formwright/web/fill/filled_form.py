"""The requests with the answers of a form that is being filled in."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import msgspec

from formwright.asgi.request_body import read_limited_body
from formwright.asgi.validation import MAX_BODY, MAX_VALUES, read_large_body
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.domain.forms import service as forms
from formwright.domain.forms.answers.validation import compile_version
from formwright.domain.forms.fields.base import Size
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import Form
from formwright.domain.invites.models import InviteLinkEnded
from formwright.domain.submissions.models import ReturnLinkEnded, Submission
from formwright.domain.submissions.return_links import NewReturnLink, OpenPage
from formwright.web.fill.link_access import open_link
from formwright.web.http import JsonResponse, Response
from formwright.web.page import PublicPage

T = TypeVar("T")
_MIN_SIZE = Size(1000, 64 * 1024)
Word = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\x00]*$")]
_CLIENT_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class FilledForm(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """The request body: the answers so far, and the version they are for.

    `seen` tells at which version of its data source a row was chosen, by the name of the lookup and the key of the row.
    `device` is a random id that the page has for this browser and link.
    `proof` is the solution of a challenge, if the link requires one.
    `device_time` is what the device showed when the person submitted, for rules with `today()` and `now()`.
    `editor` is the random id of the open page. `revision` is the last revision of the draft that it has seen, and
    `position` the name of the page of the form on which the person is; for answers with a return link.
    """

    version_id: str
    data: dict[str, Any]
    seen: dict[str, dict[str, int]] = {}
    device: str | None = None
    proof: str | None = None
    device_time: str | None = None
    editor: Word | None = None
    revision: int | None = None
    position: Word | None = None

    @property
    def page(self) -> OpenPage | None:
        """The open page, if it has said which one it is."""
        if self.editor is None or self.revision is None:
            return None
        return OpenPage(self.editor, self.revision, self.position)


@dataclass(frozen=True, slots=True)
class TargetForm:
    """The form of a link, the settings of its published version, and how large a body with its answers can be."""

    form: Form
    settings: FormSettings
    limit: Size


def is_client_id(text: str) -> bool:
    """Whether this can be the id that a page chose for a submission."""
    return _CLIENT_ID.fullmatch(text) is not None


async def read_filled_form(page: PublicPage, token: str, client_id: str) -> tuple[FilledForm, int, TargetForm]:
    """Return the parsed body, its size in bytes, and the form.

    Nothing is read before the link is known to open a form, and how large its answers can be.
    """
    if not is_client_id(client_id):
        raise Invalid.at("", "submission.client_id", "The id of the submission must be a UUID in lower case.")
    filled, size, target = await read_answers(page, token, FilledForm)
    if "\0" in filled.version_id:
        raise Invalid.at("/versionId", "value.nul", "This contains the character NUL.")
    return filled, size, target


async def read_answers(page: PublicPage, token: str, body_type: type[T]) -> tuple[T, int, TargetForm]:
    """Return the body as an object of this type, its size in bytes, and the form of the link."""
    async with page.ctx.db.reading() as tx:
        target = await _find_form(tx, token, page.ctx.clock.now())
    body = await read_limited_body(page, target.limit.bytes)
    parsed: T = await read_large_body(body, body_type, target.limit.values)
    return parsed, len(body), target


async def _find_form(tx: ReadTransaction, token: str, now: int) -> TargetForm:
    actor, form_id = await _open_link(tx, token, now)
    form, version = await forms.get_for_answering(tx, actor, form_id=form_id)
    size = compile_version(version).max_size
    # Twice the size, because the person may have started with an earlier version.
    limit = Size(min(_MIN_SIZE.values + 2 * size.values, MAX_VALUES), min(_MIN_SIZE.bytes + 2 * size.bytes, MAX_BODY))
    return TargetForm(form, version.definition.settings, limit)


async def _open_link(tx: ReadTransaction, token: str, now: int) -> tuple[Actor, str]:
    """Return the caller and the id of the form. The last request may be retried because its response was lost."""
    try:
        return await open_link(tx, token, now)
    except InviteLinkEnded as error:
        form_id, customer_id = error.invite.form_id, error.invite.customer_id
    except ReturnLinkEnded as error:
        form_id, customer_id = error.submission.form_id, error.submission.customer_id
    return actors.link(form_id, customer_id), form_id


def state_response(record: Submission, status: int, link: NewReturnLink | None = None) -> Response:
    """Return the state of a submission, and its return link if it has just been created."""
    state = {"status": record.status, "id": record.id, "revision": record.revision}
    more = {"link": f"/fill/{link.token}", "linkEnds": link.ends} if link else {}
    return JsonResponse(state | more, status)
