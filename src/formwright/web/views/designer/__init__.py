"""Pages that create, edit, preview, compare and publish forms."""
