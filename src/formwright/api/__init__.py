"""The integration API: what all its versions share.

Each operation is declared once, with the decorator `operation`. Its route, the parsing of its request, its responses
and errors, and its entry in the OpenAPI document are all derived from that declaration.
"""
