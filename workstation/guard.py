"""The network guard: an audit hook that refuses every connection but the fetcher's, and lists the attempt.

Python raises an audit event before it connects, binds, sends to an address or looks up a name, in whatever library it
happens. The fetcher opens the door for exactly the addresses that it has checked, for as long as it dials them, in its
own context; local (AF_UNIX) sockets are not the network. What native code does without Python is out of its sight:
`bootstrap` switches that off by name, and a test watches the system calls.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

AF_UNIX = 1  # on Linux and macOS; importing socket for it would cost every start
_LOOKUPS = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"})
_SENDS = frozenset({"socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"})
# urllib3 binds to this on import, to learn whether there is IPv6: refused like all others, but no attempt to get out.
_PROBES = frozenset({("bind", ("::1", 0))})

_open_for: ContextVar[frozenset[object]] = ContextVar("flori_open_for", default=frozenset())
_state = {"installed": False, "offline": False}


class NetworkRefused(PermissionError):
    """Nothing but the fetcher may use the network. An OSError: libraries take it for a network that is down."""


def install() -> None:
    """Guards this process until it ends; a second call changes nothing."""
    if not _state["installed"]:
        _state["installed"] = True
        sys.addaudithook(_hook)


def installed() -> bool:
    return _state["installed"]


def go_offline() -> None:
    """From here on not even the fetcher gets through, until the process ends."""
    _state["offline"] = True


def offline() -> bool:
    return _state["offline"]


@contextmanager
def looking_up(host: str) -> Iterator[None]:
    """The name of `host` may be looked up inside, in this context."""
    token = _open_for.set(frozenset({host.lower()}))
    try:
        yield
    finally:
        _open_for.reset(token)


@contextmanager
def dialling(address: str, port: int) -> Iterator[None]:
    """A connection to this IP address and port may be opened inside, in this context."""
    token = _open_for.set(frozenset({(address, port)}))
    try:
        yield
    finally:
        _open_for.reset(token)


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if event[:7] != "socket.":  # every import and every opened file comes by here
        return
    if event in _SENDS:
        address = args[1]
        if address is None or int(args[0].family) == AF_UNIX:  # None: over a connection that came by here before
            return
        target = (str(address[0]), int(address[1])) if isinstance(address, tuple) and len(address) > 1 else address
        if event == "socket.connect" and target in _open_for.get() and not offline():
            return
        _refuse(event, str(target[0]) if isinstance(target, tuple) else str(target), target)
    elif event in _LOOKUPS:
        host = args[0] if not isinstance(args[0], tuple) else args[0][0]
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
        if event == "socket.getaddrinfo" and name.lower() in _open_for.get() and not offline():
            return
        _refuse(event, name, name)


def _refuse(event: str, host: str, target: object) -> None:
    what = event.removeprefix("socket.")
    shown = ":".join(map(str, target)) if isinstance(target, tuple) else str(target)
    if (what, target) not in _PROBES:
        try:
            from workstation.discovery import outbound

            outbound.record(host=host, url="", why=f"{what} {shown}", outcome="refused", by=_caller())
        except Exception:  # the refusal must not depend on a disk that takes the line
            pass
    raise NetworkRefused(1, f"florilegium refuses {what} to {shown}: only its own page requests use the network")


def _caller() -> str:
    """The package that tried: the innermost one that is neither Python's own nor this module."""
    frame = sys._getframe(2)
    while frame is not None:
        name = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if name not in sys.stdlib_module_names and frame.f_globals.get("__name__") != __name__:
            return name
        frame = frame.f_back  # type: ignore[assignment]
    return "python"
