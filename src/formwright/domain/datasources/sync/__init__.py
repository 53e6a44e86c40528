"""Scheduled syncs: fetching the rows of a datasource from a URL."""
