"""What must hold in a process before anything else is imported: guard, environment, output encoding, file modes.

Called first by the command line and by every engine process.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

# Nothing but page requests leaves the machine: model libraries must not ask a hub, nor report what they do.
_FORCED = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime (from 1.29) reports to its maker from native code, unless this is set
    "WANDB_MODE": "disabled",  # transformers would call it, where it is installed
    "TOKENIZERS_PARALLELISM": "false",  # its thread pool only warns when a process forks
}
# numpy's matrices here are small: with a second thread, and another process on the same core, one product of a question
# with a passage took .6 ms instead of .05.
_DEFAULT = {"OPENBLAS_NUM_THREADS": "1"}
PRIVATE_UMASK = 0o077
BACKGROUND_NICE = 10  # the scheduler then gives an interactive process about nine tenths of a shared core


def prepare() -> None:
    """Sets up this process; calling it again changes nothing."""
    import local_models.native  # noqa: F401  (sets what OpenMP must read before the first native library is loaded)
    from workstation import guard

    guard.install()
    os.environ.update(_FORCED)
    for name, value in _DEFAULT.items():
        os.environ.setdefault(name, value)
    os.umask(PRIVATE_UMASK)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def give_way() -> None:
    """Lowers this process's priority: a key in the workstation must not wait for an engine or an ingest.

    On a machine with nothing else to do it costs nothing.
    """
    if hasattr(os, "nice"):
        os.nice(BACKGROUND_NICE)
