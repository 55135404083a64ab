"""Who answers the look-ups: a desk for what takes a moment, and one for what asks a model, so that neither waits.

Of a stream of requests (what the search screen asks as one types) only the newest is worth answering: the older ones
that still wait are answered as superseded, without any work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from workstation.engine.workbench import Workbench, open_workbench
from workstation.options import Options

Request = dict[str, Any]
Reply = dict[str, Any]
SUPERSEDED = {"superseded": True}


class Desk:
    """A thread with a workbench of its own: a library serves one thread at a time. `answer` gets each reply."""

    def __init__(self, options: Options, serve: Callable[[Request, Workbench], Any], answer: Callable[[Reply], None]):
        self._options, self._serve, self._answer = options, serve, answer
        self._waiting: SimpleQueue[Request | None] = SimpleQueue()
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def take(self, request: Request) -> None:
        """Puts a request behind those that wait."""
        self._waiting.put(request)

    def close(self) -> None:
        """Returns when all that waits was answered."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        with open_workbench(self._options) as bench:
            while True:
                waiting = self._all_waiting()
                for request, old in with_superseded([r for r in waiting if r is not None]):
                    self._answer(_reply(request, old, lambda r: self._serve(r, bench)))
                if None in waiting:
                    return

    def _all_waiting(self) -> list[Request | None]:
        """What waits, at least one."""
        found = [self._waiting.get()]
        while True:
            try:
                found.append(self._waiting.get_nowait())
            except Empty:
                return found


def with_superseded(waiting: Sequence[Request]) -> list[tuple[Request, bool]]:
    """Each request that waits, and whether a newer one of its stream does too. The superseded ones come first."""
    newest = {request["stream"]: at for at, request in enumerate(waiting) if request.get("stream")}
    marked = [(r, newest.get(r.get("stream"), at) != at) for at, r in enumerate(waiting)]
    return sorted(marked, key=lambda pair: not pair[1])


def _reply(request: Request, old: bool, serve: Callable[[Request], Any]) -> Reply:
    """The reply to a request, whatever it holds: a failure is its answer, not the helper's end."""
    try:
        return {"id": request.get("id"), "ok": True, "result": SUPERSEDED if old else serve(request)}
    except Exception as error:
        return failure(request.get("id"), error)


def failure(id: Any, error: Exception) -> Reply:
    """What is answered when something went wrong."""
    from workstation.problems import describe

    problem = describe(error)
    return {"id": id, "ok": False, "error": {"title": problem.title, "what": problem.what, "hint": problem.hint}}
