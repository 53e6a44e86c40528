"""The parts of the OpenAPI document: schemas, what is sent, what comes back."""
