"""The API reference: pages generated from the OpenAPI document, with examples that run."""
