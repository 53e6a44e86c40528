"""Operations on exports of submissions to files."""

from contextlib import suppress

from formwright.api.context import ReadContext, RequestContext, WriteContext
from formwright.api.operations import DryRun, OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import exports as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, Rollback
from formwright.core.errors import Invalid
from formwright.core.pagination import Page
from formwright.domain.exports import delivery, models
from formwright.domain.exports import service as exports
from formwright.domain.exports.models import (
    ExportLimitReached,
    ExportNoDestination,
    ExportNotFound,
    ExportRunning,
    ExportRunNotFound,
)
from formwright.domain.exports.owners import ExportRejected

_EXPORTS = "/customers/{customerId}/exports"
OPERATIONS = OperationGroup("Exports", reads=Permission.SUBMISSIONS_READ, writes=Permission.SUBMISSIONS_EDIT)


@OPERATIONS.declare("GET", ("listExports", _EXPORTS))
async def list_exports(call: ReadContext, query: PageQuery) -> List[schemas.Export]:
    """List exports.

    Returns the exports with their latest run, newest first.
    """
    page = await exports.page(call.tx, call.actor, query.window())
    runs = await exports.latest_runs(call.tx, call.actor, page.items)
    items = [schemas.export(one, runs.get(one.latest_run_id or ""), _signer(call)) for one in page.items]
    return call.listing(Page(items, page.next), lambda item: item)


@OPERATIONS.declare(
    "POST",
    ("createExport", _EXPORTS),
    location=_EXPORTS + "/{id}",
    raises=(ExportLimitReached, Invalid),
)
async def create_export(call: WriteContext, body: schemas.ExportWrite) -> schemas.Export:
    """Create an export.

    Without a `schedule`, the export runs once, right away: get the export until the `status` of `latestRun` is
    `COMPLETED`, then download its `files`. With a `schedule`, it runs at those times, and whenever you start a run.

    The files contain what you may read at the time of each run. If you lose that permission, or your API key is
    revoked, runs fail and say so.
    """
    record = await exports.create(call.tx, call.actor, body.to_domain(), call.ctx.destination_rules)
    return await _to_export(call, call.tx, record)


@OPERATIONS.declare("GET", ("getExport", _EXPORTS + "/{exportId}"), raises=(ExportNotFound,))
async def get_export(call: ReadContext, export_id: str) -> schemas.Export:
    """Get an export.

    Returns the export with its latest run and the download links of its files.
    """
    return await _to_export(call, call.tx, await exports.get(call.tx, call.actor, export_id=export_id))


@OPERATIONS.declare("PUT", ("updateExport", _EXPORTS + "/{exportId}"), raises=(ExportNotFound, Invalid))
async def update_export(call: WriteContext, export_id: str, body: schemas.ExportWrite) -> schemas.Export:
    """Update an export.

    Replaces the export: optional properties you omit get their default values. You become its owner: later runs have
    your permissions. With another form or view, the next incremental run has all submissions again.

    Without `secretAccessKey`, the stored one stays if the `destination` is the same bucket with the same access key.
    """
    new, rules = body.to_domain(), call.ctx.destination_rules
    record = await exports.change(call.tx, call.actor, new, rules, export_id=export_id)
    return await _to_export(call, call.tx, record)


@OPERATIONS.declare("DELETE", ("deleteExport", _EXPORTS + "/{exportId}"), raises=(ExportNotFound,))
async def delete_export(call: WriteContext, export_id: str) -> None:
    """Delete an export.

    Deletes the export, its runs and their files. A run in progress ends without a result.
    """
    await exports.delete(call.tx, call.actor, export_id=export_id)


@OPERATIONS.declare("GET", ("listExportRuns", _EXPORTS + "/{exportId}/runs"), raises=(ExportNotFound,))
async def list_export_runs(call: ReadContext, export_id: str, query: PageQuery) -> List[schemas.ExportRun]:
    """List the runs of an export.

    Returns the runs, newest first.
    """
    page = await exports.page_of_runs(call.tx, call.actor, query.window(), export_id=export_id)
    return call.listing(page, lambda record: schemas.run(record, _signer(call)))


@OPERATIONS.declare(
    "POST",
    ("startExportRun", _EXPORTS + "/{exportId}/runs"),
    location=_EXPORTS + "/{exportId}/runs/{id}",
    raises=(ExportNotFound, ExportRunning),
)
async def start_export_run(call: WriteContext, export_id: str) -> schemas.ExportRun:
    """Start a run of an export.

    Runs the export now, apart from its schedule. An incremental export continues where its last completed run ended.
    If a run is already waiting for a worker, the response is that run; if one is in progress, it is 409
    `export.running`.
    """
    return schemas.run(await exports.run(call.tx, call.actor, export_id=export_id), _signer(call))


@OPERATIONS.declare(
    "GET",
    ("getExportRun", _EXPORTS + "/{exportId}/runs/{runId}"),
    raises=(ExportNotFound, ExportRunNotFound),
)
async def get_export_run(call: ReadContext, export_id: str, run_id: str) -> schemas.ExportRun:
    """Get a run of an export.

    Returns the run with the download links of its files, which are valid for 15 to 20 minutes; call this operation
    again for new links.
    """
    record = await exports.get_run(call.tx, call.actor, export_id=export_id, run_id=run_id)
    return schemas.run(record, _signer(call))


@OPERATIONS.declare(
    "POST",
    ("testExportDestination", _EXPORTS + "/{exportId}/test-destination"),
    raises=(ExportNotFound, ExportNoDestination),
)
async def test_export_destination(call: RequestContext, query: DryRun, export_id: str) -> schemas.ExportDestinationTest:
    """Test the destination of an export.

    Writes the small file `formwright-test.txt` to the folder or the bucket, and deletes it again. The response says
    whether that succeeded and, if not, why. No run is started.
    """
    # Committed before the destination is asked: it may be slow, and others of the account want to write.
    with suppress(Rollback):
        async with call.db.writing() as tx:
            record = await exports.begin_test(tx, call.actor, export_id=export_id)
            if query.dry_run:
                raise Rollback()
    try:
        note = await delivery.verify_destination(call.ctx.destination_rules, record)
    except ExportRejected as error:
        return schemas.ExportDestinationTest(success=False, detail=str(error))
    return schemas.ExportDestinationTest(success=True, detail=note)


async def _to_export(call: RequestContext, tx: ReadTransaction, record: models.Export) -> schemas.Export:
    runs = await exports.latest_runs(tx, call.actor, [record])
    return schemas.export(record, runs.get(record.latest_run_id or ""), _signer(call))


def _signer(call: RequestContext) -> schemas.SignFile:
    now = call.ctx.clock.now()

    def sign(run: models.ExportRun, number: int) -> tuple[str, str]:
        if not run.has_files(now):
            return "", ""
        name = f"{run.id}.{number}"
        link = call.ctx.file_links.sign(run.customer_id, name, now)
        return call.url(link.path(name)), link.expires

    return sign
