"""The one table of commands of the plain mode: reading a line and the help are both made from it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

NEAR = 0.7
"""Of its letters in their order: "opne" and "open" share .75, "repotr" and "report" .83."""


@dataclass(frozen=True, slots=True)
class Command:
    """`takes` is what follows the name: nothing, N (a number), WORDS, QUESTION, or one of these in brackets when it may
    be left out. `at_once`: in a script it does not wait until the run is in need of the user."""

    name: str
    takes: str
    help: str
    at_once: bool = False

    @property
    def usage(self) -> str:
        return f"{self.name} {self.takes}".strip()

    def fits(self, rest: str) -> bool:
        """Whether `rest` can stand after the name."""
        wanted = self.takes.strip("[]")
        if not rest:
            return not wanted or self.takes.startswith("[")
        if "|" in wanted:
            return rest in wanted.split("|")
        return rest.isdecimal() if wanted == "N" else bool(wanted)


COMMANDS: tuple[Command, ...] = (
    Command("ask", "QUESTION", "Start research on a question. A bare question does so too when no run is open."),
    Command("answer", "[WORDS]", "Answer what you are asked: a number or your own words; nothing leaves it to flori."),
    Command("plan", "", "The sub-questions, and how each of them stands."),
    Command("change", "WORDS", "Change the plan: drop 2, also cover wages, make it deep."),
    Command("approve", "", "Approve the plan: the run starts."),
    Command("enough", "", "Stop searching, and write.", at_once=True),
    Command("cancel", "", "Stop the run; what was found is kept.", at_once=True),
    Command("continue", "", "Go on with a run that was stopped."),
    Command("deepen", "[WORDS]", "Go deeper on all that is not fully answered, or on what you say."),
    Command("follow-up", "QUESTION", "Ask a finished run another question. A bare question does so too."),
    Command("report", "", "The report, as far as it is written."),
    Command("evidence", "[N]", "The quotes, numbered; with N, those of sub-question N."),
    Command("source", "N", "What the report cites as [N], with its quotes; without a run, source N of the library."),
    Command("why", "N", "How the quote with number N was found."),
    Command("sources", "", "The sources of the run, by their citation numbers."),
    Command("library", "", "What the library holds."),
    Command("search", "WORDS", "Passages of the library, best first."),
    Command("runs", "", "All research runs, numbered, the newest first."),
    Command("open", "N", "Open run N of that list."),
    Command("verify", "", "Check the report again, against the stored sources."),
    Command("copy", "[N]", "Copy the quote with number N with its source, or the whole report."),
    Command("depth", "quick|thorough|deep", "How much the next question may read."),
    Command("format", "report|brief|comparison", "The shape of the next answer."),
    Command("web", "on|off", "Whether the next run may read pages of the web."),
    Command("status", "", "How the run stands.", at_once=True),
    Command("wait", "", "In a script: until the run needs you or has ended. Other commands wait by themselves."),
    Command("help", "", "This list.", at_once=True),
    Command("quit", "", "Leave; a run that is going on goes on.", at_once=True),
)


def read(line: str) -> tuple[Command | None, str]:
    """The command that a line names, with what follows its name; none when the line is something that is said.

    A sentence may begin with a command's name ("report on wages"): words after a command that takes none, or a number,
    make it one. A single word there is a slip of the pen, and the command is returned with what it cannot take.
    """
    name, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    command = next((c for c in COMMANDS if c.name == name.casefold()), None)
    if command and not command.fits(rest) and len(rest.split()) > 1:
        return None, line.strip()
    return (command, rest) if command else (None, line.strip())


def meant(line: str) -> str:
    """What a line of one or two words that is no command was probably meant to be ("opne 1" is "open 1"), or nothing:
    a run is not started for a slip of the pen."""
    name, _, rest = line.strip().partition(" ")
    near = get_close_matches(name.casefold(), [command.name for command in COMMANDS], n=1, cutoff=NEAR)
    command = next((c for c in COMMANDS if near and c.name == near[0]), None)
    fits = command is not None and command.takes in ("", "N", "[N]") and command.fits(rest.strip())
    return f"{near[0]} {rest}".strip() if fits else ""


def help_lines() -> list[str]:
    """Every command with what it does."""
    return [f"{command.usage}: {command.help}" for command in COMMANDS]
