"""Forms and their versions: what is asked, and what an answer has to be.

Promises that a final version never changes, and that every fault of a definition or of answers is found at once, each
with its pointer. Does not know who fills a form or what becomes of the answers.
"""
