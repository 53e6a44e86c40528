"""Every statement on an account's data names the customer.

So it cannot reach another customer's data, and a distributed PostgreSQL can send it to one machine.
"""

from pathlib import Path

import pytest
from fixtures import sql_statements
from fixtures.app_contexts import open_migrated_context, settings_for
from fixtures.cross_account_statements import ACROSS
from fixtures.sql_statements import MADE, Statement, UnreadableStatement, _Source
from fixtures.statement_check import is_refused_by_citus, strays, touched
from fixtures.statement_recorder import strangers

from formwright.core.db.interface import for_postgres

TABLES = {"forms", "versions", "users"}
"""The customers of the examples."""


async def _owned(folder: Path) -> tuple[set[str], set[str]]:
    """Return the tables that belong to customers, and all tables."""
    async with open_migrated_context(settings_for(folder)) as ctx, ctx.db.reading() as tx:
        columns = await tx.fetch("SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c")
    return {table for table, column in columns if column == "customer_id"}, {table for table, _ in columns}


async def test_every_statement_names_the_customer(tmp_path: Path) -> None:
    owned, known = await _owned(tmp_path)
    found: dict[str, str] = {}
    for one in sql_statements.read():
        text = for_postgres(one.text)
        if text and strays(text, owned, condition=one.condition):
            found[one.where] = text
        if text and not one.condition:
            assert touched(text) - known <= {"made_by_query"}, f"{one.where} names a table that is not there: {text}"
    nameless = {where: text for where, text in found.items() if where not in ACROSS}
    assert not nameless, (
        "restrict these by customer_id, or give each its reason in tests/fixtures/cross_account_statements.py"
    )
    assert found.keys() == ACROSS.keys(), "an unnecessary exception"


async def test_a_distributed_database_can_run_every_statement(tmp_path: Path) -> None:
    owned, _ = await _owned(tmp_path)
    whole = {one.where: text for one in sql_statements.read() if not one.condition and (text := for_postgres(one.text))}
    refused = [where for where, text in whole.items() if is_refused_by_citus(text, owned)]
    # Transactions over several accounts do not exist on a distributed database: see tests/db.
    assert refused == ["core/db/account_lock.py acquire_available"]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("SELECT id FROM forms WHERE customer_id = $1 FOR UPDATE", False),
        ("SELECT id FROM forms FOR UPDATE", True),
        ("SELECT f.id FROM forms f WHERE f.id = $1 FOR UPDATE OF f SKIP LOCKED", True),
        ("SELECT id FROM forms", False),
        ("WITH RECURSIVE a AS (SELECT id FROM forms UNION SELECT id FROM a) SELECT id FROM a", True),
        ("INSERT INTO forms (customer_id, id) SELECT customer_id, id FROM users WHERE customer_id = $1", False),
        ("INSERT INTO forms (customer_id, id) VALUES ($1, $2) RETURNING id", False),
        ("INSERT INTO forms (customer_id, id) VALUES ($1, (SELECT max(id) FROM users WHERE customer_id = $1))", True),
        ("INSERT INTO forms (customer_id) VALUES ($1) RETURNING (SELECT id FROM users WHERE customer_id = $1)", True),
    ],
)
def test_the_checker_knows_what_citus_refuses(text: str, refused: bool) -> None:
    assert is_refused_by_citus(text, TABLES) == refused


async def test_a_statement_found_at_run_time_is_checked_too(tmp_path: Path) -> None:
    owned, _ = await _owned(tmp_path)
    known = {"SELECT id FROM forms WHERE customer_id = $1", "SELECT COALESCE(sum(sequence), 0) FROM account_order"}
    assert strangers(known | {"SELECT id FROM forms"}, owned) == ["SELECT id FROM forms"]


