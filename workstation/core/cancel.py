"""Cancellation: one token, handed down to the inner loops, asked there."""

from __future__ import annotations

import threading


class Cancelled(Exception):
    """The user asked to stop: an outcome, not an error."""


class CancelToken:
    """Set once from any thread or signal handler; read everywhere. Calling it answers: should I stop?"""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    def __call__(self) -> bool:
        return self._event.is_set()

    def check(self) -> None:
        """Raises Cancelled once the token is set."""
        if self._event.is_set():
            raise Cancelled
