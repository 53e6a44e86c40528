"""Staged files: uploads that are previewed before they are imported into a data source.

A user uploads a file once, sees what importing it would change, and then confirms the import. Only that user can access
the file. It is deleted after the import, or an hour after its last use. Previews and imports continue when the user
leaves the page.
"""