def test_the_parser_finds_every_statement_in_the_sources() -> None:
    read = sql_statements.read()
    assert len({one.where for one in read}) > 250
    assert {"INSERT INTO datasource_rows", "DELETE FROM invocations", "UPDATE account_order SET"} <= {
        " ".join(one.text.split()[:3]) for one in read
    }
    due = {one.text.split()[4] for one in read if one.where == "core/db/due_rows.py find_due_accounts"}
    assert due == {"invites", "mails", "receipt_settings", "submission_alerts", "submission_imports", "tasks"}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("SELECT id FROM forms WHERE customer_id = $1", []),
        ("SELECT id FROM forms WHERE customer_id = $1 OR id = $2", ["forms"]),
        ("SELECT id FROM forms WHERE NOT customer_id = $1", ["forms"]),
        ("SELECT id FROM forms WHERE customer_id <> $1", ["forms"]),
        ("SELECT id FROM forms WHERE customer_id = id", ["forms"]),
        ("SELECT id FROM forms WHERE customer_id IN (SELECT customer_id FROM users)", ["forms", "users"]),
        ("SELECT f.id FROM forms f JOIN users u ON u.id = f.id WHERE f.customer_id = $1", ["users"]),
        ("SELECT f.id FROM forms f JOIN users u ON u.customer_id = f.customer_id WHERE f.customer_id = $1", []),
        ("SELECT f.id FROM forms f JOIN users u ON u.customer_id = f.customer_id", ["forms", "users"]),
        ("SELECT f.id FROM forms f, users u WHERE f.customer_id = $1 AND u.customer_id = $1", []),
        ("SELECT f.id FROM forms f, users u WHERE customer_id = $1", ["forms", "users"]),
        ("SELECT 1 FROM forms f WHERE f.customer_id = $1 AND EXISTS (SELECT 1 FROM users WHERE id = f.id)", ["users"]),
        ("SELECT 1 FROM (SELECT id FROM forms) f WHERE customer_id = $1", ["forms"]),
        (
            "WITH a AS (SELECT id FROM forms WHERE customer_id = $1) SELECT id FROM a UNION SELECT id FROM users",
            ["users"],
        ),
        ("UPDATE forms SET name = $2 WHERE id = $1", ["forms"]),
        ("UPDATE forms SET name = $2 WHERE customer_id = $1 RETURNING (SELECT id FROM users)", ["users"]),
        ("DELETE FROM forms WHERE customer_id = $1 AND id IN (SELECT form_id FROM versions)", ["versions"]),
        ("INSERT INTO forms (id) VALUES ($1)", ["forms"]),
        ("INSERT INTO forms (customer_id, id) SELECT customer_id, id FROM versions", ["versions"]),
        ("SELECT 1 FROM throttles", []),
    ],
)
def test_the_checker_detects_unrestricted_statements(text: str, named: list[str]) -> None:
    assert sorted(strays(text, TABLES)) == named


def test_a_condition_counts_only_if_it_restricts_the_rows() -> None:
    assert strays("id = $9 OR name = $9", TABLES, condition=True) == []
    assert strays("id IN (SELECT id FROM users WHERE customer_id = $1)", TABLES, condition=True) == []
    assert strays("id IN (SELECT id FROM users)", TABLES, condition=True) == ["users"]


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("await tx.fetch('SELECT 1')", ["SELECT 1"]),
        ("also = ' AND a' if x else ''\n    await tx.fetch(f'SELECT 1{also}')", ["SELECT 1 AND a", "SELECT 1"]),
        ("for t in ('a', 'b'):\n        await tx.execute(f'DELETE FROM {t}')", ["DELETE FROM a", "DELETE FROM b"]),
        ("await tx.fetch(f'SELECT 1 LIMIT {x}')", ["SELECT 1 LIMIT $9"]),
        ("query = made(x)\n    await tx.fetch(query.sql())", [MADE]),
        ("Query('SELECT 1 FROM a', x)", ["SELECT 1 FROM a WHERE customer_id = $1"]),
        ("query.where('id IN (SELECT ?)', x)", ["id IN (SELECT $9)"]),
        ("await tx.copy('a', ('b', 'c'), x)", ["INSERT INTO a (b, c) VALUES ($9)"]),
    ],
)
def test_statements_are_found_however_they_are_built(tmp_path: Path, body: str, texts: list[str]) -> None:
    assert [one.text for one in _in(tmp_path, body)] == texts


def test_a_statement_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UnreadableStatement):
        _in(tmp_path, "await tx.fetch(x)")


def _in(folder: Path, body: str) -> list[Statement]:
    path = folder / "module.py"
    path.write_text(f"async def act(tx, x):\n    {body}\n")
    return list(_Source("context.py", path).statements(lambda name: []))
