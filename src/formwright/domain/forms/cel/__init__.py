"""Rules in CEL: the dialect, its compiler, and the program that evaluates them."""
