"""Receipts: emails to respondents with their answers as a PDF, which are switched on per form.

A worker looks for new submissions once a minute, so receiving one does no extra work. The PDF is created when the email
is sent. Emails go only to complete submissions that were sent from the page of a form, once for each, with texts that
nobody but the form's editors can influence, and within limits per address and per form, so that a public link is no
relay for spam.
"""
