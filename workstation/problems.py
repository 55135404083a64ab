"""Any exception, turned into what a person sees on stderr and into the exit status. The only place that does either."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import click

from workstation.core.text import printable
from workstation.errors import Exit, FloriError

_DISK = {
    errno.ENOSPC: "Free some space, or choose another folder (flori --help)",
    errno.EDQUOT: "Free some space, or choose another folder (flori --help)",
    errno.EROFS: "Choose a folder that can be written to (flori --help)",
    errno.EACCES: "Check who owns it and its permissions",
    errno.EPERM: "Check who owns it and its permissions",
    errno.ENOENT: "Check the path",
    errno.EMFILE: "Close other programs, or raise the limit: ulimit -n",
}


@dataclass(frozen=True, slots=True)
class Notice:
    """What is shown: what happened, to what, and what to do next."""

    title: str
    what: str
    hint: str
    code: int


def describe(error: BaseException) -> Notice:
    """The notice for an error, expected or not."""
    if isinstance(error, FloriError):
        return Notice(error.title, str(error), error.hint, error.exit_code)
    return _usage(error) or _stopped(error) or _storage(error) or _model(error) or _system(error) or _unexpected(error)


def report(error: BaseException) -> int:
    """Shows an error on stderr and returns the exit status."""
    if isinstance(error, BrokenPipeError | SystemExit):  # click makes a SystemExit of a closed pipe
        return _pipe_closed()
    if os.environ.get("FLORI_DEBUG"):
        traceback.print_exception(error)
    notice = describe(error)
    lines = [f"flori: {notice.title}", *(f"  {line}" for line in notice.what.splitlines() if line.strip())]
    if notice.hint:
        lines.append(f"  {notice.hint}")
    print(printable("\n".join(lines)), file=sys.stderr)
    return notice.code


def _pipe_closed() -> int:
    """The reader of our output has seen enough, as in `flori sources | head`: nothing went wrong."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered has to go somewhere
    return Exit.DONE


def _usage(error: BaseException) -> Notice | None:
    if not isinstance(error, click.ClickException | click.Abort):
        return None
    if isinstance(error, click.Abort):
        return Notice("Stopped", "", "", Exit.INTERRUPTED)
    if not isinstance(error, click.UsageError):
        return Notice("This cannot be used", error.format_message(), "", Exit.INPUT)
    usage = error.ctx.get_usage() if error.ctx else ""
    path = error.ctx.command_path if error.ctx else "flori"
    return Notice(error.format_message(), usage, f"Try: {path} --help", Exit.USAGE)


def _stopped(error: BaseException) -> Notice | None:
    from local_models.errors import Cancelled as ModelCancelled
    from workstation.core.cancel import Cancelled

    if isinstance(error, KeyboardInterrupt | Cancelled | ModelCancelled):
        return Notice(
            "Stopped", str(error), "What was finished is kept; the same command goes on from there", Exit.INTERRUPTED
        )
    return None


def _storage(error: BaseException) -> Notice | None:
    from storage.errors import EmbedderMismatch, LibraryBusy, StorageError

    if not isinstance(error, StorageError):
        return None
    code = (
        Exit.BUSY
        if isinstance(error, LibraryBusy)
        else Exit.MODEL
        if isinstance(error, EmbedderMismatch)
        else Exit.INPUT
    )
    return Notice(error.title, str(error), error.hint, code)


def _model(error: BaseException) -> Notice | None:
    from local_models.errors import ModelError

    if not isinstance(error, ModelError):
        return None
    return Notice(error.title, str(error), error.hint, Exit.MODEL)


def _system(error: BaseException) -> Notice | None:
    if isinstance(error, OSError) and error.errno is not None:
        name = error.filename if isinstance(error.filename, str) else os.fsdecode(error.filename or b"")
        what = f"{name}: {os.strerror(error.errno)}" if name else os.strerror(error.errno)
        return Notice("A file or folder could not be used", what, _DISK.get(error.errno, ""), Exit.INPUT)
    if isinstance(error, MemoryError):
        return Notice(
            "There is not enough memory", "", "Close other programs, or: flori config memory_mb 1000", Exit.MODEL
        )
    return None


def _unexpected(error: BaseException) -> Notice:
    what = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    try:
        place = f"The details are in {_keep(error)}"
    except OSError:
        place = "Run it again with FLORI_DEBUG=1 to see the details"
    return Notice("Something unexpected happened; this is an error in the program", what, place, Exit.INTERNAL)


def _keep(error: BaseException) -> Path:
    """Writes the trace to a log file of its own, for the owner alone."""
    from workstation.paths import log_dir, private_folder

    path = private_folder(log_dir()) / f"error-{datetime.now().astimezone():%Y%m%d-%H%M%S}-{os.getpid()}.log"
    text = f"{' '.join(sys.argv)}\nPython {sys.version}\n\n{''.join(traceback.format_exception(error))}"
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
    path.chmod(0o600)
    return path
