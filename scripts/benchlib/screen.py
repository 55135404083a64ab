"""The workstation in a terminal: how soon it is there, and how long a key waits while the engine works behind it."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path

from benchlib.background import Ingests
from benchlib.figures import Figure, quantile
from benchlib.material import Material
from tests.panes.terminal import Terminal
from workstation.engine.launch import load_run
from workstation.memory.events import Command
from workstation.memory.log import LOG, engine_alive, send

FRAME_S, KEY_MS = 0.6, 50.0
FRAMES = 5
PANES = ("2 Sources", "3 Evidence", "4 Report", "1 Plan")  # the tabs at 80 columns, in the order of the keys sent
RUNS, KEYS = 8, 4 * len(PANES)  # research runs one after the other, and keys in each: it takes as long as they do
IDLE = 3  # times as many keys with nothing of ours beside them
PAUSE_S = 0.12  # between keys: a fast typist
QUIET_S = 0.02  # nothing was sent for so long: what comes next is the answer to the key
PATIENCE_S, PLAN_S = 10.0, 60.0  # for a key, and for an engine that starts beside an ingest


def first_frame(material: Material) -> list[Figure]:
    """From exec until both the middle of the frame and its last line, the keys, were sent."""
    seconds = []
    for _ in range(FRAMES):
        with _workstation(material) as terminal:
            seconds.append(max(terminal.wait_for("Questions"), terminal.wait_for("Start research")))
    on = f"80x24, {FRAMES} starts; the fastest {min(seconds):.2f} s"
    return [Figure("first frame, median", quantile(seconds, 0.5), "s", FRAME_S, note=on)]


def keys(material: Material) -> list[Figure]:
    """Keys that turn to another pane of a run: first while its engine waits, then while it works beside an ingest."""
    waits: list[tuple[float, bool]] = []
    with _workstation(material) as terminal:
        terminal.wait_for("Start research")
        try:
            folder = _ask(terminal, material, "", material.thorough[0])
            before = _processor_s(terminal.pid)
            idle = [wait for _ in range(IDLE) for wait, _ in _waits(terminal, folder)]
            worked = _processor_s(terminal.pid) - before
            with Ingests(material):
                for turn in range(RUNS):
                    if turn:
                        folder = _ask(terminal, material, "N", material.thorough[turn % len(material.thorough)])
                    terminal.type("a")
                    waits += _waits(terminal, folder)
        finally:
            _stop_engines(material)
    busy = [wait for wait, _ in waits]
    beside = sum(alive for _, alive in waits)
    on = f"80x24, {len(busy)} keys beside an ingest, {beside} of them beside a research run too"
    return [
        Figure("slowest key beside research and ingest", max(busy), "ms", KEY_MS, note=on),
        Figure("  p95", quantile(busy, 0.95), "ms"),
        Figure("  median", quantile(busy, 0.5), "ms"),
        Figure("  slowest key beside nothing of ours", max(idle), "ms", note=f"{len(idle)} keys"),
        Figure("  median", quantile(idle, 0.5), "ms"),
        Figure("  processor time for a key", 1000 * worked / len(idle), "ms", note="what a loaded machine multiplies"),
    ]


def _workstation(material: Material) -> Terminal:
    ours = {key: value for key, value in material.environment.items() if key.startswith(("FLORI_", "XDG_STATE"))}
    return Terminal(material.home, None, size=(80, 24), command=material.flori(), **ours)


def _ask(terminal: Terminal, material: Material, key: str, question: str) -> Path:
    """Asks in the ask line, which `key` leads to, and waits for the plan; returns the run's folder."""
    before = set(_logs(material))
    terminal.output = b""
    if key:
        terminal.type(key)
        terminal.wait_for("Start research")
    terminal.type(f"{question}\r")
    end = time.monotonic() + PLAN_S
    while not (made := set(_logs(material)) - before):
        _still(end, terminal)
    folder = made.pop().parent
    while not (state := load_run(folder)).proposed:
        _still(end, terminal)
        if state.waiting_for():
            send(folder, Command(kind="answer"))  # an empty one leaves the choice to the engine
    terminal.wait_for("to approve", PLAN_S)
    return folder


def _still(end: float, terminal: Terminal) -> None:
    """Waits a moment; TimeoutError with what was sent last when the time is over."""
    if time.monotonic() > end:
        raise TimeoutError(f"no plan within {PLAN_S:g} s: {terminal.output[-2000:]!r}")
    terminal.read(PAUSE_S)


def _waits(terminal: Terminal, folder: Path) -> list[tuple[float, bool]]:
    """For each key: milliseconds until the tab that it leads to was sent, and whether the run went on meanwhile."""
    found = []
    for turn in range(KEYS):
        pane = PANES[turn % len(PANES)]
        terminal.read(PAUSE_S)
        while terminal.read(QUIET_S):
            pass
        start = time.perf_counter()
        terminal.type(pane[0])
        _await(terminal, pane.encode())
        found.append((1000 * (time.perf_counter() - start), engine_alive(folder)))
    return found


def _await(terminal: Terminal, text: bytes) -> None:
    """Reads on until `text` was sent, awake the moment that something is there."""
    sent = b""
    end = time.monotonic() + PATIENCE_S
    while text not in sent:
        if not select.select([terminal.file], [], [], max(0.0, end - time.monotonic()))[0]:
            raise TimeoutError(f"{text!r} was not shown within {PATIENCE_S:g} s: {sent[-2000:]!r}")
        sent += os.read(terminal.file, 1 << 16)


def _processor_s(pid: int) -> float:
    """Seconds of processor time that a process has taken; 0 where there is no /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _stop_engines(material: Material) -> None:
    """Engines outlive the workstation: none of ours is left behind."""
    for folder in (log.parent for log in _logs(material)):
        if engine_alive(folder):
            send(folder, Command(kind="cancel"))
        end = time.monotonic() + PATIENCE_S
        while engine_alive(folder) and time.monotonic() < end:
            time.sleep(0.1)


def _logs(material: Material) -> list[Path]:
    return list((material.home / "reports").glob(f"*/{LOG}"))
