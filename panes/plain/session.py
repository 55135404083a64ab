"""One session of the plain mode: which run is open, and what each command of the table does."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from panes import copying
from panes.asking import Asking
from panes.following import Follower, Snapshot
from panes.plain import found, spoken
from panes.plain.table import help_lines, meant, read
from panes.purpose import ASK, purpose_of
from panes.routing import LOOKED_UP, route_of
from panes.screens.steering import Steered, Steering, Told, steered
from panes.troubles import lines_of
from panes.wording import run_state, when
from workstation.errors import FloriError

if TYPE_CHECKING:
    from panes.ports import Engine, Lookups, Options, Run
    from workstation.memory.events import Depth, Format
    from workstation.memory.state import Note

EVERY_S = 3.0
"""Between two lines about how a run that goes on stands. What needs the user is said at once."""
HEARD_S = 5.0
"""A command that the run took without a word about it counts as done after so long."""

Say = Callable[[str], None]


class PlainSteering(Steering):
    """Says errors in lines."""

    def __init__(self, engine: Engine, say: Say, fail: Callable[[Exception], None]) -> None:
        self._engine, self._say, self._fail = engine, say, fail

    def fail(self, error: Exception) -> None:
        self._fail(error)


class Session:
    """`say` puts out one line. `refused` counts what could not be done."""

    def __init__(self, options: Options, engine: Engine, lookups: Lookups, say: Say) -> None:
        self._options, self._engine, self._lookups, self._say = options, engine, lookups, say
        self._steer = PlainSteering(engine, say, self._fail)
        self._asking = Asking(offline=options.offline)
        self._follower: Follower | None = None
        self._spoken: Snapshot | None = None
        self._spoke_at = self._told_at = 0.0
        self._told_seq = -1
        self._runs: Sequence[Run] = ()
        self.refused = 0
        self.over = False

    # what goes on

    @property
    def prompt(self) -> str:
        """What a line without a command's name will do."""
        return (purpose_of(self._follower.snapshot) if self._follower else ASK).label

    @property
    def turn(self) -> bool:
        """Whether nothing goes on that would need no more of the user."""
        if self._follower is None:
            return True
        run = self._follower.snapshot
        if time.monotonic() - self._told_at < HEARD_S and (
            run.state.seq <= self._told_seq or (run.talk.told and not run.talk.objection)
        ):
            return False
        return bool(run.asked or run.waiting or run.life in ("ended", "interrupted"))

    def look(self) -> list[str]:
        """The lines about what changed in the run since the last time."""
        follower = self._follower
        if follower is None:
            return []
        if follower.changed():
            follower.read()
        run = follower.snapshot
        if run is self._spoken or (not self.turn and time.monotonic() - self._spoke_at < EVERY_S):
            return []
        lines = spoken.changes(self._spoken, run)
        self._spoken = run
        if lines:
            self._spoke_at = time.monotonic()
        return lines

    async def close(self) -> None:
        await self._lookups.close()

    # commands

    async def do(self, line: str) -> None:
        """Does what a line says; whatever goes wrong is said, and the session goes on."""
        command, rest = read(line)
        try:
            if command is None:
                await (self._text(rest) if rest else asyncio.sleep(0))
            elif command.fits(rest):
                do = getattr(self, "do_" + command.name.replace("-", "_"))
                made = do(rest) if command.takes else do()
                if isinstance(made, Awaitable):
                    await made
            else:
                self._refuse(f"Say: {command.usage}. To ask a question that begins like that: ask QUESTION")
        except (FloriError, OSError, ValueError) as error:
            self._fail(error)

    async def _text(self, words: str) -> None:
        """A line without a command's name does what the prompt says."""
        kind = purpose_of(self._follower.snapshot).kind if self._follower else "ask"
        if kind in ("ask", "follow") and (command := meant(words)):
            self._refuse(f"Did you mean: {command}? To ask it all the same: ask {words}")
            return
        if kind == "follow" and await self._looked_up(words):
            return
        says = {"answer": self.do_answer, "change": self.do_change, "follow": self.do_follow_up}
        await says.get(kind, self.do_ask)(words)

    async def do_ask(self, question: str) -> None:
        if await self._looked_up(question):
            return
        folder = await self._steer.start(question, self._asking)
        if folder:
            self._open(folder, launched=True)
            self._say(f"Started: {folder}")

    async def do_answer(self, words: str) -> None:
        self._told(await self._steer.answer(self._run(), words))

    async def do_change(self, words: str) -> None:
        self._told(await self._steer.change(self._run(), words))

    async def do_approve(self) -> None:
        self._told(await self._steer.approve(self._run()))

    async def do_deepen(self, words: str) -> None:
        self._told(await self._steer.deepen(self._run(), words))

    do_follow_up = do_deepen

    async def do_enough(self) -> None:
        await self._end("enough")

    async def do_cancel(self) -> None:
        await self._end("cancel")

    async def do_continue(self) -> None:
        self._told("started" if await self._steer.go_on(self._run()) else "")

    def do_plan(self) -> None:
        self._lines(spoken.plan(self._snapshot()))

    def do_report(self) -> None:
        self._lines(spoken.report(self._snapshot().state))

    def do_evidence(self, number: str) -> None:
        state = self._snapshot().state
        if number and not 1 <= int(number) <= len(state.needs):
            self._refuse(f"There is no sub-question {number}.")
        else:
            self._lines(spoken.evidence(state, int(number) if number else None))

    def do_why(self, number: str) -> None:
        if note := self._note(number):
            self._lines(spoken.why(int(number), note, self._snapshot().state))

    def do_sources(self) -> None:
        self._lines(spoken.sources(self._snapshot().state))

    async def do_source(self, number: str) -> None:
        if self._follower is None:
            self._lines(found.source(await self._lookups.source(int(number))))
        elif not self._source(int(number)):
            self._refuse(f"The run cites no [{number}].")

    async def do_library(self) -> None:
        self._lines(found.sources(await self._lookups.sources()))

    async def do_search(self, words: str) -> None:
        self._lines(found.passages(await self._lookups.search(words)))

    async def do_runs(self) -> None:
        self._runs = await asyncio.to_thread(self._engine.runs)
        lines = [
            f"{number}. {run.title or run.question} ({run_state(run)}, {when(run.started)})"
            for number, run in enumerate(self._runs, 1)
        ]
        self._lines(" ".join(line.split()) for line in lines or ["No runs yet. To begin: ask QUESTION"])

    async def do_open(self, number: str) -> None:
        runs = self._runs or await asyncio.to_thread(self._engine.runs)
        if not 1 <= int(number) <= len(runs):
            self._refuse(f"There is no run {number}: runs lists them.")
            return
        folder = runs[int(number) - 1].folder
        await asyncio.to_thread(self._engine.settle, folder)
        self.open(folder)

    async def do_verify(self) -> None:
        """The command line's own check, in a process of its own: it reads the library."""
        folders = ("library", "reports", "models")
        arguments = [part for name in folders for part in (f"--{name}", str(getattr(self._options, name)))]
        command = [sys.executable, "-P", "-m", "workstation", *arguments, "verify", str(self._snapshot().folder)]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=asyncio.subprocess.STDOUT)
        output, _ = await process.communicate()
        self._lines(output.decode(errors="replace").splitlines())
        self.refused += process.returncode != 0

    def do_copy(self, number: str) -> None:
        state = self._snapshot().state
        note = self._note(number) if number else None
        if number and note is None:
            return
        if note is None and not state.paragraphs:
            self._refuse("No report yet.")
            return
        from panes.clipboard import copy

        text, what = copying.quote(note, state) if note else copying.report(state)
        self._say(copy(text, terminal()).said(what))

    def do_depth(self, depth: str) -> None:
        self._asking.depth = cast("Depth", depth)
        self._say(f"The next question: {depth}.")

    def do_format(self, format: str) -> None:
        self._asking.format = cast("Format", format)
        self._say(f"The next question: {format}.")

    def do_web(self, value: str) -> None:
        if value == "on" and self._asking.offline:
            self._refuse("This session is offline.")
            return
        self._asking.web = value == "on"
        self._say("The next run may read the web." if self._asking.web else "The next run reads the library alone.")

    def do_status(self) -> None:
        self._lines(spoken.status(self._snapshot()))

    def do_wait(self) -> None:
        """A script comes here when there is nothing left to wait for."""

    def do_help(self) -> None:
        self._lines(help_lines())

    def do_quit(self) -> None:
        self.over = True

    def open(self, folder: Path) -> None:
        """Opens a run and says how it stands."""
        self._open(folder)
        run = self._spoken = self._snapshot()
        self._say(f"Open: {folder}")
        self._lines(spoken.changes(None, run) if run.asked or run.waiting else spoken.status(run))

    # parts of them

    async def _looked_up(self, question: str) -> bool:
        """Says what needs no research; false when the question is one for a run."""
        route = await asyncio.to_thread(route_of, question)
        if route.intent == "locate" and route.place and route.place.source and self._source(route.place.source):
            return True
        if route.intent not in ("catalogue", "locate", "greeting", "nothing"):
            return False
        document = await self._lookups.ask(question)
        if "examples" in document:
            self._lines(found.examples(document))
        elif "sources" in document:
            self._lines(found.sources(document))
        elif document.get("gate", {}).get("reason") == LOOKED_UP:
            self._lines(found.places(document))
        else:
            return False
        return True

    def _open(self, folder: Path, *, launched: bool = False) -> None:
        self._follower, self._spoken = Follower(folder, launched=launched), None
        self._told_seq = -1
        if not launched:
            self._follower.read()

    def _snapshot(self) -> Snapshot:
        """The run as it stands this moment."""
        if self._follower is None:
            raise NoRun()
        self._follower.read()
        return self._follower.snapshot

    def _run(self) -> Steered:
        return steered(self._snapshot())

    def _told(self, told: Told) -> None:
        if told == "started" and self._follower:
            self._follower.expect_engine()
        if told:
            self._hold()
        else:
            self.refused += 1

    def _hold(self) -> None:
        """Something was said to the run: it is not the user's turn before it has heard that."""
        self._told_at, self._told_seq = time.monotonic(), self._snapshot().state.seq

    async def _end(self, kind: Literal["enough", "cancel"]) -> None:
        run = self._run()
        self.refused += not run.going
        self._hold()
        await self._steer.tell_run(run, kind)

    def _note(self, number: str) -> Note | None:
        notes = self._snapshot().state.notes
        if 1 <= int(number) <= len(notes):
            return notes[int(number) - 1]
        self._refuse(f"There is no quote {number}: evidence lists them.")
        return None

    def _source(self, number: int) -> bool:
        state = self._follower.snapshot.state if self._follower else None
        entry = state.entry(number) if state else None
        if entry and state:
            self._lines(spoken.source(entry, state))
        return entry is not None

    def _refuse(self, text: str) -> None:
        self.refused += 1
        self._say(text)

    def _fail(self, error: Exception) -> None:
        self.refused += 1
        self._lines(lines_of(error))

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)


class NoRun(FloriError):
    title = "No run is open"
    hint = "To begin: ask QUESTION, or runs and then open N"


def terminal() -> Callable[[str], None] | None:
    """Writes to the terminal, where there is one."""
    if not sys.stdout.isatty():
        return None

    def send(sequence: str) -> None:
        sys.stdout.write(sequence)
        sys.stdout.flush()

    return send
