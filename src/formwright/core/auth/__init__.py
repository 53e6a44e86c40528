"""Who may do what: one enum of permissions, one actor, one policy, one scope.

Every door makes an actor; every verb asks the policy and gets a scope, without which no finder can be called.
"""
