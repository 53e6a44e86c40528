"""SCIM 2.0 (RFC 7643, RFC 7644) at `/scim/v2`: identity providers create, change and disable users and groups.

The protocol itself, such as PATCH paths, filters and conditional requests, comes from scim2-models and scim2-server.
"""
