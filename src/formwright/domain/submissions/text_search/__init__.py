"""Full-text search over submissions.

Each submission stores its searchable text, and the list compares it with the words of a search. Signatures of blocks of
submissions tell which of them can contain a word, so that rare words are found without reading every text.
"""
