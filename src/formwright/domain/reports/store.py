"""SQL of the templates of reports."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction


async def find_template(tx: ReadTransaction, scope: Scope, form_id: str) -> str | None:
    row = await tx.fetch_one(
        "SELECT template FROM report_templates WHERE customer_id = $1 AND form_id = $2", scope.customer_id, form_id
    )
    return str(row[0]) if row else None


async def replace_template(tx: WriteTransaction, scope: Scope, form_id: str, text: str) -> None:
    """Store the template of a form, or delete it if the text is empty."""
    await tx.execute("DELETE FROM report_templates WHERE customer_id = $1 AND form_id = $2", scope.customer_id, form_id)
    if text:
        await tx.execute(
            "INSERT INTO report_templates (customer_id, form_id, template) VALUES ($1, $2, $3)",
            scope.customer_id,
            form_id,
            text,
        )
