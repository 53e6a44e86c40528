"""The integration API: what all its versions share.

An operation is declared once (`operation`): from that declaration come its route, the reading of its request, its
answer, its problems, and its place in the OpenAPI document.
"""
