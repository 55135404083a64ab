"""Ctrl-C as a cancel token: the first one asks for an orderly stop, the second one stops at once."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from workstation.core.cancel import CancelToken


@contextmanager
def interruptible() -> Iterator[CancelToken]:
    """A token that SIGINT and SIGTERM set while the block runs."""
    token = CancelToken()

    def stop(signum: int, frame: FrameType | None) -> None:
        if token():
            raise KeyboardInterrupt
        token.cancel()

    former = {s: signal.signal(s, stop) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield token
    finally:
        for signum, handler in former.items():
            signal.signal(signum, handler)
