"""Pulls datasources: claim due pulls, fetch, import, and store the result.

A running pull renews its lease. No transaction is open during network calls.
"""

import asyncio
from functools import partial
from http import HTTPStatus
from typing import BinaryIO, cast

import msgspec
import structlog
from cryptography.fernet import InvalidToken

from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.blobs import ReceivedBlob
from formwright.core.db import due_work
from formwright.core.errors import Invalid, Unavailable
from formwright.core.net.http_client import DEFAULT_BOUNDS, Bounds, FetchFailed, FetchResponse
from formwright.core.tables.base import TableUnreadable
from formwright.core.work_kinds import WorkKind
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.imports.row_sources import open_row_source
from formwright.domain.datasources.models import (
    DatasourceBusy,
    DatasourceNotFound,
    ImportPlan,
    ImportSource,
    InvalidRows,
    PullStatus,
)
from formwright.domain.datasources.sync import queue
from formwright.domain.datasources.sync.queue import (
    LEASE_MS,
    MAX_ATTEMPTS,
    ClaimedPull,
    PullDeferral,
    PullFailure,
    PullSuccess,
)
from formwright.worker.due_accounts import TaskWorker

AT_ONCE, IMPORTS_AT_ONCE = 8, 2
_POLL_INTERVAL_S = 1.0
_MAX_REPORTED_ERRORS = 3

Outcome = PullSuccess | PullFailure | PullDeferral
log = structlog.get_logger()


