"""The commands about a run that is there: go on with it, steer it, judge its evidence, check it, take it elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from workstation.global_options import with_options
from workstation.options import Options


@click.command("continue")
@click.argument("folder", type=click.Path(path_type=Path))
@with_options
def continue_(options: Options, folder: Path) -> int:
    """Go on with a run that was stopped, or write anew what is stale in a finished one (see `flori evidence`)."""
    from workstation.commands import runs as command

    return command.continue_run(options, folder)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@with_options
def enough(options: Options, folder: Path) -> int:
    """Tell a running research to stop searching and write with what it has."""
    from workstation.commands import runs as command

    return command.enough(options, folder)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("words", required=False, default="")
@with_options
def deepen(options: Options, folder: Path, words: str) -> int:
    """Ask a run for more: a follow-up question, or all that is not fully answered yet.

    What the run already holds is looked at first. Numbers of sources never change; the report is
    updated, and its earlier version is kept beside it.

    \b
    Examples:
      flori deepen FOLDER "What did it cost?"
      flori deepen FOLDER
    """
    from workstation.commands import runs as command

    return command.deepen(options, folder, words)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@with_options
def cancel(options: Options, folder: Path) -> int:
    """Stop a running research. What was found is kept, and `flori continue` goes on from there."""
    from workstation.commands import runs as command

    return command.cancel(options, folder)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("action", type=click.Choice(["list", "reject", "restore", "correct"]), default="list", required=False)
@click.argument("number", type=click.IntRange(1), required=False, metavar="[N]")
@click.option("--because", default="", metavar="WORDS", help="With reject: why.")
@click.option("--quote", metavar="WORDS", help="With correct: what the quote should be, word for word in its source.")
@click.option("--to", type=click.IntRange(1), metavar="M", help="With correct: the sub-question that it belongs to.")
@click.option(
    "--kind",
    type=click.Choice(["fact", "hypothesis", "error", "unchecked", "empty", "rejected"]),
    help="List only these; empty: searches that found nothing.",
)
@click.option("--source", type=click.IntRange(1), metavar="[N]", help="List only what is cited by this number.")
@click.option("--need", type=click.IntRange(1), metavar="M", help="List only what belongs to this sub-question.")
@with_options
def evidence(
    options: Options,
    folder: Path,
    action: str,
    number: int | None,
    because: str,
    quote: str | None,
    to: int | None,
    kind: str | None,
    source: int | None,
    need: int | None,
) -> int:
    """List the evidence of a run, and reject or correct what is wrong with it.

    Every quote has a number that stays. A rejected quote (and each that holds the same words) is no evidence
    any more: what was written from it is marked as stale in report.md, and `flori verify` fails, until `flori
    continue` writes it anew from what is left. Nothing is searched for (`flori deepen` looks for more), and what
    does not depend on the quote stays as it is. Nothing is deleted: restore takes a rejection back.

    \b
    Examples:
      flori evidence FOLDER
      flori evidence FOLDER --kind fact --need 2
      flori evidence FOLDER reject 3 --because "it speaks of another tower"
      flori evidence FOLDER restore 3
      flori evidence FOLDER correct 4 --quote "It was lit in 1759."
      flori evidence FOLDER correct 4 --to 2
    """
    from workstation.commands import evidence as command

    if action == "list":
        return command.run(options, folder, command.Wanted(kind or "", source, need))
    if number is None:
        raise click.UsageError(f"Say which quote to {action}: its number in `flori evidence FOLDER`.")
    if action == "correct":
        if (quote is None) == (to is None):
            raise click.UsageError("Give either --quote WORDS or --to M.")
        if to is not None:
            return command.change(options, folder, number, "move", str(to))
        return command.change(options, folder, number, "correct", quote or "")
    return command.change(options, folder, number, "reject" if action == "reject" else "restore", because)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@with_options
def verify(options: Options, folder: Path) -> int:
    """Check a report again, against the stored sources.

    It fails (exit status 1) on a number that was never handed out, a changed quote, a missing or altered source,
    and on paragraphs whose evidence was rejected or corrected since.
    """
    from workstation.commands import verify as command

    return command.run(options, folder)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--until", type=click.IntRange(1), metavar="STEP", help="Only up to the step with this number.")
@with_options
def replay(options: Options, folder: Path, until: int | None) -> int:
    """Tell what happened in a run, step by step, from its log.

    Where the run read the web, every decision on a page is made again from what arrived, and must come out
    the same (exit status 1 when one does not).
    """
    from workstation.commands import replay as command

    return command.run(options, folder, until)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "form",
    type=click.Choice(["html", "docx", "pdf", "csl"]),
    default="html",
    show_default=True,
    help="What to make.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to (default: beside the report).")
@with_options
def export(options: Options, folder: Path, form: str, out: Path | None) -> int:
    """Make a file of a report that others can open: a web page, a Word document, a PDF, or its sources alone.

    The report goes out as it stands, with your own changes. Every citation leads to its source at the end.
    csl is CSL-JSON, which Zotero and other reference managers read.

    \b
    Examples:
      flori export FOLDER
      flori export FOLDER --to docx --out ~/report.docx
    """
    from workstation.commands import export as command

    return command.run(options, folder, form, out)


@click.command()
@with_options
def runs(options: Options) -> int:
    """List the research runs, newest first."""
    from workstation.commands import runs as command

    return command.run(options)


RUNS: tuple[click.Command, ...] = (continue_, enough, deepen, cancel, evidence, verify, replay, export, runs)
