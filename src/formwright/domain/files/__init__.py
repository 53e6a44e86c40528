"""Files: what people photograph, sign and attach while they fill a form.

Promises that a file is what it says it is, belongs to one account and one form, and stays for as long as a submission
names it. Contents of the same bytes are kept once an account. Does not know what a submission is beyond its id.
"""
