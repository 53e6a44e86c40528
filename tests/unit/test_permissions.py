"""What somebody has, put together from what she was given."""

import pytest

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Reach, ResourceType, Scope, ScopedPermissions, allow, allow_everywhere
from formwright.core.auth.permissions import (
    ALL_PERMISSIONS,
    BUILT_IN_ROLES,
    FORM_PERMISSIONS,
    Permission,
    effective_permissions,
)
from formwright.core.db.query import Query
from formwright.core.errors import Denied

MANAGER = BUILT_IN_ROLES["Form manager"]


def _person(*held: ScopedPermissions) -> actors.Actor:
    return actors.person("usr_a", "cus_a", held)


def _held(permissions: frozenset[Permission], type_: ResourceType, id_: str) -> ScopedPermissions:
    return ScopedPermissions(permissions, type_, id_)


def test_a_role_for_the_account_holds_everywhere() -> None:
    owner = _person(_held(ALL_PERMISSIONS, ResourceType.ACCOUNT, "cus_a"))
    assert owner.permissions == ALL_PERMISSIONS
    assert all(allow_everywhere(owner, one) == Scope("cus_a") for one in Permission)


def test_a_role_for_a_part_holds_there_and_nothing_else_of_it_has_effect() -> None:
    person = _person(_held(ALL_PERMISSIONS, ResourceType.FOLDER, "fol_a"), _held(MANAGER, ResourceType.FORM, "frm_a"))
    reach = Reach(frozenset({"frm_a"}), frozenset({"fol_a"}))
    assert allow(person, Permission.FORMS_EDIT) == Scope("cus_a", reach)
    for refused in (Permission.KEYS_READ, Permission.PEOPLE_MANAGE, Permission.CUSTOMER_EDIT, Permission.AUDIT_READ):
        with pytest.raises(Denied):
            allow(person, refused)
    with pytest.raises(Denied):
        allow_everywhere(person, Permission.FORMS_EDIT)


def test_what_work_on_a_form_needs_beside_it_holds_for_the_account() -> None:
    person = _person(_held(MANAGER, ResourceType.FORM, "frm_a"))
    assert allow_everywhere(person, Permission.PEOPLE_READ) == Scope("cus_a")
    assert allow_everywhere(person, Permission.DATASOURCES_READ) == Scope("cus_a")


def test_the_whole_account_takes_in_its_parts() -> None:
    viewer = _held(BUILT_IN_ROLES["Data viewer"], ResourceType.ACCOUNT, "cus_a")
    person = _person(viewer, _held(MANAGER, ResourceType.FORM, "frm_a"))
    assert allow(person, Permission.SUBMISSIONS_READ).reach is None
    assert allow(person, Permission.FORMS_EDIT).reach == Reach(frozenset({"frm_a"}))


def test_who_was_given_nothing_knows_the_account_and_no_more() -> None:
    assert _person().permissions == {Permission.CUSTOMER_READ}


def test_a_link_opens_its_form_alone() -> None:
    link = actors.link("frm_a", "cus_a")
    assert allow(link, Permission.SUBMISSIONS_CREATE).reach == Reach(frozenset({"frm_a"}))
    with pytest.raises(Denied):
        allow(link, Permission.FORMS_READ)


def test_only_an_owner_may_change_the_account() -> None:
    has_it = {name for name, allowed in BUILT_IN_ROLES.items() if Permission.CUSTOMER_EDIT in allowed}
    assert has_it == {"Owner"}


def test_every_permission_of_forms_can_be_given_for_a_part() -> None:
    assert effective_permissions(ALL_PERMISSIONS, is_whole_account=False) >= FORM_PERMISSIONS
    assert effective_permissions(MANAGER, is_whole_account=True) == MANAGER


def test_the_whole_account_costs_no_condition() -> None:
    query = Query("SELECT id FROM submissions", "cus_a").in_scope(Scope("cus_a")).folders_in_scope(Scope("cus_a"))
    assert (query.sql(), query.args) == ("SELECT id FROM submissions WHERE customer_id = $1", ["cus_a"])


def test_one_form_is_searched_for_as_by_any_filter() -> None:
    query = Query("SELECT id FROM submissions", "cus_a").in_scope(Scope("cus_a", Reach(frozenset({"frm_a"}))))
    assert query.sql().endswith("customer_id = $1 AND form_id = $2")
