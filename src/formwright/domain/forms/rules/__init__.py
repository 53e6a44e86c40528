"""Rules in CEL: the supported dialect, its compiler, the cost estimate, and the evaluation of a form's rules."""
