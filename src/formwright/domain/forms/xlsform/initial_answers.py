"""Calculations with `random()`, `uuid()` or `once()`, which become rules for initial answers.

JavaRosa evaluates them when the form is opened, and again when an answer that they read changes.
"""

from dataclasses import replace

from formwright.domain.forms.xlsform.function_calls import RowScope
from formwright.domain.forms.xlsform.survey_sheet import Document, PendingRule
from formwright.domain.forms.xlsform.syntax_tree import Call, Kinds, Name, Node, Untranslatable
from formwright.domain.forms.xlsform.tree_tests import names_in_tree, replace_calls
from formwright.domain.forms.xlsform.xpath_to_cel import translate_result


def as_initial_answer(one: PendingRule, document: Document, tree: Node, kinds: Kinds) -> PendingRule:
    """Return a calculation as a rule for an initial answer, and set the answers whose changes evaluate it again.

    If one of them is calculated, JavaRosa also does so when it gets the same value again.
    """
    names = sorted(names_in_tree(tree) - {one.name})
    if unseen := [name for name in names if name not in kinds]:
        raise Untranslatable(f"random(), uuid() and once() are not supported with answers in rows, as of {unseen[0]}")
    if names:
        document["recalculateOn"] = names
    return replace(one, member="defaultRule")


def keep_answer(me: str, tree: Node, kinds: Kinds, rows: RowScope, *, is_repeated: bool) -> tuple[Node, Kinds]:
    """Return the tree without `once()`, which returns the answer of the field `me` if there is one, and the kinds.

    The rule of an initial answer that is not evaluated again has none before.
    """
    fresh = replace_calls(tree, "once", _first_argument)
    if not is_repeated:
        return fresh, kinds
    kind = translate_result(fresh, kinds, rows).kind
    kept = replace_calls(tree, "once", lambda args: Call("coalesce", (Name(me), _first_argument(args))))
    return kept, {me: kind, **kinds}


def _first_argument(args: tuple[Node, ...]) -> Node:
    if len(args) != 1:
        raise Untranslatable("once() needs one argument")
    return args[0]
