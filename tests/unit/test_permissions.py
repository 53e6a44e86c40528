"""The permissions of an actor, derived from its roles."""

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


def test_a_role_for_the_account_applies_everywhere() -> None:
    owner = _person(_held(ALL_PERMISSIONS, ResourceType.ACCOUNT, "cus_a"))
    assert owner.permissions == ALL_PERMISSIONS
    assert all(allow_everywhere(owner, one) == Scope("cus_a") for one in Permission)


def test_a_role_for_a_part_applies_only_there() -> None:
    person = _person(_held(ALL_PERMISSIONS, ResourceType.FOLDER, "fol_a"), _held(MANAGER, ResourceType.FORM, "frm_a"))
    reach = Reach(frozenset({"frm_a"}), frozenset({"fol_a"}))
    assert allow(person, Permission.FORMS_EDIT) == Scope("cus_a", reach)
    for refused in (Permission.KEYS_READ, Permission.PEOPLE_MANAGE, Permission.CUSTOMER_EDIT, Permission.AUDIT_READ):
        with pytest.raises(Denied):
            allow(person, refused)
    with pytest.raises(Denied):
        allow_everywhere(person, Permission.FORMS_EDIT)


def test_permissions_required_for_work_on_forms_apply_to_the_account() -> None:
    person = _person(_held(MANAGER, ResourceType.FORM, "frm_a"))
    assert allow_everywhere(person, Permission.PEOPLE_READ) == Scope("cus_a")
    assert allow_everywhere(person, Permission.DATASOURCES_READ) == Scope("cus_a")


def test_a_role_for_the_account_includes_its_parts() -> None:
    viewer = _held(BUILT_IN_ROLES["Data viewer"], ResourceType.ACCOUNT, "cus_a")
    person = _person(viewer, _held(MANAGER, ResourceType.FORM, "frm_a"))
    assert allow(person, Permission.SUBMISSIONS_READ).reach is None
    assert allow(person, Permission.FORMS_EDIT).reach == Reach(frozenset({"frm_a"}))


def test_a_user_without_roles_can_only_read_the_account() -> None:
    assert _person().permissions == {Permission.CUSTOMER_READ}


def test_a_link_gives_access_to_its_form_only() -> None:
    link = actors.link("frm_a", "cus_a")
    assert allow(link, Permission.SUBMISSIONS_CREATE).reach == Reach(frozenset({"frm_a"}))
    with pytest.raises(Denied):
        allow(link, Permission.FORMS_READ)


def test_only_owners_can_change_the_account() -> None:
    has_it = {name for name, allowed in BUILT_IN_ROLES.items() if Permission.CUSTOMER_EDIT in allowed}
    assert has_it == {"Owner"}


def test_every_form_permission_can_be_granted_for_a_part() -> None:
    assert effective_permissions(ALL_PERMISSIONS, is_whole_account=False) >= FORM_PERMISSIONS
    assert effective_permissions(MANAGER, is_whole_account=True) == MANAGER


TRASH = "form_id NOT IN (SELECT id FROM trash_rows WHERE customer_id = $1 AND source = 'forms')"


def test_the_full_scope_only_leaves_out_deleted_forms() -> None:
    query = Query("SELECT id FROM submissions", "cus_a").in_scope(Scope("cus_a")).folders_in_scope(Scope("cus_a"))
    assert (query.sql(), query.args) == (f"SELECT id FROM submissions WHERE customer_id = $1 AND {TRASH}", ["cus_a"])


def test_a_scope_of_one_form_is_a_simple_condition() -> None:
    query = Query("SELECT id FROM submissions", "cus_a").in_scope(Scope("cus_a", Reach(frozenset({"frm_a"}))))
    assert query.sql().endswith(f"customer_id = $1 AND {TRASH} AND form_id = $2")
