"""The reference of the API: pages made from the OpenAPI document, with examples that run."""
