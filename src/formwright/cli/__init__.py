"""The command line: how an operator starts Formwright and looks after it."""
