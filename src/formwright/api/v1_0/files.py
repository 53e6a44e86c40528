"""The files of a submission."""

from dataclasses import asdict
from urllib.parse import urlencode

from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.wire import files as wire
from formwright.core.access.permissions import Permission
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.files import model
from formwright.domain.files import service as files
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.model import SubmissionNotFound


@operation(
    "GET",
    ("listFiles", "/customers/{customerId}/submissions/{submissionId}/files"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound, SubmissionNotFound),
)
async def list_files(call: Call, submission_id: str, query: PageQuery) -> List[wire.File]:
    """List the files of a submission, in the order in which they were uploaded.

    Each has a link that needs no key and ends after 15 minutes; list them again for new ones.
    """
    async with call.reading() as tx:
        await submissions.get(tx, call.actor, submission_id=submission_id)
        page = await files.of_submission(tx, call.actor, query.window(), submission_id=submission_id)
    return call.listing(page, lambda record: _linked(call, record))


def _linked(call: Call, record: model.File) -> wire.File:
    link = call.house.links.to(record.customer_id, record.id, call.house.clock.now())
    return wire.file(record, call.url(f"/files/{record.id}?{urlencode(asdict(link))}"), link.expires)


OPERATIONS = [*list_files]
