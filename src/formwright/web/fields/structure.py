"""Notes, sections and repeats, on pages."""

from formwright.domain.forms.fields import NoteField, RepeatField, SectionField
from formwright.web.fields.designer_entries import DesignerEntries, DesignerEntry, MenuGroup

DESIGNER_ENTRIES: DesignerEntries = {
    NoteField: DesignerEntry(
        MenuGroup.STRUCTURE,
        "Note",
        "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7v4M8 5v.5",
        new_label="Note text",
    ),
    SectionField: DesignerEntry(
        MenuGroup.STRUCTURE, "Section", "M2 3h12M4 7h10M4 10h10M4 13h10", new_label="New section"
    ),
    RepeatField: DesignerEntry(
        MenuGroup.STRUCTURE,
        "Repeated group",
        "M3 7a5 5 0 0 1 9-2M12 2v3H9M13 9a5 5 0 0 1-9 2M4 14v-3h3",
        labels={"min": "Minimum entries", "max": "Maximum entries"},
    ),
}
