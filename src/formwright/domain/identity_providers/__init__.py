"""Signing in with the identity providers of an account: OpenID Connect, authorization code flow with PKCE.

The package decides which user a verified ID token belongs to. Pages send the browser to the provider and back.
"""
