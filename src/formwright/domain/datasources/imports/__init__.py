"""Imports: reading, validating, comparing and storing the rows of a datasource."""
