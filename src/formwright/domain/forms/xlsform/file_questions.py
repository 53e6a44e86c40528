"""The data sources in which questions with choices in files look up their rows."""

from dataclasses import replace

from formwright.domain.forms.xlsform.choice_files import ChoiceSources, default_value, name_by_key
from formwright.domain.forms.xlsform.external_choices import MAX_FILE_NAME
from formwright.domain.forms.xlsform.field_mapping import parse_parameters
from formwright.domain.forms.xlsform.question_types import Question
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row


def find_file(question: Question, row: Row, sources: ChoiceSources, report: Report) -> Question:
    """Return the question with the data source of its file whose rows are identified by its column."""
    key, other = _key(question, row), name_by_key(question.file, _key(question, row))
    if question.file not in sources or sources[question.file].key_column == key or other not in sources:
        return question
    detail = f"{row.value('name')} finds the rows of {question.file} by {key}, in {other}. That has only the first row"
    detail += f" of each {key}, so a choice that belongs to several others is only offered with the first one."
    report.add_change("survey", row.number, "type", "choice_keys", detail)
    return replace(question, file=other)


def find_file_error(question: Question, row: Row, sources: ChoiceSources) -> str:
    """Return why a question cannot look up its choices, or an empty text."""
    if len(question.file) > MAX_FILE_NAME:
        return f"The name of the file with its choices has more than {MAX_FILE_NAME} characters."
    key, source = _key(question, row), sources.get(question.file)
    if source is None:
        return f"There is no data source named {question.file[:100]}. Create it from the file, and import again."
    if source.key_column != key:
        return f"The key column of the data source {question.file[:100]} is {source.key_column}, not {key[:100]}."
    return ""


def _key(question: Question, row: Row) -> str:
    return parse_parameters(row).get("value", default_value(question.file))
