"""Generates the OpenAPI 3.1 document from the declared operations."""
