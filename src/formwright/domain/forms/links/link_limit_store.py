"""SQL of the limits of public links."""

from formwright.core.db.interface import ReadTransaction, WriteTransaction


async def find_count(tx: ReadTransaction, customer_id: str, form_id: str) -> int | None:
    """Return the number of responses, or None if they are not counted."""
    row = await tx.fetch_one(
        "SELECT responses FROM link_counts WHERE customer_id = $1 AND form_id = $2", customer_id, form_id
    )
    return int(row[0]) if row else None


async def start_counting(tx: WriteTransaction, customer_id: str, form_id: str) -> None:
    """Count the responses so far: those of fill pages have a client id."""
    await tx.execute(
        "INSERT INTO link_counts (customer_id, form_id, responses) SELECT $1, $2, count(*) FROM submissions"
        " WHERE customer_id = $1 AND form_id = $2 AND client_id IS NOT NULL AND task_id IS NULL"
        " AND status <> 'STARTED'",
        customer_id,
        form_id,
    )


async def stop_counting(tx: WriteTransaction, customer_id: str, form_id: str) -> None:
    await tx.execute("DELETE FROM link_counts WHERE customer_id = $1 AND form_id = $2", customer_id, form_id)


async def count_up(tx: WriteTransaction, customer_id: str, form_id: str, limit: int) -> bool:
    """Count a response; return False if there are as many as the limit."""
    row = await tx.fetch_one(
        "UPDATE link_counts SET responses = responses + 1 WHERE customer_id = $1 AND form_id = $2 AND responses < $3"
        " RETURNING responses",
        customer_id,
        form_id,
        limit,
    )
    return row is not None


async def count_down(tx: WriteTransaction, customer_id: str, form_id: str) -> None:
    await tx.execute(
        "UPDATE link_counts SET responses = responses - 1 WHERE customer_id = $1 AND form_id = $2",
        customer_id,
        form_id,
    )


async def add_device(tx: WriteTransaction, customer_id: str, form_id: str, device: str, submission_id: str) -> bool:
    """Record that a device has responded; return False if it had before, with another submission."""
    row = await tx.fetch_one(
        # The update changes nothing. It is there for RETURNING, which returns no row that exists after DO NOTHING.
        "INSERT INTO link_devices (customer_id, form_id, device, submission_id) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (customer_id, form_id, device) DO UPDATE SET device = excluded.device RETURNING submission_id",
        customer_id,
        form_id,
        device,
        submission_id,
    )
    return row is not None and row[0] == submission_id


async def has_device(tx: ReadTransaction, customer_id: str, form_id: str, device: str) -> bool:
    row = await tx.fetch_one(
        "SELECT 1 FROM link_devices WHERE customer_id = $1 AND form_id = $2 AND device = $3",
        customer_id,
        form_id,
        device,
    )
    return row is not None


async def remove_devices(tx: WriteTransaction, customer_id: str, submission_id: str) -> None:
    await tx.execute(
        "DELETE FROM link_devices WHERE customer_id = $1 AND submission_id = $2", customer_id, submission_id
    )
