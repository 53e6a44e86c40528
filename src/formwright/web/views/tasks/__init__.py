"""Tasks: what was given to whom, and what the visitor has to do herself."""
