"""Codes of problems with status 409: the current state does not allow the request."""

from formwright.api.error_catalog.entries import conflict

CONFLICTS = (
    conflict(
        "user.not_invited",
        "The user has already accepted the invitation, or is disabled. Only in the pages.",
        "Do not invite them again. They can reset a forgotten password on the sign-in page.",
    ),
    conflict(
        "identity_provider.issuer_taken",
        "Another identity provider of the account has this issuer. Only in the pages.",
        "Change the provider that exists.",
    ),
    conflict(
        "identity_provider.too_many",
        "The account has ten identity providers. Only in the pages.",
        "Remove one that nobody uses.",
    ),
    conflict(
        "user.second_factor.on", "Two-factor authentication is already on. Only in the pages.", "Turn it off first."
    ),
    conflict("user.second_factor.off", "Two-factor authentication is not on. Only in the pages.", "Start again."),
    conflict(
        "idempotency.reused",
        "This `Idempotency-Key` was used for this path with a different request within the last 24 hours.",
        "Use a new key for each new request.",
    ),
    conflict(
        "idempotency.running",
        "The first request with this `Idempotency-Key` is still running.",
        "Retry after `Retry-After` seconds.",
    ),
    conflict(
        "idempotency.unreadable",
        "The request with this `Idempotency-Key` succeeded within the last 24 hours, but its response can no longer "
        "be decrypted, because the operator has changed the server's secret key.",
        "Look for the resource it created. Use a new key for a new request.",
    ),
    conflict(
        "form.not_published",
        "The form has no published version, so it cannot be filled in.",
        'Publish a version: `POST …/versions/{versionId}/publish`. Or create forms with `"publish": true`.',
    ),
    conflict(
        "form.no_draft",
        'The newest version is final, so `"publish": true` has nothing to publish.',
        "Send `fields` or `settings` too, or publish an earlier version: `POST …/versions/{versionId}/publish`.",
    ),
    conflict(
        "form.version.not_draft",
        "The version is final, and final versions never change.",
        "Create a new version: `POST …/forms/{formId}/versions`.",
    ),
    conflict(
        "form.draft.overtaken",
        "Somebody else changed the form since the designer loaded it. Only in the designer, which shows `detail`.",
        "Use their version, or save yours as another one: the designer offers both.",
    ),
    conflict(
        "form.archived",
        "The form is archived and accepts no submissions.",
        'Use another form, or restore it: `PUT …/forms/{formId}` with `"status": "ACTIVE"`.',
    ),
    conflict(
        "form.link_not_open",
        "The form's `publicLink.opensAt` is in the future. Only when filling in a form; the page keeps the answers and "
        "sends them when it opens.",
        "Wait `Retry-After` seconds, or change the time.",
    ),
    conflict(
        "form.link_closed",
        "The form's `publicLink.closesAt` has passed. Only when filling in a form; the page keeps the answers.",
        "Set a later time, and have the person submit again.",
    ),
    conflict(
        "form.link_full",
        "The form has as many responses as `publicLink.maxResponses` allows. Only when filling in a form; the page "
        "keeps the answers.",
        "Raise the limit, and have the person submit again.",
    ),
    conflict(
        "form.device_answered",
        "The form accepts one response per device (`publicLink.onePer`), and this one has sent one. Only when "
        "filling in a form.",
        "Correct or delete the earlier response.",
    ),
    conflict(
        "form.continue_later_off",
        "The form does not offer links to continue later (`settings.continueLater`). Only when filling in a form.",
        "Reload the page, which no longer offers one.",
    ),
    conflict(
        "fill.proof_required",
        "The form's link requires a proof of work (`publicLink.proofOfWork`). Only when filling in a form; the page "
        "solves a challenge and repeats the request.",
        "Get a challenge from `/fill/{token}/challenge` and send its solution.",
    ),
    conflict(
        "template.global",
        "The template comes with Formwright and cannot be changed.",
        "Create your own from it: `POST …/templates`.",
    ),
    conflict(
        "question_block.outdated",
        "Somebody else changed the question block. Only in the designer, which shows `detail`.",
        "Update the questions in the form first, then update the block.",
    ),
    conflict(
        "folder.name_taken", "The parent folder already contains a folder with this name.", "Choose another name."
    ),
    conflict("folder.circle", "The folder would be inside itself.", "Choose another `parentId`."),
    conflict("folder.too_deep", "Folders would be nested more than 20 levels deep.", "Choose a folder further up."),
    conflict(
        "submission.external_id_taken",
        "The form already has a submission with this `externalId`: `existingId`, whose URL is in `Location`.",
        "If you are repeating a request, the submission was received before: there is nothing to do. Otherwise use "
        "another id.",
    ),
    conflict(
        "submission.not_submitted",
        "The submission has only been started, so it cannot be corrected or reviewed.",
        "Wait for the event `submission.submitted`.",
    ),
    conflict(
        "submission.changed",
        "Somebody else changed the submission since you loaded it. Only in the pages, and in changes by the sender.",
        "Reload the page, then make your change.",
    ),
    conflict(
        "submission.link_ended",
        "The sender’s link no longer opens the answers: the time is over, they have been reviewed, or the form does "
        "not allow changes. Only when filling in a form.",
        "Reload the page: it says why.",
    ),
    conflict(
        "submission.saved_elsewhere",
        "Another device, or another tab, saved the draft since the page loaded it. Only when filling in a form.",
        "Reload the page, which keeps the changes from both.",
    ),
    conflict(
        "submission.submitted_already",
        "The page submitted the form a second time, with other answers. Only when filling in a form.",
        "Press Send again to submit them as a separate submission. Invites and tasks accept only one.",
    ),
    conflict(
        "submission.search_too_broad",
        "The search with `q` was stopped after 8 seconds.",
        "Add a longer word, or filter by form or period.",
    ),
    conflict(
        "export.running",
        "A run of the export is already in progress.",
        "Wait until the `status` of `latestRun` is `COMPLETED` or `FAILED`.",
    ),
    conflict("export.no_destination", "The export has no folder or bucket to test.", "Set its `destination` first."),
    conflict("export.limit_reached", "The account has 100 exports.", "Delete one that is no longer used."),
    conflict(
        "view.name_taken",
        "The form already has a saved view with this name: one of the account or, for a private view, one of yours.",
        "Choose another name, or update that view.",
    ),
    conflict(
        "view.limit_reached",
        "The account has 200 saved views for everyone, or the user has 100 private ones.",
        "Delete one that is no longer used.",
    ),
    conflict(
        "comment.limit_reached", "The submission has 500 comments.", "Delete one of yours that is no longer needed."
    ),
    conflict("datasource.name_taken", "The account already has a data source with this name.", "Choose another name."),
    conflict(
        "datasource.upload.too_many",
        "The account has 20 uploaded files that wait to be imported. Only in the pages.",
        "Import or discard one of them, or wait an hour.",
    ),
    conflict(
        "import.too_many", "20 imports of submissions are waiting or running.", "Wait until one of them has ended."
    ),
    conflict(
        "import.too_many_files",
        "The account has 20 uploaded files with submissions whose import has not been started. Only in the pages.",
        "Import or discard one of them, or wait an hour.",
    ),
    conflict(
        "datasource.upload.busy", "The file is being read or imported. Only in the pages.", "Wait until that is done."
    ),
    conflict(
        "form.version.only",
        "The version is the only one of its form, so it cannot be deleted.",
        "Delete the form instead, or create another version first.",
    ),
    conflict(
        "datasource.in_use",
        "The published version or the draft of a form looks up rows in the data source.",
        "Remove these lookups first. `GET …/forms?datasourceId=dat_…` lists the forms.",
    ),
    conflict("role.in_use", "The role is granted to users or groups.", "Remove these grants first."),
    conflict("user.own_deletion", "You cannot delete yourself.", "Ask another user who can manage users."),
    conflict("trash.part_of_folder", "The form or folder was deleted together with a folder.", "Restore that folder."),
    conflict(
        "trash.folder_gone",
        "The folder of the deleted item no longer exists, and you can only use some folders.",
        "Ask someone who can edit all forms to restore it.",
    ),
    conflict("trash.form_deleted", "The form of the version is in the trash, too.", "Restore the form first."),
    conflict("datasource.busy", "Another import into the data source is running.", "Retry when it is done."),
    conflict(
        "datasource.not_pulled",
        "The data source has no `pull` and cannot be refreshed.",
        "Send its rows, or add a `pull`.",
    ),
    conflict(
        "invite.external_id_taken",
        "The account already has an invite with this `externalId`, for another form or another person.",
        "Use another id.",
    ),
    conflict(
        "invite.ended",
        "The invite can no longer be revoked or resent; `detail` contains its status.",
        "Create a new invite.",
    ),
    conflict(
        "invite.link_ended",
        "The link of the invite has ended. Only when filling in a form.",
        "Reload the page: it says why.",
    ),
    conflict(
        "task.external_id_taken",
        "A task of another form has this `externalId`.",
        "Update that task with `PUT /api/v1.0/tasks`, or use another id.",
    ),
    conflict("task.ended", "The task is completed, declined or revoked; `detail` says which.", "Create a new task."),
    conflict(
        "task.not_open",
        "The task is `SCHEDULED`: it has not been published yet.",
        "Change `publishAt` with `PUT`, or wait.",
    ),
    conflict(
        "task.answered", "The recipient has already submitted or declined. Only when filling in a form.", "Nothing."
    ),
    conflict(
        "subscriber.is_disabled",
        "The subscriber is disabled, so nothing is sent to it.",
        'Enable it: `PUT …/subscribers/{subscriberId}` with `"status": "ACTIVE"`.',
    ),
    conflict("subscriber.gone", "The subscriber of this delivery has been deleted.", "Register the URL again."),
    conflict("invocation.ended", "The delivery has ended, so there is nothing to cancel.", "Nothing."),
    conflict("invocation.under_way", "An attempt of the delivery is running.", "Retry in a moment."),
    conflict("invocation.not_kept", "The event of this delivery is no longer stored.", "Read the resource itself."),
    conflict("subscriber.limit_reached", "The account has 100 subscribers.", "Delete one that you no longer use."),
    conflict(
        "media.limit_reached",
        "The [media](forms.md#media) of the form have reached 500 files or 200 MiB.",
        "Delete files that no field names any more, or upload smaller ones.",
    ),
    conflict(
        "file.limit_reached",
        "Too many files of this form are not part of a submission: 200 files or 1 GiB from people who fill in the "
        "form, 10,000 files or 20 GiB from API keys.",
        "Submit the forms they belong to. Files without a submission are deleted after a day; the page keeps its "
        "files and retries.",
    ),
    conflict(
        "key.limit_reached",
        "The account has 20 keys. Only in the pages and on the command line.",
        "Revoke one that you no longer use.",
    ),
    conflict(
        "key.has_ended",
        "The key has expired and cannot be changed or rotated. Only in the pages and on the command line.",
        "Create another key.",
    ),
    conflict("user.email_taken", "The account already has a user with this email address.", "Use the existing user."),
    conflict(
        "person.too_many",
        "The answer that should identify a person is part of more than 100,000 submissions. Only in the pages and "
        "on the command line.",
        "Use an answer that only one person gives.",
    ),
    conflict(
        "person.own_data",
        "Somebody tried to [erase](../guides/personal-data.md#erase) their own data. Only in the pages.",
        "Ask another person who manages users.",
    ),
    conflict(
        "user.last_owner", "The account would have no owner who can sign in.", "Make another user an owner first."
    ),
    conflict(
        "form.external_id_taken", "The account already has a form with this `externalId`.", "Use the existing form."
    ),
    conflict(
        "datasource.external_id_taken",
        "The account already has a data source with this `externalId`.",
        "Use the existing data source.",
    ),
    conflict(
        "user.user_name_taken", "The account already has a user with this `userName` (SCIM).", "Use the existing user."
    ),
    conflict(
        "provisioning.disabled",
        "Provisioning is off, so there is no token to replace.",
        "Switch it on under Settings, Sign-in, Provisioning.",
    ),
    conflict(
        "report.template_failed",
        "The form has a PDF template of its own, which fails for this submission. `detail` names the line.",
        "Correct the template under *PDF template* in the settings of the form.",
    ),
    conflict(
        "user.external_id_taken", "The account already has a user with this `externalId`.", "Use the existing user."
    ),
    conflict(
        "group.external_id_taken", "The account already has a group with this `externalId`.", "Use the existing group."
    ),
    conflict("group.name_taken", "The account already has a group with this name.", "Choose another name."),
    conflict("role.name_taken", "The account already has a role with this name.", "Choose another name."),
    conflict(
        "role.built_in",
        "Built-in roles cannot be changed.",
        "Create your own role: `POST …/customers/{customerId}/roles`.",
    ),
)
