"""What the tests stand on: a real PostgreSQL server and a real browser."""
