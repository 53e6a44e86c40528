import os

import dlt
from dlt.sources.rest_api import rest_api_source

key = {"type": "api_key", "name": "X-Api-Key", "api_key": os.environ["KEY"], "location": "header"}
submissions = {
    "name": "submissions",
    "primary_key": "id",
    "write_disposition": "merge",
    "columns": {"revision": {"dedup_sort": "desc"}},
    "endpoint": {
        "path": "submissions",
        "data_selector": "items",
        "params": {"order": "updated", "limit": 1000},
        "incremental": {
            "cursor_path": "updated",
            "start_param": "updatedFrom",
            "initial_value": "2000-01-01T00:00:00Z",
        },
    },
}
deleted = {
    "name": "deleted_submissions",
    "primary_key": "sequence",
    "write_disposition": "merge",
    "endpoint": {
        "path": f"webhooks/customer/{os.environ['CUSTOMER']}/events",
        "data_selector": "items",
        "params": {"type": "submission.deleted", "limit": 1000},
        "incremental": {"cursor_path": "sequence", "start_param": "after", "initial_value": 0},
    },
}
client = {"base_url": os.environ["BASE"], "auth": key, "paginator": {"type": "json_link", "next_url_path": "next"}}
source = rest_api_source({"client": client, "resources": [submissions, deleted]})

pipeline = dlt.pipeline("formwright", destination=dlt.destinations.duckdb("formwright.duckdb"), dataset_name="forms")
pipeline.run(source)
print(pipeline.last_trace.last_normalize_info.row_counts)
