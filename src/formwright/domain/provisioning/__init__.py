"""Users and groups that an identity provider manages: its token, and what it says about users."""
