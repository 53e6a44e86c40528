"""The platform's pages, a module a place."""
