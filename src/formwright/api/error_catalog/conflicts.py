"""Codes of problems with status 409: the current state does not allow the request."""

from formwright.api.error_catalog.entries import ProblemCode

CONFLICTS = (
    ProblemCode(
        "user.not_invited",
        409,
        "The user has already accepted the invitation, or is disabled. Only in the pages.",
        "Do not invite them again. They can reset a forgotten password on the sign-in page.",
    ),
    ProblemCode(
        "identity_provider.issuer_taken",
        409,
        "Another identity provider of the account has this issuer. Only in the pages.",
        "Change the provider that exists.",
    ),
    ProblemCode(
        "identity_provider.too_many",
        409,
        "The account has ten identity providers. Only in the pages.",
        "Remove one that nobody uses.",
    ),
    ProblemCode(
        "user.second_factor.on",
        409,
        "Two-factor authentication is already on. Only in the pages.",
        "Turn it off first.",
    ),
    ProblemCode(
        "user.second_factor.off", 409, "Two-factor authentication is not on. Only in the pages.", "Start again."
    ),
    ProblemCode(
        "idempotency.reused",
        409,
        "This `Idempotency-Key` was used for this path with a different request within the last 24 hours.",
        "Use a new key for each new request.",
    ),
    ProblemCode(
        "idempotency.running",
        409,
        "The first request with this `Idempotency-Key` is still running.",
        "Retry after `Retry-After` seconds.",
    ),
    ProblemCode(
        "idempotency.unreadable",
        409,
        "The request with this `Idempotency-Key` succeeded within the last 24 hours, but its response can no longer "
        "be decrypted, because the operator has changed the server's secret key.",
        "Look for the resource it created. Use a new key for a new request.",
    ),
    ProblemCode(
        "form.not_published",
        409,
        "The form has no published version, so it cannot be filled in.",
        'Publish a version: `POST …/versions/{versionId}/publish`. Or create forms with `"publish": true`.',
    ),
    ProblemCode(
        "form.no_draft",
        409,
        'The newest version is final, so `"publish": true` has nothing to publish.',
        "Send `fields` or `settings` too, or publish an earlier version: `POST …/versions/{versionId}/publish`.",
    ),
    ProblemCode(
        "form.version.not_draft",
        409,
        "The version is final, and final versions never change.",
        "Create a new version: `POST …/forms/{formId}/versions`.",
    ),
    ProblemCode(
        "form.draft.overtaken",
        409,
        "Somebody else changed the form since the designer loaded it. Only in the designer, which shows `detail`.",
        "Use their version, or save yours as another one: the designer offers both.",
    ),
    ProblemCode(
        "form.archived",
        409,
        "The form is archived and accepts no submissions.",
        'Use another form, or restore it: `PUT …/forms/{formId}` with `"status": "ACTIVE"`.',
    ),
    ProblemCode(
        "form.link_not_open",
        409,
        "The form's `publicLink.opensAt` is in the future. Only when filling in a form; the page keeps the answers and "
        "sends them when it opens.",
        "Wait `Retry-After` seconds, or change the time.",
    ),
    ProblemCode(
        "form.link_closed",
        409,
        "The form's `publicLink.closesAt` has passed. Only when filling in a form; the page keeps the answers.",
        "Set a later time, and have the person submit again.",
    ),
    ProblemCode(
        "form.link_full",
        409,
        "The form has as many responses as `publicLink.maxResponses` allows. Only when filling in a form; the page "
        "keeps the answers.",
        "Raise the limit, and have the person submit again.",
    ),
    ProblemCode(
        "form.device_answered",
        409,
        "The form accepts one response per device (`publicLink.onePer`), and this one has sent one. Only when "
        "filling in a form.",
        "Correct or delete the earlier response.",
    ),
    ProblemCode(
        "form.continue_later_off",
        409,
        "The form does not offer links to continue later (`settings.continueLater`). Only when filling in a form.",
        "Reload the page, which no longer offers one.",
    ),
    ProblemCode(
        "fill.proof_required",
        409,
        "The form's link requires a proof of work (`publicLink.proofOfWork`). Only when filling in a form; the page "
        "solves a challenge and repeats the request.",
        "Get a challenge from `/fill/{token}/challenge` and send its solution.",
    ),
    ProblemCode(
        "template.global",
        409,
        "The template comes with Formwright and cannot be changed.",
        "Create your own from it: `POST …/templates`.",
    ),
    ProblemCode(
        "question_block.outdated",
        409,
        "Somebody else changed the question block. Only in the designer, which shows `detail`.",
        "Update the questions in the form first, then update the block.",
    ),
    ProblemCode(
        "folder.name_taken", 409, "The parent folder already contains a folder with this name.", "Choose another name."
    ),
    ProblemCode("folder.circle", 409, "The folder would be inside itself.", "Choose another `parentId`."),
    ProblemCode(
        "folder.too_deep", 409, "Folders would be nested more than 20 levels deep.", "Choose a folder further up."
    ),
    ProblemCode(
        "submission.external_id_taken",
        409,
        "The form already has a submission with this `externalId`: `existingId`, whose URL is in `Location`.",
        "If you are repeating a request, the submission was received before: there is nothing to do. Otherwise use "
        "another id.",
    ),
    ProblemCode(
        "submission.not_submitted",
        409,
        "The submission has only been started, so it cannot be corrected or reviewed.",
        "Wait for the event `submission.submitted`.",
    ),
    ProblemCode(
        "submission.changed",
        409,
        "Somebody else changed the submission since you loaded it. Only in the pages, and in changes by the sender.",
        "Reload the page, then make your change.",
    ),
    ProblemCode(
        "submission.link_ended",
        409,
        "The sender’s link no longer opens the answers: the time is over, they have been reviewed, or the form does "
        "not allow changes. Only when filling in a form.",
        "Reload the page: it says why.",
    ),
    ProblemCode(
        "submission.saved_elsewhere",
        409,
        "Another device, or another tab, saved the draft since the page loaded it. Only when filling in a form.",
        "Reload the page, which keeps the changes from both.",
    ),
    ProblemCode(
        "submission.submitted_already",
        409,
        "The page submitted the form a second time, with other answers. Only when filling in a form.",
        "Press Send again to submit them as a separate submission. Invites and tasks accept only one.",
    ),
    ProblemCode(
        "submission.search_too_broad",
        409,
        "The search with `q` was stopped after 8 seconds.",
        "Add a longer word, or filter by form or period.",
    ),
    ProblemCode(
        "export.running",
        409,
        "A run of the export is already in progress.",
        "Wait until the `status` of `latestRun` is `COMPLETED` or `FAILED`.",
    ),
    ProblemCode(
        "export.no_destination",
        409,
        "The export has no folder or bucket to test.",
        "Set its `destination` first.",
    ),
    ProblemCode("export.limit_reached", 409, "The account has 100 exports.", "Delete one that is no longer used."),
    ProblemCode(
        "view.name_taken",
        409,
        "The form already has a saved view with this name: one of the account or, for a private view, one of yours.",
        "Choose another name, or update that view.",
    ),
    ProblemCode(
        "view.limit_reached",
        409,
        "The account has 200 saved views for everyone, or the user has 100 private ones.",
        "Delete one that is no longer used.",
    ),
    ProblemCode(
        "comment.limit_reached",
        409,
        "The submission has 500 comments.",
        "Delete one of yours that is no longer needed.",
    ),
    ProblemCode(
        "datasource.name_taken", 409, "The account already has a data source with this name.", "Choose another name."
    ),
    ProblemCode(
        "datasource.upload.too_many",
        409,
        "The account has 20 uploaded files that wait to be imported. Only in the pages.",
        "Import or discard one of them, or wait an hour.",
    ),
    ProblemCode(
        "import.too_many",
        409,
        "20 imports of submissions are waiting or running.",
        "Wait until one of them has ended.",
    ),
    ProblemCode(
        "import.too_many_files",
        409,
        "The account has 20 uploaded files with submissions whose import has not been started. Only in the pages.",
        "Import or discard one of them, or wait an hour.",
    ),
    ProblemCode(
        "datasource.upload.busy",
        409,
        "The file is being read or imported. Only in the pages.",
        "Wait until that is done.",
    ),
    ProblemCode(
        "form.version.only",
        409,
        "The version is the only one of its form, so it cannot be deleted.",
        "Delete the form instead, or create another version first.",
    ),
    ProblemCode(
        "datasource.in_use",
        409,
        "The published version or the draft of a form looks up rows in the data source.",
        "Remove these lookups first. `GET …/forms?datasourceId=dat_…` lists the forms.",
    ),
    ProblemCode(
        "role.in_use",
        409,
        "The role is granted to users or groups.",
        "Remove these grants first.",
    ),
    ProblemCode(
        "user.own_deletion",
        409,
        "You cannot delete yourself.",
        "Ask another user who can manage users.",
    ),
    ProblemCode(
        "trash.part_of_folder",
        409,
        "The form or folder was deleted together with a folder.",
        "Restore that folder.",
    ),
    ProblemCode(
        "trash.folder_gone",
        409,
        "The folder of the deleted item no longer exists, and you can only use some folders.",
        "Ask someone who can edit all forms to restore it.",
    ),
    ProblemCode(
        "trash.form_deleted",
        409,
        "The form of the version is in the trash, too.",
        "Restore the form first.",
    ),
    ProblemCode("datasource.busy", 409, "Another import into the data source is running.", "Retry when it is done."),
    ProblemCode(
        "datasource.not_pulled",
        409,
        "The data source has no `pull` and cannot be refreshed.",
        "Send its rows, or add a `pull`.",
    ),
    ProblemCode(
        "invite.external_id_taken",
        409,
        "The account already has an invite with this `externalId`, for another form or another person.",
        "Use another id.",
    ),
    ProblemCode(
        "invite.ended",
        409,
        "The invite can no longer be revoked or resent; `detail` contains its status.",
        "Create a new invite.",
    ),
    ProblemCode(
        "invite.link_ended",
        409,
        "The link of the invite has ended. Only when filling in a form.",
        "Reload the page: it says why.",
    ),
    ProblemCode(
        "task.external_id_taken",
        409,
        "A task of another form has this `externalId`.",
        "Update that task with `PUT /api/v1.0/tasks`, or use another id.",
    ),
    ProblemCode(
        "task.ended", 409, "The task is completed, declined or revoked; `detail` says which.", "Create a new task."
    ),
    ProblemCode(
        "task.not_open",
        409,
        "The task is `SCHEDULED`: it has not been published yet.",
        "Change `publishAt` with `PUT`, or wait.",
    ),
    ProblemCode(
        "task.answered",
        409,
        "The recipient has already submitted or declined. Only when filling in a form.",
        "Nothing.",
    ),
    ProblemCode(
        "subscriber.is_disabled",
        409,
        "The subscriber is disabled, so nothing is sent to it.",
        'Enable it: `PUT …/subscribers/{subscriberId}` with `"status": "ACTIVE"`.',
    ),
    ProblemCode("subscriber.gone", 409, "The subscriber of this delivery has been deleted.", "Register the URL again."),
    ProblemCode("invocation.ended", 409, "The delivery has ended, so there is nothing to cancel.", "Nothing."),
    ProblemCode("invocation.under_way", 409, "An attempt of the delivery is running.", "Retry in a moment."),
    ProblemCode(
        "invocation.not_kept", 409, "The event of this delivery is no longer stored.", "Read the resource itself."
    ),
    ProblemCode(
        "subscriber.limit_reached", 409, "The account has 100 subscribers.", "Delete one that you no longer use."
    ),
    ProblemCode(
        "media.limit_reached",
        409,
        "The [media](forms.md#media) of the form have reached 500 files or 200 MiB.",
        "Delete files that no field names any more, or upload smaller ones.",
    ),
    ProblemCode(
        "file.limit_reached",
        409,
        "Too many files of this form are not part of a submission: 200 files or 1 GiB from people who fill in the "
        "form, 10,000 files or 20 GiB from API keys.",
        "Submit the forms they belong to. Files without a submission are deleted after a day; the page keeps its "
        "files and retries.",
    ),
    ProblemCode(
        "key.limit_reached",
        409,
        "The account has 20 keys. Only in the pages and on the command line.",
        "Revoke one that you no longer use.",
    ),
    ProblemCode(
        "key.has_ended",
        409,
        "The key has expired and cannot be changed or rotated. Only in the pages and on the command line.",
        "Create another key.",
    ),
    ProblemCode(
        "user.email_taken", 409, "The account already has a user with this email address.", "Use the existing user."
    ),
    ProblemCode(
        "person.too_many",
        409,
        "The answer that should identify a person is part of more than 100,000 submissions. Only in the pages and "
        "on the command line.",
        "Use an answer that only one person gives.",
    ),
    ProblemCode(
        "person.own_data",
        409,
        "Somebody tried to [erase](../guides/personal-data.md#erase) their own data. Only in the pages.",
        "Ask another person who manages users.",
    ),
    ProblemCode(
        "user.last_owner", 409, "The account would have no owner who can sign in.", "Make another user an owner first."
    ),
    ProblemCode(
        "form.external_id_taken",
        409,
        "The account already has a form with this `externalId`.",
        "Use the existing form.",
    ),
    ProblemCode(
        "datasource.external_id_taken",
        409,
        "The account already has a data source with this `externalId`.",
        "Use the existing data source.",
    ),
    ProblemCode(
        "user.user_name_taken",
        409,
        "The account already has a user with this `userName` (SCIM).",
        "Use the existing user.",
    ),
    ProblemCode(
        "provisioning.disabled",
        409,
        "Provisioning is off, so there is no token to replace.",
        "Switch it on under Settings, Sign-in, Provisioning.",
    ),
    ProblemCode(
        "report.template_failed",
        409,
        "The form has a PDF template of its own, which fails for this submission. `detail` names the line.",
        "Correct the template under *PDF template* in the settings of the form.",
    ),
    ProblemCode(
        "user.external_id_taken",
        409,
        "The account already has a user with this `externalId`.",
        "Use the existing user.",
    ),
    ProblemCode(
        "group.external_id_taken",
        409,
        "The account already has a group with this `externalId`.",
        "Use the existing group.",
    ),
    ProblemCode("group.name_taken", 409, "The account already has a group with this name.", "Choose another name."),
    ProblemCode("role.name_taken", 409, "The account already has a role with this name.", "Choose another name."),
    ProblemCode(
        "role.built_in",
        409,
        "Built-in roles cannot be changed.",
        "Create your own role: `POST …/customers/{customerId}/roles`.",
    ),
)
