"""The addresses of people."""

from formwright.web.pages.people import groups, overview, person, person_access, personal_data, roles

HANDLERS = [
    *overview.HANDLERS,
    *groups.HANDLERS,
    *person.HANDLERS,
    *person_access.HANDLERS,
    *personal_data.HANDLERS,
    *roles.HANDLERS,
]
