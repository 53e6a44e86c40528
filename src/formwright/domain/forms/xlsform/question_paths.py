"""Paths to questions in expressions, such as `../group/name` and `/data/group/name`."""

from formwright.domain.forms.xlsform.survey_sheet import Survey
from formwright.domain.forms.xlsform.syntax_tree import Untranslatable

_HERE = "current()/"


def find_question(survey: Survey, me: str, path: str) -> str:
    """Return the field at a path from the field `me`, or an empty text if there is none.

    Raises `Untranslatable` if the path leads to something that the form does not have here.
    """
    steps = path.removeprefix(_HERE).split("/")
    at = () if path.startswith("/") else (*survey.containers[me], me)
    # The first name in an absolute path is that of the form.
    for step in steps[2:] if path.startswith("/") else steps:
        if step == "..":
            at = _step_up(at, path)
        elif step != ".":
            found = survey.children.get((at[-1] if at else "", step))
            if found is None or found not in survey.rows:
                _check_is_nowhere(survey, step, path)
                return ""
            at = (*at, found)
    return at[-1] if at else ""


def _step_up(at: tuple[str, ...], path: str) -> tuple[str, ...]:
    if not at:
        raise Untranslatable(f"{path!r} leads out of the form")
    return at[:-1]


def _check_is_nowhere(survey: Survey, step: str, path: str) -> None:
    if reason := survey.names.reason_without(step):
        raise Untranslatable(reason)
    if step == "meta":
        raise Untranslatable(f"{path!r} is no question")