class PullWorker(TaskWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(
        self,
        ctx: AppContext,
        bounds: Bounds = DEFAULT_BOUNDS,
        *,
        lease_ms: int = LEASE_MS,
        poll_interval_s: float = _POLL_INTERVAL_S,
    ) -> None:
        super().__init__(ctx, WorkKind.PULL, AT_ONCE, poll_interval_s=poll_interval_s, fill_at_once=True)
        self._bounds = bounds
        self._lease_ms = lease_ms
        self._importing = asyncio.Semaphore(IMPORTS_AT_ONCE)

    async def _work(self, customer_id: str, share: int) -> bool:
        """Claim due pulls of an account and start them."""
        async with self._ctx.db.writing() as tx:
            now = self._ctx.clock.now()
            pulls = await queue.claim(tx, customer_id, now, share, self._lease_ms)
            await due_work.settle(tx, WorkKind.PULL, customer_id, now, queue.find_next_due)
        for pull in pulls:
            self._start(self._pull(pull))
        return bool(pulls)

    async def _pull(self, pull: ClaimedPull) -> None:
        """Run one pull, renewing its lease until it is done."""
        work = asyncio.create_task(self._try_pull(pull))
        outcome: Outcome = PullDeferral(0)
        try:
            # A quarter of the lease, in seconds, so that the lease survives a renewal that fails.
            while not (await asyncio.wait({work}, timeout=self._lease_ms / 4000))[0]:
                if not await self._renew_lease(pull):
                    return
            outcome = work.result()
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            await self._save_outcome(pull, outcome)

    async def _renew_lease(self, pull: ClaimedPull) -> bool:
        try:
            async with self._ctx.db.writing() as tx:
                return await queue.renew_lease(tx, pull, self._ctx.clock.now() + self._lease_ms)
        except Unavailable:
            return True

    async def _save_outcome(self, pull: ClaimedPull, outcome: Outcome) -> None:
        try:
            async with self._ctx.db.writing() as tx:
                await queue.save_outcome(tx, pull, outcome, self._ctx.clock.now())
            self._ctx.metrics.record_pull(_outcome_label(outcome))
        except Unavailable as error:
            # The lease expires, and the pull runs again.
            log.warning(
                "pull result not stored: database unavailable", datasource=pull.datasource_id, detail=str(error)
            )
        except Exception:
            log.exception("pull result could not be stored", datasource=pull.datasource_id)

    async def _try_pull(self, pull: ClaimedPull) -> Outcome:
        if pull.tries > MAX_ATTEMPTS:
            return PullFailure(f"The server stopped {MAX_ATTEMPTS} times while it was pulling.")
        try:
            return await self._fetch(pull)
        except (FetchFailed, TableUnreadable) as error:
            where = f"Line {error.line}: " if isinstance(error, TableUnreadable) and error.line else ""
            return PullFailure(where + str(error))
        except InvalidRows as error:
            rows = "1 row is" if error.count == 1 else f"{error.count:,} rows are"
            return PullFailure(f"Nothing was imported, because {rows} invalid. {_first_details(error)}", error.bad)
        except Invalid as error:
            return PullFailure(_first_details(error))
        except InvalidToken:
            detail = "The headers cannot be decrypted, because FORMWRIGHT_SECRET_KEY has changed. Set them again."
            return PullFailure(detail)
        except DatasourceNotFound:
            # It was deleted in the meantime. If it is restored, the pull is due again.
            return PullDeferral(0)
        except (DatasourceBusy, Unavailable):
            return PullDeferral()
        except Exception:
            # An unexpected error counts as a failed pull and must not stop the loop.
            log.exception("pull failed unexpectedly", datasource=pull.datasource_id)
            return PullFailure(
                "An internal error occurred, which the source did not cause. Tell the operator of this server."
            )

    async def _fetch(self, pull: ClaimedPull) -> Outcome:
        decrypted = self._ctx.secret_box.open(pull.headers) if pull.headers else "{}"
        headers = msgspec.json.decode(decrypted, type=dict[str, str])
        conditional = await self._conditional_headers(pull)
        response: FetchResponse
        async with self._ctx.http_client.get(pull.url, headers=headers | conditional, bounds=self._bounds) as response:
            if conditional and response.status == HTTPStatus.NOT_MODIFIED:
                return PullSuccess(PullStatus.UNCHANGED, pull.version, None, pull.etag, pull.modified)
            if response.status_error:
                return PullFailure(response.status_error)
            # The file is received before waiting for the semaphore, so that a slow source does not delay the imports of
            # others.
            async with self._ctx.files.receive(response.chunks(), self._bounds.size) as received, self._importing:
                return await self._import(pull, received, response)

    async def _conditional_headers(self, pull: ClaimedPull) -> dict[str, str]:
        """Return the conditional request headers, if the rows are still those of the last pull."""
        async with self._ctx.db.reading() as tx:
            actor = actors.system(pull.customer_id)
            datasource = await datasources.get(tx, actor, datasource_id=pull.datasource_id)
        # Other rows have been imported since then. A 304 would keep them, although the source has not confirmed them.
        if datasource.version != pull.version:
            return {}
        headers = {"If-None-Match": pull.etag, "If-Modified-Since": pull.modified}
        return {name: value for name, value in headers.items() if value}

    async def _import(self, pull: ClaimedPull, received: ReceivedBlob, response: FetchResponse) -> PullSuccess:
        rows = await asyncio.to_thread(
            open_row_source, cast(BinaryIO, received.file), response.headers.get("content-type", "")
        )
        plan = ImportPlan(ImportSource.PULL, guard=partial(queue.check_lease, pull=pull))
        actor = actors.system(pull.customer_id)
        datasource, result = await datasources.import_rows(
            self._ctx.db, actor, rows, plan, datasource_id=pull.datasource_id
        )
        counts = result.counts
        return PullSuccess(
            PullStatus.DONE if counts.has_changes else PullStatus.UNCHANGED,
            datasource.version,
            counts.inserted + counts.updated + counts.unchanged,
            response.headers.get("etag", ""),
            response.headers.get("last-modified", ""),
        )


def _outcome_label(outcome: Outcome) -> str:
    if isinstance(outcome, PullSuccess):
        return outcome.status.lower()
    return "failed" if isinstance(outcome, PullFailure) else "later"


def _first_details(error: Invalid) -> str:
    """Return the details of the first errors."""
    return " ".join(fault.detail for fault in error.faults[:_MAX_REPORTED_ERRORS])
