"""The mutants of the fault-injection tests still fit the sources; `make chaos` tests whether they are detected."""

import pytest
from chaos.mutants import MUTANTS, ROOT, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.name}, {mutant.database}")
def test_each_replaced_text_occurs_once(mutant: Mutant) -> None:
    for file, text, _ in mutant.cuts:
        assert (ROOT / "src" / "formwright" / file).read_text(encoding="utf-8").count(text) == 1, text
