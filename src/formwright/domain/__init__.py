"""Domain packages: the rules and data of the platform. They know nothing of HTTP and never commit a transaction."""
