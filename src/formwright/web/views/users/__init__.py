"""Pages of people, groups, roles and personal data."""
