"""Who may do what: one enum of permissions, one kind of actor, one check, one kind of scope.

Every entry point creates an actor. Every service function calls `allow`, which returns the scope that queries require.
"""
