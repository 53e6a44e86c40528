import os
from urllib.parse import parse_qs, urlsplit

from formwright_api_client import AuthenticatedClient
from formwright_api_client.api.forms import create_form
from formwright_api_client.api.submissions import create_submission, get_submission, list_submissions
from formwright_api_client.models import FormCreate, ListSubmissionsAnswers, Problem, SubmissionCreate

address = os.environ["BASE"].removesuffix("/api/v1.0")
api = AuthenticatedClient(address, os.environ["KEY"], prefix="", auth_header_name="X-Api-Key")

fields = [{"type": "text", "name": "site", "label": "Site"}, {"type": "photo", "name": "seen", "label": "Photo"}]
form = create_form.sync(client=api, body=FormCreate.from_dict({"name": "Visit", "fields": fields, "publish": True}))
for site in ("Harbour", "Quay", "Pier"):
    body = SubmissionCreate.from_dict({"data": {"site": site}})
    created = create_submission.sync(form.customer_id, form.id, client=api, body=body, idempotency_key=f"visit-{site}")
print(get_submission.sync(form.customer_id, created.id, client=api).data.to_dict())

page = list_submissions.sync(client=api, form_id=[form.id], limit=2)
sites = [item.data["site"] for item in page.items]
while page.next_:
    cursor = parse_qs(urlsplit(page.next_).query)["cursor"][0]
    page = list_submissions.sync(client=api, form_id=[form.id], limit=2, cursor=cursor)
    sites += [item.data["site"] for item in page.items]
print(sites)

answers = ListSubmissionsAnswers.from_dict({"answers.site[contains]": "a", "answers.site[ne]": "Quay"})
found = list_submissions.sync(client=api, form_id=[form.id], answers=answers)
print([item.data["site"] for item in found.items])

invalid = SubmissionCreate.from_dict({"data": {"site": 4}})
rejected = create_submission.sync(form.customer_id, form.id, client=api, body=invalid)
if isinstance(rejected, Problem):
    print(rejected.code, [(error.pointer, error.code) for error in rejected.errors])
