"""All resources."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from formwright_client._async.event_log import AsyncEventLog
from formwright_client._async.resources.announcements import AsyncAnnouncements
from formwright_client._async.resources.audit_log import AsyncAuditLog
from formwright_client._async.resources.customers import AsyncCustomers
from formwright_client._async.resources.datasources import AsyncDatasources
from formwright_client._async.resources.export_runs import AsyncExportRuns
from formwright_client._async.resources.exports import AsyncExports
from formwright_client._async.resources.files import AsyncFiles
from formwright_client._async.resources.folders import AsyncFolders
from formwright_client._async.resources.form_versions import AsyncFormVersions
from formwright_client._async.resources.forms import AsyncForms
from formwright_client._async.resources.groups import AsyncGroups
from formwright_client._async.resources.invites import AsyncInvites
from formwright_client._async.resources.invocations import AsyncInvocations
from formwright_client._async.resources.question_blocks import AsyncQuestionBlocks
from formwright_client._async.resources.reconciliation import AsyncReconciliation
from formwright_client._async.resources.roles import AsyncRoles
from formwright_client._async.resources.submissions import AsyncSubmissions
from formwright_client._async.resources.subscribers import AsyncSubscribers
from formwright_client._async.resources.tasks import AsyncTasks
from formwright_client._async.resources.templates import AsyncTemplates
from formwright_client._async.resources.trash import AsyncTrash
from formwright_client._async.resources.users import AsyncUsers
from formwright_client._async.resources.views import AsyncViews
from formwright_client._async.transport import AsyncTransport


class AsyncResources:
    """The operations of the API, by resource."""

    def __init__(self, transport: AsyncTransport) -> None:
        self.submissions = AsyncSubmissions(transport)
        """Create, list, correct and review submissions."""
        self.files = AsyncFiles(transport)
        """Upload files, and read them."""
        self.forms = AsyncForms(transport)
        """Create, update, publish and import forms."""
        self.form_versions = AsyncFormVersions(transport)
        """Create, update, publish and export versions of forms."""
        self.views = AsyncViews(transport)
        """Save filters of the list of submissions as views."""
        self.exports = AsyncExports(transport)
        """Export submissions to files, once or on a schedule."""
        self.export_runs = AsyncExportRuns(transport)
        """Start and read the runs of exports."""
        self.templates = AsyncTemplates(transport)
        """Manage form templates."""
        self.question_blocks = AsyncQuestionBlocks(transport)
        """Manage blocks of questions that many forms use."""
        self.folders = AsyncFolders(transport)
        """Organise forms in a tree of folders."""
        self.datasources = AsyncDatasources(transport)
        """Import external data, such as customers or products, for lookup fields."""
        self.tasks = AsyncTasks(transport)
        """Assign forms to users and groups, and follow their progress."""
        self.invites = AsyncInvites(transport)
        """Invite people by email to fill in a form."""
        self.users = AsyncUsers(transport)
        """Manage users, and the access they have."""
        self.groups = AsyncGroups(transport)
        """Manage groups of users."""
        self.roles = AsyncRoles(transport)
        """Manage roles and their permissions."""
        self.trash = AsyncTrash(transport)
        """List what has been deleted and can be restored."""
        self.customers = AsyncCustomers(transport)
        """Read your account, and change its branding. The API calls an account a customer."""
        self.audit_log = AsyncAuditLog(transport)
        """Read who changed what, when and from where."""
        self.announcements = AsyncAnnouncements(transport)
        """List upcoming changes to the API, such as deprecations."""
        self.subscribers = AsyncSubscribers(transport)
        """Subscribe to events."""
        self.invocations = AsyncInvocations(transport)
        """Read, retry and cancel the deliveries to a subscriber."""
        self.events = AsyncEventLog(transport)
        """Read events."""
        self.reconciliation = AsyncReconciliation(transport)
        """Compare your copy of the submissions with the server."""
