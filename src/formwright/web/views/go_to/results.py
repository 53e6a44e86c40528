"""What *Go to* finds for a text: at most five records of each kind that the visitor may open."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.query import fold_case
from formwright.core.pagination import NEWEST_FIRST, Window
from formwright.domain.datasources import service as datasources
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormFilter, FormStatus
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import InviteFilter
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SearchNotReady, SearchTooBroad, Submission, SubmissionFilter
from formwright.domain.submissions.text_search.excerpts import Parts, find_excerpt
from formwright.domain.submissions.text_search.words import parse_words
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.models import TaskFilter
from formwright.domain.users import management
from formwright.domain.users import service as people
from formwright.domain.users.models import UserFilter
from formwright.web.navigation import MORE_PAGES, Destination, visible_places, visible_settings
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import format_time
from formwright.web.views.autocomplete import list_visible_groups
from formwright.web.views.list_pages import list_url
from formwright.web.views.submissions.list_table import load_fields

MAX_RESULTS = 5
"""How many records of each kind are shown."""
_WINDOW = Window(MAX_RESULTS)
_SEARCH_SECONDS = 1.0
"""How long answers are searched while somebody types."""


@dataclass(frozen=True, slots=True)
class Result:
    """A page that *Go to* opens. `about` distinguishes results with the same name.

    `excerpt` has the part of a submission that contains the text.
    """

    name: str
    url: str
    about: str = ""
    excerpt: Parts = ()


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """The results of one kind. `more_url` is the list of all of them; empty if there are no others or no list.

    `more` is the text of the link to it.
    """

    title: str
    results: Sequence[Result]
    more_url: str = ""
    more: str = ""


Finder = Callable[[Page, str], Awaitable[ResultGroup]]


async def find(page: Page, text: str) -> list[ResultGroup]:
    """Return the results for a text by kind; without a text, the pages that the visitor may open."""
    held = page.actor.permissions
    groups = [await finder(page, text) for permission, finder in _FINDERS if permission in held] if text else []
    return [group for group in (*groups, _find_pages(page.visitor, text)) if group.results or group.more_url]


async def _search_submissions(page: Page, text: str) -> ResultGroup:
    """Find submissions by their answers, the newest first, as far as that is quick. The list finds all."""
    words, _ = parse_words(text)
    nothing = ResultGroup("In submissions", [])
    if not words:
        return nothing
    found: Sequence[Submission] | None = None
    # The list says what to do if the search takes long or is not ready.
    with suppress(TimeoutError, SearchNotReady, SearchTooBroad):
        async with asyncio.timeout(_SEARCH_SECONDS):
            found = (await submissions.page(page.tx, page.actor, SubmissionFilter(words=words), _WINDOW)).items
    # Those with this external id are in the group before.
    hits = [one for one in found or () if one.external_id != text]
    if found is not None and not hits:
        return nothing
    names = await _load_form_names(page, hits)
    fields = await load_fields(page, hits)
    results = [
        replace(
            _submission_result(page.visitor, one, names.get(one.form_id, "")),
            excerpt=find_excerpt(fields.get(one.version_id, ()), one, words),
        )
        for one in hits
    ]
    more_url = list_url("/submissions", {"q": text})
    return ResultGroup(nothing.title, results, more_url, f"Search submissions for “{text}”")


def _find_pages(visitor: Visitor, text: str) -> ResultGroup:
    """Return the pages whose name contains the text, or all of them without a text."""
    held = visitor.actor.permissions
    settings = [page for pages in visible_settings(held).values() for page in pages]
    more = [page for page in MORE_PAGES if page.is_visible(held)]
    wanted = fold_case(text)
    named = [_page_result(page) for page in (*visible_places(held), *more, *settings) if wanted in fold_case(page.name)]
    return ResultGroup("Pages", named)


def _page_result(page: Destination) -> Result:
    return Result(page.name, page.url, "Settings" if page.url.startswith("/settings/") else "")


async def _find_forms(page: Page, text: str) -> ResultGroup:
    listed = await forms.page(page.tx, page.actor, _WINDOW, FormFilter(text=text), newest_first=True)
    by_id = await forms.find(page.tx, allow(page.actor, Permission.FORMS_READ), text)
    found = [by_id] if by_id else listed.items
    more_url = list_url("/forms", {"q": text}) if listed.next else ""
    return ResultGroup("Forms", [_form_result(form) for form in found], more_url)


def _form_result(form: Form) -> Result:
    return Result(form.name, f"/forms/{form.id}", "archived" if form.status is FormStatus.ARCHIVED else "")


async def _find_fillable_forms(page: Page, text: str) -> ResultGroup:
    # They find the same forms in the group before.
    if Permission.FORMS_READ in page.actor.permissions:
        return ResultGroup("Fill in", [])
    found = await forms.list_open(page.tx, allow(page.actor, Permission.SUBMISSIONS_CREATE), text)
    return ResultGroup("Fill in", [Result(form.name, f"/fill/{form.link}") for form in found[:MAX_RESULTS]])


async def _find_submissions(page: Page, text: str) -> ResultGroup:
    """Find submissions by their id or their external id."""
    found: list[Submission] = []
    for filter_ in (SubmissionFilter(ids=[text]), SubmissionFilter(external_ids=[text])):
        found += (await submissions.page(page.tx, page.actor, filter_, _WINDOW)).items
    names = await _load_form_names(page, found)
    return ResultGroup(
        "Submissions", [_submission_result(page.visitor, one, names.get(one.form_id, "")) for one in found]
    )


async def _load_form_names(page: Page, found: Sequence[Submission]) -> dict[str, str]:
    scope = allow(page.actor, Permission.SUBMISSIONS_READ)
    form_ids = {one.form_id for one in found}
    return {form_id: form.name for form_id in form_ids if (form := await forms.find(page.tx, scope, form_id))}


def _submission_result(visitor: Visitor, submission: Submission, form_name: str) -> Result:
    at = format_time(submission.at, visitor.customer.time_zone).text
    about = ", ".join(filter(None, (at, submission.external_id)))
    return Result(form_name or submission.id, f"/submissions/{submission.id}", about)


async def _find_people(page: Page, text: str) -> ResultGroup:
    by_id = await people.find_many(page.tx, page.actor, [text])
    listed = await management.page(page.tx, page.actor, UserFilter(text=text), _WINDOW)
    found = list(by_id.values()) or [person.user for person in listed.items]
    results = [Result(user.name, f"/people/{user.id}", user.email) for user in found]
    return ResultGroup("People", results, list_url("/people", {"q": text}) if listed.next else "")


async def _find_groups(page: Page, text: str) -> ResultGroup:
    wanted = fold_case(text)
    found = [
        Result(group.name, f"/people/groups/{group.id}")
        for group in await list_visible_groups(page.tx, page.visitor)
        if wanted in fold_case(group.name) or text == group.id
    ]
    return ResultGroup("Groups", found[:MAX_RESULTS], "/people/groups" if len(found) > MAX_RESULTS else "")


async def _find_datasources(page: Page, text: str) -> ResultGroup:
    found = await datasources.search(page.tx, page.actor, text, limit=MAX_RESULTS + 1)
    results = [Result(found_one.name, f"/datasources/{found_one.id}") for found_one in found[:MAX_RESULTS]]
    return ResultGroup("Data sources", results, "/datasources" if len(found) > MAX_RESULTS else "")


async def _find_tasks(page: Page, text: str) -> ResultGroup:
    """Find tasks by their id or their external id."""
    scope = allow(page.actor, Permission.TASKS_READ)
    found = list((await tasks.page(page.tx, page.actor, _WINDOW, TaskFilter(external_id=text))).items)
    found += await tasks.find_many(page.tx, page.actor, [text])
    names = {task.form_id: form.name for task in found if (form := await forms.find(page.tx, scope, task.form_id))}
    results = [Result(names.get(task.form_id, task.id), f"/tasks/{task.id}", task.message[:80]) for task in found]
    return ResultGroup("Tasks", results)


async def _find_invites(page: Page, text: str) -> ResultGroup:
    """Find invites by the email address that they were sent to, their id or their external id."""
    scope = allow(page.actor, Permission.INVITES_READ)
    by_email = await invites.page(page.tx, page.actor, InviteFilter(email=text.lower(), times=NEWEST_FIRST), _WINDOW)
    by_external_id = await invites.page(page.tx, page.actor, InviteFilter(external_id=text), _WINDOW)
    found = [*by_email.items, *by_external_id.items, *await invites.find_many(page.tx, page.actor, [text])]
    names = {
        invite.form_id: form.name for invite in found if (form := await forms.find(page.tx, scope, invite.form_id))
    }
    results = [Result(names.get(one.form_id, one.id), f"/invites/{one.id}", one.name or one.email) for one in found]
    return ResultGroup("Invites", results, list_url("/invites", {"email": text}) if by_email.next else "")


_FINDERS: Sequence[tuple[Permission, Finder]] = (
    (Permission.FORMS_READ, _find_forms),
    (Permission.SUBMISSIONS_CREATE, _find_fillable_forms),
    (Permission.SUBMISSIONS_READ, _find_submissions),
    (Permission.PEOPLE_READ, _find_people),
    (Permission.PEOPLE_READ, _find_groups),
    (Permission.DATASOURCES_READ, _find_datasources),
    (Permission.TASKS_READ, _find_tasks),
    (Permission.INVITES_READ, _find_invites),
    (Permission.SUBMISSIONS_READ, _search_submissions),
)
"""The kinds of results in the order in which they are shown, each with the permission to open them."""
