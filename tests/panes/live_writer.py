"""An engine's stand-in: holds a run folder's lock and appends the events that it reads from stdin."""

from __future__ import annotations

import sys
from pathlib import Path

from workstation.memory.events import EVENT
from workstation.memory.log import RunLog

with RunLog(Path(sys.argv[1])) as log:
    print("ready", flush=True)
    for line in sys.stdin:
        log.append(EVENT.validate_json(line))
        print("written", flush=True)
