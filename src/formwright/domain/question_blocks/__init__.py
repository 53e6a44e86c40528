"""The question library: blocks of questions that many forms use, with versions.

A form contains a copy of the questions. Each field names the block and its version, so that the form can be updated.
"""
