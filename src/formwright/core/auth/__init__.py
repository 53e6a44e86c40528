"""Who may do what: one enum of permissions, one actor, one policy, one scope.

Every entry point creates an actor. Every service function asks the policy for a scope, which all queries require.
"""
