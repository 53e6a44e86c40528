"""Files: photos, signatures and attachments that people upload while they fill in a form, and media of forms.

A file's content matches its media type. It belongs to one form of one account, and is stored as long as a submission
refers to it; media of the form itself are stored as long as the form exists. Identical contents are stored once per
account. The package knows submissions by their ids only.
"""
