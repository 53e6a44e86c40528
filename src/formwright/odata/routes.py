"""The URLs of a feed, and its responses."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

from formwright.asgi.http_response import HttpResponse
from formwright.asgi.interfaces import ProgramRequest, ProgramRoute
from formwright.asgi.request_errors import RequestError
from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.core.auth.allowed_hosts import public_address
from formwright.core.auth.permissions import Permission
from formwright.core.errors import DomainError, Invalid, NotFound
from formwright.core.offload import offload
from formwright.domain.datasources.models import Datasource
from formwright.domain.feeds import service as feeds
from formwright.domain.forms.models import Form
from formwright.odata import metadata
from formwright.odata.access import authenticate
from formwright.odata.changes import newest_event, read_changes
from formwright.odata.options import NotSupported, QueryOptions, encode_token, option_error, parse_options
from formwright.odata.reader import TableReader
from formwright.odata.sources import Submissions
from formwright.odata.tables import (
    TASKS,
    USERS,
    ODataTable,
    datasource_table,
    list_fixed_tables,
    list_resources,
    load_form_table,
    name_resources,
)

_ROOT = "/odata/v4/{customer_id:str}"
_HEADERS = {"odata-version": "4.0", "cache-control": "private, no-store"}
_JSON = "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false"
_RESOURCE = re.compile(r"(?P<table>\w{1,128})(?:\((?P<key>.*)\))?(?P<count>/\$count)?", re.DOTALL)
_KEY = re.compile(r"(?:[A-Za-z_]\w*=)?(?:'(?P<text>(?:[^']|'')*)'|(?P<number>-?\d{1,18}))")


class ResourceNotFound(NotFound):
    """The feed has no such table or row."""

    code = "odata.not_found"
    detail = "The feed has no such table or row. The service document lists the tables."


class VersionNotSupported(RequestError):
    """The client only accepts an older version of OData."""

    code = "odata.version"
    detail = "The feed is OData 4.0. Allow it in the OData-MaxVersion header, or omit the header."


def odata_routes() -> list[ProgramRoute]:
    """Return the routes of the feeds of all accounts."""
    return [
        ProgramRoute(_ROOT, _serve, name="odata"),
        ProgramRoute(_ROOT + "/{path:path}", _serve, name="odata-resource"),
    ]


def error_response(error: DomainError, status: int, request_id: str) -> HttpResponse:
    """Return an error as OData has it (JSON Format, section 19), with our code and the id of the request."""
    faults = error.faults if isinstance(error, Invalid) else ()
    message = " ".join(fault.detail for fault in faults) or str(error)
    body: dict[str, Any] = {"code": faults[0].code if faults else error.code, "message": message}
    if faults:
        body["target"] = faults[0].pointer.removeprefix("?")
    body["innererror"] = {"requestId": request_id}
    headers = _HEADERS | dict(getattr(error, "headers", None) or {})
    if status == 401:
        headers["www-authenticate"] = 'Basic realm="Formwright", charset="UTF-8"'
    return HttpResponse(status, msgspec.json.encode({"error": body}), _JSON, headers)


async def _serve(request: ProgramRequest) -> HttpResponse:
    ctx, customer_id = request.ctx, str(request.path_params["customer_id"])
    path = str(request.path_params.get("path", ""))
    actor = await authenticate(ctx, request.headers.get("authorization", ""), customer_id)
    if request.headers.get("odata-maxversion", "4.0") < "4":
        raise VersionNotSupported()
    feed = Feed(ctx, actor, _public_root(ctx, request, customer_id))
    resource = path.strip("/")
    if not resource:
        return feed.json(metadata.service_document(feed.root, await feed.list_tables()))
    if resource == "$metadata":
        document = await offload(metadata.metadata_document, await feed.list_tables())
        return HttpResponse(200, document, "application/xml", _HEADERS)
    match = _RESOURCE.fullmatch(resource)
    if match is None:
        raise NotSupported() if resource.startswith("$") or "/" in resource else ResourceNotFound()
    table = await feed.get_table(match["table"])
    options = parse_options(request.scope["query_string"], request.headers.get("prefer", ""))
    if match["key"] is not None:
        return await feed.get_row(table, match["key"], options)
    if match["count"]:
        total = await TableReader(ctx, actor, table, options).count()
        return HttpResponse(200, str(total).encode(), "text/plain", _HEADERS)
    if options.delta_after is not None:
        return await feed.get_changes(table, options, options.delta_after)
    return await feed.get_rows(table, options)


def _public_root(ctx: AppContext, request: ProgramRequest, customer_id: str) -> str:
    """Return the absolute URL of the feed."""
    origin = public_address(ctx.settings.base_url, request.scope["scheme"], request.headers.get("host"))
    return f"{origin}{_ROOT.replace('{customer_id:str}', customer_id)}/"


class Feed:
    """The feed of an account, for one request. `root` is its URL, which ends in `/`."""

    def __init__(self, ctx: AppContext, actor: Actor, root: str) -> None:
        self._ctx, self._actor, self.root = ctx, actor, root

    async def list_tables(self) -> list[ODataTable]:
        """Return the tables that the actor may read.

        Those of forms, each followed by its repeats, those of data sources, tasks and users.
        """
        names, found_forms, found_datasources = await self._load_resources()
        tables: list[ODataTable] = []
        async with self._ctx.db.reading(long=True) as tx:
            for form in found_forms:
                if form.id in names:
                    table = await load_form_table(tx, self._actor, form, names[form.id])
                    tables += [table, *table.repeats.values()]
        tables += [datasource_table(one, names[one.id]) for one in found_datasources if one.id in names]
        return [*tables, *list_fixed_tables(self._actor)]

    async def _load_resources(self) -> tuple[dict[str, str], list[Form], list[Datasource]]:
        """Return the names of tables by form or data source, and those; name the tables that have no name yet."""
        async with self._ctx.db.reading() as tx:
            names = await feeds.list_table_names(tx, self._actor)
            found_forms, found_datasources = await list_resources(tx, self._actor)
        resources = name_resources(found_forms, found_datasources)
        if not all(resource.id in names for resource in resources):
            async with self._ctx.db.writing() as tx:
                names = await feeds.name_tables(tx, self._actor, resources)
        return names, found_forms, found_datasources

    async def get_table(self, name: str) -> ODataTable:
        """Return the table with this name; raises `ResourceNotFound`."""
        if found := {TASKS.name: TASKS, USERS.name: USERS}.get(name):
            return found
        own, _, repeat = name.partition("__")
        names, found_forms, found_datasources = await self._load_resources()
        ids = {table_name: resource_id for resource_id, table_name in names.items()}
        async with self._ctx.db.reading() as tx:
            for form in found_forms:
                if form.id == ids.get(own):
                    table = await load_form_table(tx, self._actor, form, own)
                    found = table.repeats.get(repeat) if repeat else table
                    if found:
                        return found
        for datasource in found_datasources:
            if datasource.id == ids.get(name):
                return datasource_table(datasource, name)
        raise ResourceNotFound()

    async def get_rows(self, table: ODataTable, options: QueryOptions) -> HttpResponse:
        """Return a page of rows."""
        sequence = options.start.sequence
        tracks = options.tracks_changes and options.is_first_page and self._can_track(table, options)
        if tracks:
            # Before the first row is read, so that changes while reading are in the delta, too.
            sequence = await newest_event(self._ctx, self._actor)
        page = await TableReader(self._ctx, self._actor, table, options).read()
        body: dict[str, Any] = {"@odata.context": self._context(table, options)}
        if page.count is not None:
            body["@odata.count"] = page.count
        body["value"] = page.rows
        url = self.root + quote(table.name)
        if page.next:
            token = msgspec.structs.replace(page.next, sequence=sequence)
            # The token contains what remains of `$skip` and `$top`, and only the first page has a count.
            body["@odata.nextLink"] = options.link(
                url, _skiptoken=encode_token(token), _count=None, _skip=None, _top=None
            )
        elif sequence is not None:
            body["@odata.deltaLink"] = options.link(
                url, _deltatoken=str(sequence), _skiptoken=None, _count=None, _skip=None, _top=None
            )
        response = self.json(await offload(msgspec.json.encode, body))
        if tracks:
            response.headers["preference-applied"] = "odata.track-changes"
        return response

    async def get_changes(self, table: ODataTable, options: QueryOptions, after: int) -> HttpResponse:
        """Return a page of changes."""
        if not self._can_track(table, options):
            detail = "Only tables of submissions have deltas, without $orderby and $top."
            raise option_error("$deltatoken", f"{detail} The key needs the permission webhooks:read.")
        changes = await read_changes(self._ctx, self._actor, table, options, after)
        context = f"{self.root}$metadata#{quote(table.name)}"
        removed = [
            {
                "@odata.context": f"{context}/$deletedEntity",
                "id": f"{quote(table.name)}('{one}')",
                "reason": "deleted",
            }
            for one in changes.removed
        ]
        url = options.link(self.root + quote(table.name), _deltatoken=str(changes.next))
        link = "@odata.deltaLink" if changes.is_complete else "@odata.nextLink"
        return self.json({"@odata.context": f"{context}/$delta", "value": [*changes.rows, *removed], link: url})

    async def get_row(self, table: ODataTable, text: str, options: QueryOptions) -> HttpResponse:
        """Return the row with this key, such as `'sub_1'` or `_submission_id='sub_1',_row=2`."""
        keys = _parse_key(text, table.key)
        async with self._ctx.db.reading() as tx:
            record = await table.source.find(tx, self._actor, str(keys[0]))
        reader = TableReader(self._ctx, self._actor, table, options)
        for row in table.rows(record) if record is not None else ():
            if all(table.columns[name].read(row) == key for name, key in zip(table.key, keys, strict=True)):
                context = f"{self._context(table, options)}/$entity"
                return self.json({"@odata.context": context, **reader.to_json(row, record)})
        raise ResourceNotFound()

    def json(self, body: Mapping[str, Any] | bytes) -> HttpResponse:
        """Return a response with this JSON."""
        content = body if isinstance(body, bytes) else msgspec.json.encode(body)
        return HttpResponse(200, content, _JSON, dict(_HEADERS))

    def _context(self, table: ODataTable, options: QueryOptions) -> str:
        names = [*(options.select or ()), *(f"{name}()" for name in options.expand)]
        selected = f"({','.join(names)})" if names else ""
        return f"{self.root}$metadata#{quote(table.name)}{selected}"

    def _can_track(self, table: ODataTable, options: QueryOptions) -> bool:
        """Whether deltas of this query are possible. They come from the event log."""
        paged = options.order or "$top" in options.parameters or "$skip" in options.parameters
        reads_events = Permission.WEBHOOKS_READ in self._actor.permissions
        return isinstance(table.source, Submissions) and table.counts_records and not paged and reads_events


def _parse_key(text: str, names: Sequence[str]) -> list[str | int]:
    """Return the values of a key; raises `ResourceNotFound` if it isn't one."""
    matches = list(_KEY.finditer(text))
    if len(matches) != len(names) or ",".join(match[0] for match in matches) != text.replace(", ", ","):
        raise ResourceNotFound()
    return [int(one["number"]) if one["number"] else one["text"].replace("''", "'") for one in matches]
