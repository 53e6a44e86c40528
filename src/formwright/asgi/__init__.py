"""ASGI middleware that every HTTP request passes through, API and pages alike."""
