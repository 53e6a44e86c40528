"""The addresses of a person's own account."""

from formwright.web.pages.account import first_owner, own, second_factor, set_password, sign_in, sign_in_second

HANDLERS = [
    *first_owner.HANDLERS,
    *own.HANDLERS,
    *second_factor.HANDLERS,
    *set_password.HANDLERS,
    *sign_in.HANDLERS,
    *sign_in_second.HANDLERS,
]
