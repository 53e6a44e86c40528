"""Every operation of the API but the list of events, which is `Client.events`.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from formwright_client.calls.announcements import Announcements
from formwright_client.calls.audit_log import AuditLog
from formwright_client.calls.customers import Customers
from formwright_client.calls.datasources import Datasources
from formwright_client.calls.folders import Folders
from formwright_client.calls.forms import Forms
from formwright_client.calls.invites import Invites
from formwright_client.calls.submissions import Submissions
from formwright_client.calls.tasks import Tasks
from formwright_client.calls.users_and_groups import UsersAndGroups
from formwright_client.calls.webhooks import Webhooks


class Calls(
    Submissions,
    Forms,
    Folders,
    Datasources,
    Tasks,
    Invites,
    UsersAndGroups,
    Customers,
    AuditLog,
    Announcements,
    Webhooks,
):
    """The operations, one a method. Members of the query are named, and left out where they are not given."""
