"""`flori outbound`: what left this machine, and what was refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

from workstation.core.text import one_line
from workstation.discovery import outbound
from workstation.errors import Exit
from workstation.options import Options
from workstation.output import emit, say, table


def run(options: Options, last: int, refused: bool, host: str | None) -> int:
    """Lists the newest lines of the log, oldest first. Always exit 0: an empty log is good news."""
    path = outbound.outbound_log()
    lines = [line for line in outbound.read(path) if _wanted(line, refused, host)]
    counts = Counter(str(line.get("outcome", "")) for line in lines)
    received = sum(int(line.get("bytes", 0)) for line in lines)
    shown = lines[-last:] if last else lines
    if options.json:
        totals = {"ok": counts["ok"], "failed": counts["failed"], "refused": counts["refused"], "bytes": received}
        emit({"log": str(path), "totals": totals, "requests": shown})
    elif not lines:
        say(f"Nothing has left this machine. (Each request would be a line of {path})")
    else:
        say(table(("time", "outcome", "status", "bytes", "what"), [_row(line) for line in shown], right=(2, 3)))
        more = f"; {len(lines) - len(shown)} older lines: --last 0" if len(shown) < len(lines) else ""
        say(
            f"\n{counts['ok'] + counts['failed']} requests, {received:,} bytes received, "
            f"{counts['refused']} attempts refused{more}. All of it: {path}"
        )
    return Exit.DONE


def _wanted(line: dict[str, Any], refused: bool, host: str | None) -> bool:
    name = str(line.get("host", "")).rpartition(":")[0] or str(line.get("host", ""))
    return (not refused or line.get("outcome") == "refused") and (host is None or host in (name, line.get("host")))


def _row(line: dict[str, Any]) -> tuple[str, ...]:
    by = f"  by {line['by']}" if line.get("by") else ""
    run = f"  for {line['run']}" if line.get("run") else ""
    what = one_line(f"{line.get('url') or line.get('host', '')}  {line.get('why', '')}{by}{run}")
    time = str(line.get("time", ""))[:19].replace("T", " ")
    return (time, str(line.get("outcome", "")), str(line.get("status") or ""), str(line.get("bytes") or ""), what)
