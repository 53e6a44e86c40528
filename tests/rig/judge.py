"""Judges an SQL text by PostgreSQL's grammar: does it name the customer wherever it touches what belongs to one?

A table is restricted where its `customer_id` is made equal to a parameter, or to that of another table of the same
statement that is restricted. For each INSERT `customer_id` has to be among its columns.
"""

from collections.abc import Iterable, Iterator

import sqlglot
from sqlglot import exp

OWNER = "customer_id"


def strays(text: str, tables: Iterable[str], *, condition: bool = False) -> list[str]:
    """The tables of `tables` that the text touches without naming their customer. `ValueError`: it cannot be read.

    A `condition` stands behind the `WHERE customer_id = $1` of a statement: only what it selects itself is judged.
    """
    if condition:
        text = f"SELECT 1 FROM made_by_query WHERE {OWNER} = $1 AND ({text})"
    try:
        tree = sqlglot.parse_one(text, dialect="postgres")
    except sqlglot.ParseError as error:
        raise ValueError(f"{error}: {text}") from error
    if isinstance(tree, exp.Command):
        raise ValueError(f"This is no statement that can be read: {text}")
    owned = set(tables)
    return [stray for part in _parts(tree) for stray in _strays(part, owned)]


def touched(text: str) -> set[str]:
    """The tables that the text names."""
    tree = sqlglot.parse_one(text, dialect="postgres")
    own = {cte.alias for cte in tree.find_all(exp.CTE)}
    locked = {id(table) for lock in tree.find_all(exp.Lock) for table in lock.find_all(exp.Table)}
    return {table.name for table in tree.find_all(exp.Table) if id(table) not in locked} - own


def is_refused_by_citus(text: str, tables: Iterable[str]) -> bool:
    """Whether a distributed database cannot run it: it locks rows, or goes on from row to row, over several customers;
    or it is an INSERT of values with a question inside."""
    tree = sqlglot.parse_one(text, dialect="postgres")
    if isinstance(tree, exp.Insert):
        inside = tree.find(exp.Select, exp.Subquery)
        return inside is not None and not isinstance(tree.expression, exp.Query)
    goes_on = any(one.args.get("recursive") for one in tree.find_all(exp.With))
    return (goes_on or tree.find(exp.Lock) is not None) and bool(strays(text, tables))


def _parts(tree: exp.Expr) -> Iterator[exp.Expr]:
    yield from tree.find_all(exp.Select, exp.Update, exp.Delete, exp.Insert)


def _strays(part: exp.Expr, owned: set[str]) -> list[str]:
    if isinstance(part, exp.Insert):
        return _insert(part, owned)
    tables = {table.alias_or_name: table.name for table in _tables(part) if table.name in owned}
    bound = {name for name in tables if _bound(part, name, len(tables) == 1, set())}
    joined = True
    while joined:
        more = {name for name in tables.keys() - bound if _bound(part, name, False, bound)}
        bound |= more
        joined = bool(more)
    return sorted(tables[name] for name in tables.keys() - bound)


def _insert(part: exp.Insert, owned: set[str]) -> list[str]:
    into = part.this
    columns = {column.name for column in into.expressions} if isinstance(into, exp.Schema) else set()
    table = into.this if isinstance(into, exp.Schema) else into
    return [table.name] if table.name in owned and OWNER not in columns else []


def _tables(part: exp.Expr) -> Iterator[exp.Table]:
    """Those of its own FROM and JOINs, not of what it selects inside."""
    if isinstance(part, exp.Update | exp.Delete):
        yield part.this
    sources = [part.args.get("from_") or part.args.get("from"), part.args.get("using"), *(part.args.get("joins") or ())]
    for source in sources:
        for one in source if isinstance(source, list) else [source]:
            inner = one.this if isinstance(one, exp.From | exp.Join) else one
            if isinstance(inner, exp.Table):
                yield inner


def _bound(part: exp.Expr, name: str, alone: bool, others: set[str]) -> bool:
    """Whether one of the conditions that must hold makes the customer of `name` equal to what is known."""
    return any(
        _is_owner(own, name, alone)
        and (isinstance(other, exp.Parameter | exp.Placeholder) or _known(other, part, others))
        for condition in _conditions(part)
        if isinstance(condition, exp.EQ)
        for own, other in ((condition.left, condition.right), (condition.right, condition.left))
    )


def _conditions(part: exp.Expr) -> Iterator[exp.Expr]:
    """What must hold for each row: the parts of WHERE and of each ON between which stands AND."""
    wheres = [part.args.get("where"), *(join.args.get("on") for join in part.args.get("joins") or ())]
    for where in wheres:
        whole = where.this if isinstance(where, exp.Where) else where
        if whole is not None:
            yield from (one.unnest() for one in (whole.flatten() if isinstance(whole, exp.And) else [whole]))


def _is_owner(side: exp.Expr, name: str, alone: bool) -> bool:
    return isinstance(side, exp.Column) and side.name == OWNER and (side.table == name or (alone and not side.table))


def _known(side: exp.Expr, part: exp.Expr, bound: set[str]) -> bool:
    """The customer of a table that is bound here, or of one of the statement around."""
    if not isinstance(side, exp.Column) or side.name != OWNER or not side.table:
        return False
    own = {table.alias_or_name for table in _tables(part)}
    return side.table in bound or side.table not in own
