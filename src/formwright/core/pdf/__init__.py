"""PDF documents, typeset by Typst (https://typst.app) in a process of its own with limited memory and time.

A document is a template with data. The data are values in the template's language and never its markup, so no text in
them can change the document or read files.
"""
