"""What every native library needs, set up before the first of them is loaded. Backends import this module first.

OpenMP: llama.cpp and whisper.cpp wait at barriers by spinning. With as many threads as cores and one other busy process
a 4 ms query took 1,080 ms. A bounded spin (2,000 rounds, then sleep) keeps the speed of the quiet machine (SmolLM2: 91
to 102 tokens/s on two cores) and stays usable on a busy one. libgomp reads the variable once, when it is loaded.
"""

from __future__ import annotations

import os

os.environ.setdefault("GOMP_SPINCOUNT", "2000")

import atexit
import ctypes
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

JOB = threading.RLock()
"""Held during every native computation: two at once on the same cores are slower than one after the other."""

MAX_THREADS = 8
"""Small models at 512 tokens a batch spend more time at barriers than they gain beyond this."""

LOOKS, LOOK_SECONDS = 4, 0.01
"""How often, and how far apart, it is looked who else is running: what runs for a moment only does not count."""

_ERROR_LEVEL = 4  # GGML_LOG_LEVEL_ERROR
_complaints: deque[str] = deque(maxlen=8)
_log_callback: Any = None  # must outlive the library: ctypes keeps no reference
_llama: Any = None
_whisper: Any = None


def threads() -> int:
    """Threads for a native computation: the processors this process may use, at most eight; FLORI_THREADS overrides."""
    if (asked := os.environ.get("FLORI_THREADS", "")).isdigit() and int(asked) > 0:
        return int(asked)
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(available, MAX_THREADS))


def free_threads() -> int:
    """`threads()`, less what other programs are running right now, and at least one. For long computations.

    Threads wait for each other at every step, so the slowest sets the pace: beside two busy processes on two cores
    whisper took 9.8 s with two threads and 7.7 s with one.
    """
    others = min(_running() for _ in range(LOOKS))
    return max(1, min(threads(), (os.cpu_count() or 1) - others))


def _running() -> int:
    """Threads on the whole machine that are running or want to, without this one; 0 where the system does not tell."""
    time.sleep(LOOK_SECONDS)
    try:
        return int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].split("/")[0]) - 1
    except (OSError, ValueError, IndexError):
        return 0


def llama() -> Any:
    """The llama_cpp module (0.25 s at the first call), its log kept off stderr."""
    global _llama, _log_callback
    with JOB:
        if _llama is None:
            import llama_cpp

            _log_callback = llama_cpp.llama_log_callback(_keep)
            llama_cpp.llama_log_set(_log_callback, ctypes.c_void_p(0))
            llama_cpp.llama_backend_init()
            _llama = llama_cpp
    return _llama


def whisper() -> Any:
    """The binding of whisper.cpp, its log kept off stderr. It is pywhispercpp's extension module: the package around it
    would import an HTTP client, to download models by name. Raises ImportError when pywhispercpp is not installed."""
    global _whisper
    with JOB:
        if _whisper is None:
            import _pywhispercpp

            _pywhispercpp.whisper_log_set(lambda level, text: _keep(level, text.encode(), None))
            # The binding frees the callback after the interpreter is gone, and aborts, unless it is taken away before.
            atexit.register(_pywhispercpp.whisper_log_set, None)
            _whisper = _pywhispercpp
    return _whisper


def complaint() -> str:
    """What llama.cpp or whisper.cpp last logged as an error, in one line; it is forgotten afterwards."""
    text = "; ".join(_complaints)
    _complaints.clear()
    return text


def _keep(level: int, text: bytes, _data: Any) -> None:
    if level == _ERROR_LEVEL:
        _complaints.append(text.decode("utf-8", "replace").strip())
