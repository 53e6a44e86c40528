"""Exports that have run."""

from actors import Account

from factories.requests import PREFIX, post
from formwright.worker.exports import ExportWorker


async def every_event(account: Account, form_id: str) -> None:
    """Run an export that completes, and one that fails because its saved view was deleted."""
    exports, views = f"/customers/{account.id}/exports", f"/customers/{account.id}/views"
    view = await post(account, views, {"name": "For a while", "formId": form_id})
    for properties in ({}, {"viewId": view["id"]}):
        await post(account, exports, {"name": "All", "formId": form_id, **properties})
    assert (await account.api.delete(f"{PREFIX}{views}/{view['id']}")).status_code == 204
    worker = ExportWorker(account.ctx)
    while await worker.run_batch():
        pass
