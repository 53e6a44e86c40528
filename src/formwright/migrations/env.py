"""Run by Alembic: migrates on the connection that it is given, in the transaction of that connection."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
