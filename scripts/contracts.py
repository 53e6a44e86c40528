"""A contract of our own for import-linter, which has none that holds for rooms yet to be built."""

import re

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

STORE = re.compile(r"(?P<room>.+)\.store(\..+)?")


class PrivateStore(Contract):
    """`<room>.store`, where its SQL is, is imported by modules of that room only. Holds for every room there is."""

    type_name = "private_store"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        intruders = sorted(
            (importer, store)
            for store in graph.modules
            if (found := STORE.fullmatch(store))
            for importer in graph.find_modules_that_directly_import(store)
            if not f"{importer}.".startswith(f"{found['room']}.")
        )
        return ContractCheck(kept=not intruders, metadata={"intruders": intruders})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, store in check.metadata["intruders"]:
            output.print_error(f"- {importer} -> {store}", bold=False)
