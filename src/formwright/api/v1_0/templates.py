"""Operations on form templates and folders."""

from formwright.api.context import ReadContext, WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import templates as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import FolderCycle, FolderNameTaken, FolderNotFound, FolderTooDeep
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates
from formwright.domain.forms.models import TemplateGlobal, TemplateNotFound

_TEMPLATES = "/forms/customer/{customerId}/templates"
_FOLDERS = "/forms/customer/{customerId}/folders"
OPERATIONS = OperationGroup("Forms", reads=Permission.FORMS_READ, writes=Permission.FORMS_EDIT)


@OPERATIONS.declare("GET", ("listTemplates", _TEMPLATES))
async def list_templates(call: ReadContext, query: PageQuery) -> List[schemas.Template]:
    """List form templates.

    Returns the global templates first, then those of the account.
    """
    return call.listing(await templates.page(call.tx, call.actor, query.window()), schemas.template)


@OPERATIONS.declare("POST", ("createTemplate", _TEMPLATES), location=_TEMPLATES + "/{id}", raises=(Invalid,))
async def create_template(call: WriteContext, body: schemas.TemplateWrite) -> schemas.Template:
    """Create a form template.

    To create a form from it, pass its id to `createForm` as `templateId`.
    """
    return schemas.template(await templates.create(call.tx, call.actor, body.to_domain()))


@OPERATIONS.declare("GET", ("getTemplate", _TEMPLATES + "/{templateId}"), raises=(TemplateNotFound,))
async def get_template(call: ReadContext, template_id: str) -> schemas.Template:
    """Get a form template.

    Returns the fields and settings of a template of the account, or of a global one.
    """
    return schemas.template(await templates.get(call.tx, call.actor, template_id=template_id))


@OPERATIONS.declare(
    "PUT",
    ("updateTemplate", _TEMPLATES + "/{templateId}"),
    raises=(TemplateNotFound, TemplateGlobal, Invalid),
)
async def update_template(call: WriteContext, template_id: str, body: schemas.TemplateWrite) -> schemas.Template:
    """Update a form template.

    Replaces the template: optional properties you omit get their default values. Forms created from it stay unchanged.
    A global template cannot be updated: the response is 409 `template.global`.
    """
    return schemas.template(await templates.change(call.tx, call.actor, body.to_domain(), template_id=template_id))


FOLDER_OPERATIONS = OperationGroup("Folders", reads=Permission.FORMS_READ, writes=Permission.FORMS_EDIT)


@FOLDER_OPERATIONS.declare("GET", ("listFolders", _FOLDERS))
async def list_folders(call: ReadContext, query: PageQuery) -> List[schemas.Folder]:
    """List folders.

    Returns all folders in order of creation. `parentId` identifies the folder that contains a folder.
    """
    return call.listing(await folders.page(call.tx, call.actor, query.window()), schemas.Folder.of)


@FOLDER_OPERATIONS.declare(
    "POST",
    ("createFolder", _FOLDERS),
    location=_FOLDERS + "/{id}",
    raises=(FolderNameTaken, FolderTooDeep, Invalid),
)
async def create_folder(call: WriteContext, body: schemas.FolderWrite) -> schemas.Folder:
    """Create a folder.

    The folder is created in `parentId`, or at the top level. If its name is already used there, the response is 409
    `folder.name_taken`.
    """
    return schemas.Folder.of(await folders.create(call.tx, call.actor, name=body.name, parent_id=body.parent_id))


@FOLDER_OPERATIONS.declare("GET", ("getFolder", _FOLDERS + "/{folderId}"), raises=(FolderNotFound,))
async def get_folder(call: ReadContext, folder_id: str) -> schemas.Folder:
    """Get a folder.

    For the forms in it, use `listForms` with `folderId`.
    """
    return schemas.Folder.of(await folders.get(call.tx, call.actor, folder_id=folder_id))


@FOLDER_OPERATIONS.declare(
    "PUT",
    ("updateFolder", _FOLDERS + "/{folderId}"),
    raises=(FolderNotFound, FolderNameTaken, FolderCycle, FolderTooDeep, Invalid),
)
async def update_folder(call: WriteContext, folder_id: str, body: schemas.FolderWrite) -> schemas.Folder:
    """Update a folder.

    Renames the folder, or moves it with everything in it. Without `parentId`, the folder moves to the top level. A
    folder cannot be moved into itself or below itself: the response is 409 `folder.circle`.
    """
    record = await folders.update(call.tx, call.actor, folder_id=folder_id, name=body.name, parent_id=body.parent_id)
    return schemas.Folder.of(record)


@FOLDER_OPERATIONS.declare("POST", ("moveForms", _FOLDERS + "/{folderId}/forms"), raises=(FolderNotFound, Invalid))
async def move_forms(call: WriteContext, folder_id: str, body: schemas.FolderMove) -> schemas.Folder:
    """Move forms into a folder.

    Moves either all of the forms or, if one of them does not exist, none.

    Records the event `form.updated` for each form that moves.
    """
    await forms.move_to_folder(call.tx, call.actor, form_ids=body.form_ids, folder_id=folder_id)
    return schemas.Folder.of(await folders.get(call.tx, call.actor, folder_id=folder_id))
