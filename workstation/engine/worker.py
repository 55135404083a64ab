"""The engine's process: `python -m workstation.engine.worker FOLDER --options JSON [--yes]`. It writes only into
FOLDER."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from workstation.core.cancel import CancelToken
from workstation.memory.events import Event, RunEnded
from workstation.memory.log import RunLog
from workstation.memory.state import ResearchState


def work(
    folder: Path,
    options: dict[str, object],
    *,
    approve: bool,
    cancel: CancelToken,
    on_event: Callable[[Event, ResearchState], None] = lambda event, state: None,
    attend: bool = False,
) -> ResearchState:
    """Runs the engine on a folder with the library that the run was started on; models load when they are first
    needed. attend: only what was said about the evidence is taken, and the run stays where it is."""
    from workstation import guard
    from workstation.engine.launch import load_run
    from workstation.engine.runner import Runner
    from workstation.engine.workbench import open_workbench
    from workstation.options import resolve

    state = load_run(folder)
    resolved = resolve(options | {"library": state.library})
    if resolved.offline:
        guard.go_offline()
    with open_workbench(resolved) as bench:
        runner = Runner(folder, bench, approve=approve, cancel=cancel, on_event=on_event)
        return runner.attend() if attend else runner.run()


def main(arguments: list[str] | None = None) -> int:
    from workstation.bootstrap import give_way, prepare

    prepare()
    give_way()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--yes", action="store_true", help="approve the plan without waiting for a command")
    parser.add_argument("--attend", action="store_true", help="take what was said about the evidence, and end")
    given = parser.parse_args(arguments)
    cancel = CancelToken()
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, lambda *_: cancel.cancel())
    try:
        work(given.folder, given.options, approve=given.yes, cancel=cancel, attend=given.attend)
    except Exception as error:  # the run's readers must learn that it has ended, and why
        traceback.print_exc()
        if given.attend:
            return 1  # the run itself is what it was
        record_failure(given.folder, error)
        return 1
    return 0


def record_failure(folder: Path, error: Exception) -> None:
    """Ends the run in its log with what went wrong, for readers that see nothing but the folder."""
    from local_models.errors import ModelError
    from workstation.memory.log import RunBusy
    from workstation.problems import describe

    if isinstance(error, RunBusy):
        return
    problem = describe(error)
    outcome = "model_failed" if isinstance(error, ModelError) else "unreadable"
    with RunLog(folder) as log:
        detail = f"{problem.title}: {problem.what}. {problem.hint}"
        log.append(RunEnded.model_validate({"outcome": outcome, "exit_reason": "failed", "detail": detail}))


if __name__ == "__main__":
    sys.exit(main())
