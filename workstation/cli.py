"""The command line declares the commands; what each one does stands in `workstation.commands`, imported when called."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click

from workstation import __version__
from workstation.cli_runs import RUNS
from workstation.cli_upkeep import UPKEEP
from workstation.errors import Exit
from workstation.global_options import FloriGroup, global_options, with_options
from workstation.options import Options

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _seconds(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """ "00:12:31", "12:31" or "751" in seconds."""
    if value is None:
        return None
    try:
        parts = [float(part) for part in value.split(":")]
        if len(parts) > 3 or not all(0 <= part < float("inf") for part in parts):
            raise ValueError
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a time: give seconds, or h:mm:ss", ctx, param) from None
    return sum((part * 60.0**power for power, part in enumerate(reversed(parts))), 0.0)


@click.group(cls=FloriGroup, context_settings=CONTEXT, invoke_without_command=True)
@click.version_option(__version__, prog_name="flori")
@click.option("--plain", is_flag=True, help="The workstation in lines: for screen readers, scripts, any terminal.")
@click.pass_context
def flori(ctx: click.Context, plain: bool) -> int:
    """Cited answers from your own documents, with models on your own machine.

    Without a command, the workstation opens; with --plain it speaks in lines, and `help` lists its commands.

    \b
    A first session:
      flori ingest ~/papers                      put a folder into the library
      flori ask "When was the survey made?"      a quick answer made of quotes
      flori research "Why did it fail?"          a report with a plan, sources and a check
      flori                                      the same in the terminal workstation
      flori --plain                              the same in lines: no cursor, no colour, works in a pipe

    \b
    Exit status: 0 done; 1 the check failed or nothing was found; 2 usage; 3 bad input;
    4 a model is missing or broken; 5 busy (another writer); 130 interrupted.
    """
    if ctx.invoked_subcommand:
        if plain:
            raise click.UsageError("--plain opens the workstation; it takes no command.", ctx)
        return Exit.DONE
    return _workstation(plain)


global_options(flori)


@with_options
def _workstation(options: Options, plain: bool) -> int:
    if plain:
        from panes.plain.loop import run as run_plain

        return run_plain(options)
    from panes.app import run

    return run(options)


@flori.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH|URL...")
@click.option("--kind", metavar="K", help="Say what kind of source this is, where the file name does not tell.")
@click.option(
    "--allow-host", "allowed", multiple=True, metavar="HOST[:PORT]", help="A host of your own network to fetch from."
)
@with_options
def ingest(options: Options, paths: tuple[str, ...], kind: str | None, allowed: tuple[str, ...]) -> int:
    """Put files, folders and web pages into the library.

    Only what is new or changed is read. Stop it with Ctrl-C at any time: the same command goes on from there.
    A file that cannot be read is listed with its reason, and the rest goes on. The same page with other
    content becomes another version of it. Each request is listed by `flori outbound`.

    \b
    Examples:
      flori ingest ~/papers notes.md
      flori ingest https://example.org/report.pdf
      flori --json ingest ~/papers > ingest.json
    """
    from workstation.commands import ingest as command

    return command.run(options, paths, kind, allowed)


@flori.command()
@with_options
def sample(options: Options) -> int:
    """Make a small library about lighthouses and the telegraph, to try things with.

    It has a folder of its own and never mixes with yours. The workstation offers it while your library is empty.
    """
    from workstation.commands import sample as command

    return command.run(options)


@flori.command()
@click.argument("query", required=False)
@click.option("-k", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many passages to show.")
@click.option("--explain", is_flag=True, help="Say for each passage why it stands where it does.")
@click.option(
    "--batch", type=click.Path(path_type=Path), metavar="FILE", help="Many queries: a JSON line each, {id, question}."
)
@click.option("--kind", "kinds", multiple=True, metavar="K", help="Only sources of this kind (pdf, html); repeatable.")
@click.option("--language", "languages", multiple=True, metavar="L", help="Only this language (en, de); repeatable.")
@click.option("--after", default="", metavar="DATE", help="Only what is dated from then on: 2020, 2020-05, 2020-05-17.")
@click.option("--before", default="", metavar="DATE", help="Only what is dated before then.")
@with_options
def search(
    options: Options,
    query: str | None,
    k: int,
    explain: bool,
    batch: Path | None,
    kinds: tuple[str, ...],
    languages: tuple[str, ...],
    after: str,
    before: str,
) -> int:
    """Find passages, best first. No model writes anything.

    Filters narrow what is ranked. They can stand in the query as well: kind:pdf lang:de after:2020
    before:1999 (in quotes they are text). A filter by date leaves out sources that have none.

    \b
    Examples:
      flori search "lens weight" --kind pdf --after 2020
      flori search "lighthouse lens weight" -k 5
      flori search "1822" --explain
    """
    _one_of(query, batch, "QUERY")
    from workstation.commands import search as command

    return command.run(options, query, k, explain, batch, (kinds, languages, after, before))


@flori.command()
@click.argument("question", required=False)
@click.option(
    "--batch", type=click.Path(path_type=Path), metavar="FILE", help="Many questions: a JSON line each, {id, question}."
)
@with_options
def ask(options: Options, question: str | None, batch: Path | None) -> int:
    """Answer a question from the library, in quotes with their places.

    When the library has nothing on it, that is the answer (exit status 1).

    \b
    Examples:
      flori ask "Who built the first lighthouse on the Eddystone rocks?"
      flori --json ask --batch questions.jsonl
    """
    _one_of(question, batch, "QUESTION")
    from workstation.commands import ask as command

    return command.run(options, question, batch)


@flori.command("open")
@click.argument("what", metavar="SOURCE|FOLDER")
@click.argument("number", type=click.IntRange(1), required=False, metavar="[N]")
@click.option("--at", callback=_seconds, metavar="TIME", help="Where to begin in a recording: seconds, or h:mm:ss.")
@click.option("--page", type=click.IntRange(1), help="The page to show.")
@with_options
def open_(options: Options, what: str, number: int | None, at: float | None, page: int | None) -> int:
    """Open the original of a source, or what a report cites as [N].

    Recordings are played from the place by mpv, vlc or ffplay, if one of them is there; everything else is
    opened by the program that the system has for it.

    \b
    Examples:
      flori open 12 --at 00:12:31
      flori open 7 --page 40
      flori open FOLDER 3           the source [3] of a report, where it is quoted first
    """
    from workstation.commands import open as command

    return command.run(options, what, number, at, page)


@flori.command()
@click.argument("question")
@click.option(
    "--depth", type=click.Choice(["quick", "thorough", "deep"]), help="How much to read and how long to look."
)
@click.option(
    "--format", "format_", type=click.Choice(["report", "brief", "comparison"]), help="The shape of the result."
)
@click.option("--web", is_flag=True, help="Also search the web and follow links (off by default).")
@click.option("--url", "urls", multiple=True, metavar="URL", help="A page, sitemap or feed to read first; repeatable.")
@click.option(
    "--allow-host", "allowed", multiple=True, metavar="HOST[:PORT]", help="A host of your own network to fetch from."
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="The run folder (default: a new one below --reports)."
)
@click.option("--yes", is_flag=True, help="Approve the plan without asking, and leave every choice to flori.")
@click.option(
    "--answers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What you would say, one line each time you are asked: answers, changes of the plan.",
)
@with_options
def research(
    options: Options,
    question: str,
    depth: str | None,
    format_: str | None,
    web: bool,
    urls: tuple[str, ...],
    allowed: tuple[str, ...],
    out: Path | None,
    yes: bool,
    answers: Path | None,
) -> int:
    """Write a cited report: plan, evidence, report, check.

    The plan is shown before anything runs: press Enter to start, or say what to change ("also cover
    wages", "drop 3", "merge 2 and 4", "make it deep"), or edit plan.md. Depth, format and what to leave
    out can stand in the question itself. Everything is kept in one folder; a run that was stopped goes
    on with `flori continue FOLDER`, and `flori deepen FOLDER "..."` asks it for more.

    With --web, pages are found by your SearXNG instance (`flori config searxng ADDRESS`), by the pages
    that you name, and by the links of good pages; they enter the library like any source. With --url
    alone, only the named pages are read. Each request is listed by `flori outbound`.

    \b
    Examples:
      flori research "How did the telegraph change shipping?"
      flori research "Which lens was heavier, and who says so?" --depth thorough --yes
    """
    from workstation.commands import research as command

    return command.run(options, question, depth, format_, web, urls, out, yes, answers, allowed)  # type: ignore[arg-type]  # click's choices


for _command in (*RUNS, *UPKEEP):
    flori.add_command(_command)


def _one_of(text: str | None, batch: Path | None, name: str) -> None:
    if (text is None) == (batch is None):
        raise click.UsageError(f"Give either {name} or --batch FILE.", click.get_current_context())


def main() -> NoReturn:
    """The console script: runs the command line and exits with its status."""
    from workstation.bootstrap import prepare

    prepare()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs one command line and returns the exit status; whatever goes wrong is shown on stderr."""
    try:
        status = int(flori.main(arguments, prog_name="flori", standalone_mode=False) or 0)
        sys.stdout.flush()
        return status
    except BaseException as error:
        from workstation.problems import report

        return report(error)
