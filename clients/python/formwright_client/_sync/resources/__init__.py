"""All resources."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from formwright_client._sync.event_log import EventLog
from formwright_client._sync.resources.announcements import Announcements
from formwright_client._sync.resources.audit_log import AuditLog
from formwright_client._sync.resources.customers import Customers
from formwright_client._sync.resources.datasources import Datasources
from formwright_client._sync.resources.export_runs import ExportRuns
from formwright_client._sync.resources.exports import Exports
from formwright_client._sync.resources.files import Files
from formwright_client._sync.resources.folders import Folders
from formwright_client._sync.resources.form_versions import FormVersions
from formwright_client._sync.resources.forms import Forms
from formwright_client._sync.resources.groups import Groups
from formwright_client._sync.resources.invites import Invites
from formwright_client._sync.resources.invocations import Invocations
from formwright_client._sync.resources.question_blocks import QuestionBlocks
from formwright_client._sync.resources.reconciliation import Reconciliation
from formwright_client._sync.resources.roles import Roles
from formwright_client._sync.resources.submissions import Submissions
from formwright_client._sync.resources.subscribers import Subscribers
from formwright_client._sync.resources.tasks import Tasks
from formwright_client._sync.resources.templates import Templates
from formwright_client._sync.resources.trash import Trash
from formwright_client._sync.resources.users import Users
from formwright_client._sync.resources.views import Views
from formwright_client._sync.transport import Transport


class Resources:
    """The operations of the API, by resource."""

    def __init__(self, transport: Transport) -> None:
        self.submissions = Submissions(transport)
        """Create, list, correct and review submissions."""
        self.files = Files(transport)
        """Upload files, and read them."""
        self.forms = Forms(transport)
        """Create, update, publish and import forms."""
        self.form_versions = FormVersions(transport)
        """Create, update, publish and export versions of forms."""
        self.views = Views(transport)
        """Save filters of the list of submissions as views."""
        self.exports = Exports(transport)
        """Export submissions to files, once or on a schedule."""
        self.export_runs = ExportRuns(transport)
        """Start and read the runs of exports."""
        self.templates = Templates(transport)
        """Manage form templates."""
        self.question_blocks = QuestionBlocks(transport)
        """Manage blocks of questions that many forms use."""
        self.folders = Folders(transport)
        """Organise forms in a tree of folders."""
        self.datasources = Datasources(transport)
        """Import external data, such as customers or products, for lookup fields."""
        self.tasks = Tasks(transport)
        """Assign forms to users and groups, and follow their progress."""
        self.invites = Invites(transport)
        """Invite people by email to fill in a form."""
        self.users = Users(transport)
        """Manage users, and the access they have."""
        self.groups = Groups(transport)
        """Manage groups of users."""
        self.roles = Roles(transport)
        """Manage roles and their permissions."""
        self.trash = Trash(transport)
        """List what has been deleted and can be restored."""
        self.customers = Customers(transport)
        """Read your account, and change its branding. The API calls an account a customer."""
        self.audit_log = AuditLog(transport)
        """Read who changed what, when and from where."""
        self.announcements = Announcements(transport)
        """List upcoming changes to the API, such as deprecations."""
        self.subscribers = Subscribers(transport)
        """Subscribe to events."""
        self.invocations = Invocations(transport)
        """Read, retry and cancel the deliveries to a subscriber."""
        self.events = EventLog(transport)
        """Read events."""
        self.reconciliation = Reconciliation(transport)
        """Compare your copy of the submissions with the server."""
