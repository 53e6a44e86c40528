"""Templates and folders."""

from formwright.api.context import RequestContext
from formwright.api.operations import operation
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import forms as wire
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import FolderCircle, FolderNameTaken, FolderNotFound, FolderTooDeep
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates
from formwright.domain.forms.models import TemplateGlobal, TemplateNotFound

_TEMPLATES = "/forms/customer/{customerId}/templates"
_FOLDERS = "/forms/customer/{customerId}/folders"


@operation(
    "GET", ("listTemplates", _TEMPLATES), tag="Forms", permission=Permission.FORMS_READ, raises=(CustomerNotFound,)
)
async def list_templates(call: RequestContext, query: PageQuery) -> List[wire.Template]:
    """List the templates: the global ones first, then the account's own."""
    async with call.reading() as tx:
        return call.listing(await templates.page(tx, call.actor, query.window()), wire.template)


@operation(
    "POST",
    ("createTemplate", _TEMPLATES),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    status=201,
    location=_TEMPLATES + "/{id}",
    raises=(CustomerNotFound, Invalid),
)
async def create_template(call: RequestContext, body: wire.TemplateWrite) -> wire.Template:
    """Create a template. `POST /forms` with its `templateId` makes a form of it."""
    async with call.writing() as tx:
        return wire.template(await templates.create(tx, call.actor, body.to_domain()))


@operation(
    "GET",
    ("getTemplate", _TEMPLATES + "/{templateId}"),
    tag="Forms",
    permission=Permission.FORMS_READ,
    raises=(CustomerNotFound, TemplateNotFound),
)
async def get_template(call: RequestContext, template_id: str) -> wire.Template:
    """Read one template."""
    async with call.reading() as tx:
        return wire.template(await templates.get(tx, call.actor, template_id=template_id))


@operation(
    "PUT",
    ("updateTemplate", _TEMPLATES + "/{templateId}"),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, TemplateNotFound, TemplateGlobal, Invalid),
)
async def update_template(call: RequestContext, template_id: str, body: wire.TemplateWrite) -> wire.Template:
    """Change a template of the account. Forms that were made from it stay as they are."""
    async with call.writing() as tx:
        return wire.template(await templates.change(tx, call.actor, body.to_domain(), template_id=template_id))


@operation(
    "GET", ("listFolders", _FOLDERS), tag="Folders", permission=Permission.FORMS_READ, raises=(CustomerNotFound,)
)
async def list_folders(call: RequestContext, query: PageQuery) -> List[wire.Folder]:
    """List the folders; `parentId` makes a tree of them."""
    async with call.reading() as tx:
        return call.listing(await folders.page(tx, call.actor, query.window()), wire.folder)


@operation(
    "POST",
    ("createFolder", _FOLDERS),
    tag="Folders",
    permission=Permission.FORMS_EDIT,
    status=201,
    location=_FOLDERS + "/{id}",
    raises=(CustomerNotFound, FolderNameTaken, FolderTooDeep, Invalid),
)
async def create_folder(call: RequestContext, body: wire.FolderWrite) -> wire.Folder:
    """Create a folder, at the root or in another."""
    async with call.writing() as tx:
        return wire.folder(await folders.create(tx, call.actor, name=body.name, parent_id=body.parent_id))


@operation(
    "GET",
    ("getFolder", _FOLDERS + "/{folderId}"),
    tag="Folders",
    permission=Permission.FORMS_READ,
    raises=(CustomerNotFound, FolderNotFound),
)
async def get_folder(call: RequestContext, folder_id: str) -> wire.Folder:
    """Read one folder."""
    async with call.reading() as tx:
        return wire.folder(await folders.get(tx, call.actor, folder_id=folder_id))


@operation(
    "PUT",
    ("updateFolder", _FOLDERS + "/{folderId}"),
    tag="Folders",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, FolderNotFound, FolderNameTaken, FolderCircle, FolderTooDeep, Invalid),
)
async def update_folder(call: RequestContext, folder_id: str, body: wire.FolderWrite) -> wire.Folder:
    """Rename a folder, or move it with all that is in it."""
    async with call.writing() as tx:
        record = await folders.change(tx, call.actor, folder_id=folder_id, name=body.name, parent_id=body.parent_id)
    return wire.folder(record)


@operation(
    "POST",
    ("moveForms", _FOLDERS + "/{folderId}/forms"),
    tag="Folders",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, FolderNotFound, Invalid),
)
async def move_forms(call: RequestContext, folder_id: str, body: wire.FolderMove) -> wire.Folder:
    """Move forms into a folder: all of them or, where one is unknown, none."""
    async with call.writing() as tx:
        await forms.move_to_folder(tx, call.actor, form_ids=body.form_ids, folder_id=folder_id)
        return wire.folder(await folders.get(tx, call.actor, folder_id=folder_id))


OPERATIONS = [
    *list_templates,
    *create_template,
    *get_template,
    *update_template,
    *list_folders,
    *create_folder,
    *get_folder,
    *update_folder,
    *move_forms,
]
