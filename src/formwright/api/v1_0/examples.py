"""An example body for each operation that accepts JSON, used by the OpenAPI document, the API reference and the tests.

Tests replace the ids by existing ones. Submissions match the form that the example of `createForm` creates.
"""

from typing import Any

_SAME = "01h455vb4pex5vsknk084sn02q"
USER, FORM, SUBMISSION = (f"{kind}_{_SAME}" for kind in ("usr", "frm", "sub"))

_FIELDS = [
    {"type": "text", "name": "site", "label": "Site", "required": True},
    {"type": "integer", "name": "people", "label": "People on site", "min": 0},
    {"type": "boolean", "name": "damage", "label": "Any damage?"},
]
_FORM = {"name": "Site visit", "description": "Filled at every visit.", "tags": ["field"], "fields": _FIELDS}
_VERSION = {"fields": _FIELDS, "remarks": "Asks for damage."}
_TEMPLATE = {"name": "Site visit", "description": "To start from.", "language": "en", "fields": _FIELDS}
_SUBSCRIBER = {"name": "CRM", "url": "https://crm.example.org/hook", "types": ["submission.*"]}
_VIEW = {
    "name": "Busy sites, last 7 days",
    "formId": FORM,
    "filter": {"status": ["SUBMITTED"], "lastDays": 7, "answers": {"people[gte]": "3"}},
    "columns": ["submittedAt", "answers.site", "answers.people"],
}
_GRANT = {"roleId": f"rol_{_SAME}", "resource": {"type": "form", "id": FORM}}
_ROWS = [{"number": "C-1", "name": "Harbour Ltd"}, {"number": "C-2", "name": "Pier & Sons"}]
_BLOCK = {
    "name": "Address",
    "description": "For all forms that ask where somebody lives.",
    "fields": [
        {"type": "text", "name": "street", "label": "Street", "required": True},
        {"type": "text", "name": "town", "label": "Town", "required": True},
    ],
}
_EXPORT = {
    "name": "Site visits for the warehouse",
    "formId": FORM,
    "incremental": True,
    "schedule": {"every": "HOURLY"},
}

BODIES: dict[str, dict[str, Any]] = {
    "createSubmission": {"data": {"site": "Harbour 4", "people": 3, "damage": False}, "externalId": "crm-4711"},
    "updateSubmission": {"data": {"site": "Harbour 4", "people": 5, "damage": True}},
    "changeSubmissions": {
        "items": [
            {"op": "create", "formId": FORM, "data": {"site": "Harbour 4", "people": 3, "damage": False}},
            {"op": "review", "id": SUBMISSION, "status": "REJECTED", "note": "Which quay?"},
        ]
    },
    "createSubmissionComment": {"body": "Which quay is this?", "mentions": [USER]},
    "createView": _VIEW,
    "updateView": _VIEW | {"name": "Busy sites to review"},
    "createForm": _FORM | {"publish": True},
    "createCustomerForm": _FORM | {"publish": True},
    "upsertForm": _FORM | {"externalId": "erp-17", "publish": True},
    "updateBranding": {"accentColor": "#2355c8", "senderName": "Harbour Office"},
    "updateFormReceipts": {"recipient": "FIELD", "field": "site"},
    "createQuestionBlock": _BLOCK,
    "updateQuestionBlock": _BLOCK
    | {"fields": [*_BLOCK["fields"], {"type": "text", "name": "country", "label": "Country"}]},
    "copyForm": {"name": "Site visit, south", "folderId": f"fol_{_SAME}"},
    "importFormBundle": {
        "bundle": {
            "format": "formwright-form",
            "version": 1,
            "name": "Site visit",
            "fields": [
                *_FIELDS,
                {"type": "lookup", "name": "client", "label": "Client", "datasourceId": f"dat_{_SAME}"},
            ],
            "settings": {"language": "en"},
            "datasources": {
                f"dat_{_SAME}": {"name": "Customers", "keyColumn": "number", "columns": ["number", "name"]}
            },
        },
        "datasources": {"Customers": f"dat_{_SAME}"},
    },
    "updateForm": {"name": "Site visit, 2nd year", "tags": ["field", "harbour"]},
    "createFormVersion": _VERSION,
    "validateFormVersion": _VERSION,
    "updateFormVersion": _VERSION,
    "createTemplate": _TEMPLATE,
    "updateTemplate": _TEMPLATE | {"tags": ["field"]},
    "createFolder": {"name": "North"},
    "updateFolder": {"name": "North and west"},
    "moveForms": {"formIds": [FORM]},
    "upsertDatasource": {"externalId": "erp-5", "name": "Customers", "keyColumn": "number", "rows": _ROWS},
    "createDatasource": {"name": "Customers", "keyColumn": "number", "rows": _ROWS},
    "updateDatasource": {"name": "Customers, all"},
    "replaceDatasourceRows": {"rows": _ROWS},
    "upsertDatasourceRows": {"rows": [{"number": "C-3", "name": "Crane Hire"}]},
    "restoreDatasourceRow": {"key": "C-1"},
    "createTask": {
        "recipients": {"users": [USER]},
        "message": "Please before Thursday.",
        "data": {"site": "Harbour 4"},
        "dueAt": "2030-01-10T16:00:00Z",
        "completeWhen": "ALL",
        "externalId": "erp-12",
    },
    "updateTaskByReference": {
        "externalId": "erp-12",
        "message": "Please before Friday.",
        "dueAt": "2030-01-11T16:00:00Z",
    },
    "updateTask": {"message": "Please before Friday.", "dueAt": "2030-01-11T16:00:00Z"},
    "reconcileSubmissions": {"submissions": [{"id": SUBMISSION, "revision": 1}], "formIds": [FORM]},
    "createInvite": {"formId": FORM, "email": "bo@example.org", "name": "Bo", "message": "Please by Friday."},
    "createUser": {"email": "ann@example.org", "name": "Ann Lee"},
    "updateUser": {"name": "Ann Lee-Hart"},
    "upsertUser": {"externalId": "hr-4711", "email": "ann@example.org", "name": "Ann Lee"},
    "addUserGrant": _GRANT,
    "createGroup": {"name": "Inspectors", "members": [USER]},
    "updateGroup": {"grants": [_GRANT]},
    "upsertGroup": {"externalId": "hr-12", "name": "Inspectors", "members": [USER]},
    "addGroupGrant": _GRANT,
    "addGroupMember": {"userId": USER},
    "createRole": {"name": "Reviewer", "permissions": ["forms:read", "submissions:read", "submissions:edit"]},
    "updateRole": {"permissions": ["forms:read", "submissions:read"]},
    "createExport": _EXPORT,
    "updateExport": _EXPORT | {"schedule": {"every": "WEEKLY", "weekday": 1, "hour": 6}, "format": "XLSX"},
    "createSubscriber": _SUBSCRIBER,
    "createCustomerSubscriber": _SUBSCRIBER,
    "rotateSubscriberSecret": {"overlapHours": 24},
    "replayEvents": {"afterSequence": 0, "types": ["submission.*"]},
    "updateSubscriber": {"types": ["submission.*", "task.*"]},
}
"""By the name of the operation."""
