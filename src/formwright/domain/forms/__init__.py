"""Forms and their versions: definitions, rules, and the validation of answers.

Final versions never change. Validation reports all errors of a definition or of answers at once, each with its pointer.
"""
