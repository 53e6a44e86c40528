"""Pages of the list of forms and of templates."""
