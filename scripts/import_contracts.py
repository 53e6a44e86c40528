"""A custom import-linter contract: stores are private to their domain package."""

import re

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

STORE = re.compile(r"(?P<package>formwright\.domain\.\w+)\.(?:.+\.)?(?:\w+_)?store(?:\..+)?")


class PrivateStore(Contract):
    """Modules named `store` or `*_store`, which hold the SQL, are imported only from within their domain package.

    The built-in contracts need every package listed; this one also covers packages added later.
    """

    type_name = "private_store"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        intruders = sorted(
            (importer, store)
            for store in graph.modules
            if (found := STORE.fullmatch(store))
            for importer in graph.find_modules_that_directly_import(store)
            if not f"{importer}.".startswith(f"{found['package']}.")
        )
        return ContractCheck(kept=not intruders, metadata={"intruders": intruders})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, store in check.metadata["intruders"]:
            output.print_error(f"- {importer} -> {store}", bold=False)
