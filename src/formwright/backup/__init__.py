"""What an operator does so that nothing is lost: back up, restore, move to another database.

Each is whole or not at all: what is cut off leaves nothing under a final name. Knows the tables by what the database
says of them, so that a new one needs no line here. It imports no domain package.
"""
