"""Reports: a submission as a PDF to print, file or send.

A report shows the answers in the structure of the form, with photos and signatures. It is created when it is requested
and never stored, so it is always that of the current revision, and nothing has to be erased later.
"""
