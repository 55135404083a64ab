"""A job's process: `python -m workstation.jobs.worker FOLDER --options JSON`. What to read stands in its log."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import traceback
from contextlib import nullcontext
from pathlib import Path

from workstation.core.cancel import CancelToken
from workstation.jobs.events import JobStarted
from workstation.jobs.log import JobLog, JobTail
from workstation.jobs.naming import URL
from workstation.jobs.recording import failing


def main(arguments: list[str] | None = None) -> int:
    from workstation import guard
    from workstation.bootstrap import give_way, prepare
    from workstation.jobs.reading import read_in
    from workstation.options import resolve

    prepare()
    give_way()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--options", type=json.loads, default={})
    given = parser.parse_args(arguments)
    cancel = CancelToken()
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, lambda *_: cancel.cancel())
    try:
        with JobLog(given.folder) as log, failing(log):
            started = [event for event in JobTail(given.folder).read() if isinstance(event, JobStarted)][-1]
            options = resolve(given.options | {"quiet": True})
            if options.offline:
                guard.go_offline()
            urls = [each for each in started.named if URL.match(each)]
            paths = [each for each in started.named if not URL.match(each)]
            job = nullcontext(log)
            read_in(options, paths, urls, started.kind, started.allowed, cancel, lambda: job, patient=True)
    except Exception:  # whoever looks at the job reads in its log that it has ended, and why
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
