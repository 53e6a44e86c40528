"""The types of fields, by family. A field says itself what it can do, and what its answers are."""
