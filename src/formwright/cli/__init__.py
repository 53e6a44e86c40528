"""The `formwright` command, with which an operator starts and maintains Formwright."""
