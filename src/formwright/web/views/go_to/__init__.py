"""*Go to*: finds forms, submissions, people and everything else that has a page of its own, by name or id."""
