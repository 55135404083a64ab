"""Results made ahead by a thread, so that the embedder never waits for a file."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Generic, Self, TypeVar

from workstation.core.cancel import Cancelled, CancelToken

Item = TypeVar("Item")
Result = TypeVar("Result")


class ReadAhead(Generic[Item, Result]):
    """Runs `work` over `items` in a thread, in order, and hands the results over, of which an item may have several.

    `weight` says how much of `room` a result takes; the thread waits while that much lies ready. Use as a context
    manager: at its end the thread is told to stop, by the token that `work` is given, and waited for.
    """

    def __init__(
        self,
        items: Iterable[Item],
        work: Callable[[Item, CancelToken], Iterable[Result]],
        weight: Callable[[Result], int],
        room: int,
    ) -> None:
        self._items, self._work, self._weight, self._room = items, work, weight, room
        self._stop = CancelToken()
        self._ready: deque[Result] = deque()
        self._load = 0
        self._ended = False
        self._error: BaseException | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="read-ahead", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.cancel()
        with self._changed:
            self._changed.notify_all()
        self._thread.join()

    @property
    def ended(self) -> bool:
        """Nothing is ready and nothing more will come. Raises what `work` raised."""
        with self._changed:
            if self._ended and not self._ready and self._error is not None:
                raise self._error
            return self._ended and not self._ready

    def take(self, timeout: float) -> Result | None:
        """The next result, or None when there is none within `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._ready or self._ended, timeout)
            if not self._ready:
                return None
            result = self._ready.popleft()
            self._load -= self._weight(result)
            self._changed.notify_all()
            return result

    def _run(self) -> None:
        try:
            for item in self._items:
                if self._stop():
                    break
                for result in self._work(item, self._stop):
                    self._put(result)
                    if self._stop():
                        break
        except Cancelled:
            pass
        except BaseException as error:  # handed to the thread that takes the results
            self._error = error
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _put(self, result: Result) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._load < self._room or self._stop())
            self._ready.append(result)
            self._load += self._weight(result)
            self._changed.notify_all()
