"""The catalogue of all error codes: what each means, and what to do. docs/reference/errors.md is generated from it."""
