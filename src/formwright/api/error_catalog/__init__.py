"""Every code that the API answers with: what it means, and what to do. `docs/reference/errors.md` is made from it."""
