"""Tasks: assigning them, following their progress, and the visitor's own tasks."""
