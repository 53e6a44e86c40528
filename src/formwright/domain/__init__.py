"""The rooms: what the platform knows. None of them knows HTTP, and none commits."""
