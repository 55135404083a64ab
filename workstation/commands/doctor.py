"""`flori doctor`: what is well, what is not, and how to mend it."""

from __future__ import annotations

import time
from dataclasses import asdict

from workstation.doctor import examine, mend
from workstation.errors import Exit
from workstation.options import Options
from workstation.output import emit, say

MARKS = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}


def run(options: Options, mending: bool) -> int:
    """Exit 1 when something is wrong; with `mending`, what is still wrong afterwards."""
    if mending:
        mend(options)
    started = time.perf_counter()
    findings = examine(options)
    wrong = sum(finding.state == "wrong" for finding in findings)
    if options.json:
        seconds = round(time.perf_counter() - started, 3)
        emit({"ok": not wrong, "findings": [asdict(finding) for finding in findings], "seconds": seconds})
    else:
        for finding in findings:
            say(f"{MARKS[finding.state]}  {finding.check}: {finding.what}")
            if finding.mend:
                say(f"         {finding.mend}")
        say(f"\n{wrong} of {len(findings)} checks found something wrong." if wrong else "\nEverything is well.")
    return Exit.NEGATIVE if wrong else Exit.DONE
