"""What stands on the research screen while no run is open: runs to go on with, and how to begin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from panes import wording
from panes.keymap import shown
from panes.ports import Run
from panes.rows import Pen, Row, blank
from panes.widgets.row_list import RowList
from panes.wording import when
from workstation.paths import SAMPLE_LIBRARY, sample_dir

EXAMPLES = (
    "Which reasons are given for the delay, and who gives them?",
    "What changed between the first and the second version?",
    "Which figures are given for the costs, and do they agree?",
)
SAMPLE, ADD, OWN = "do:sample", "do:add", "do:own"
"""Keys of the rows that make or open a library: the sample, the screen where a folder is added, one's own again."""
RECENT = 3


class Welcome(RowList):
    """Rows whose keys are `run:FOLDER`, `ask:QUESTION` or `do:WHAT`; the screen decides what choosing one does."""

    def __init__(self) -> None:
        super().__init__(id="welcome")

    def show(self, runs: Sequence[Run] | None, library: str, *, empty: bool, own: str = "") -> None:
        """`runs` newest first, None while they are not known; `empty` says that nothing is in the library, `own` which
        library can be gone back to from the sample."""
        unfinished = [run for run in runs or () if run.status != "finished"]
        recent = [run for run in runs or () if run.status == "finished"][:RECENT]
        rows: list[Row] = [
            blank(),
            Pen().put("Ask your library a question.", "heading").row(),
            Pen()
            .put("You get a report whose every sentence leads to its source. All of it happens on this machine.", "dim")
            .row(),
            blank(),
        ]
        if empty:
            rows += [*_begin(library), blank()]
        if unfinished:
            rows += [Pen().put("Go on with", "strong").row(), *(_run(run) for run in unfinished[:RECENT]), blank()]
        if recent:
            rows += [Pen().put("Finished", "strong").row(), *(_run(run) for run in recent), blank()]
        rows += [
            Pen().put("Questions look like this", "strong").row(),
            *(_example(text) for text in examples(library)),
            blank(),
        ]
        if not empty:
            rows += _library(library, own)
        self.set_rows(rows)


def _run(run: Run) -> Row:
    state = wording.run_state(run)
    pen = Pen().put("  ").put(run.title or run.question).put(f"  {state}, {when(run.started)}", "dim")
    return pen.row(f"run:{run.folder}", hang=4)


def _example(text: str) -> Row:
    return Pen().put("  ").put(text).row(f"ask:{text}", hang=4)


def examples(library: str) -> tuple[str, ...]:
    """Questions to begin with: the sample's own ones, or ones that show what can be asked."""
    if Path(library).name != SAMPLE_LIBRARY:
        return EXAMPLES
    try:
        questions = (sample_dir() / "questions.txt").read_text(encoding="utf-8").splitlines()
    except OSError:
        return EXAMPLES
    return tuple(question for question in questions if question.strip()) or EXAMPLES


def _begin(library: str) -> list[Row]:
    """How to begin with an empty library."""
    return [
        Pen().put("! ", "warn").put(f"The library is empty: {library}").row(hang=2),
        Pen().put("  Try the sample library").put("  15 documents, ready in half a minute", "dim").row(SAMPLE, hang=4),
        Pen()
        .put("  Add a folder of your own")
        .put(f"  {shown('app.library')}, or ", "dim")
        .put("flori ingest FOLDER", "code")
        .row(ADD, hang=4),
    ]


def _library(library: str, own: str) -> list[Row]:
    rows = [Pen().put(f"Library: {library}", "dim").row()]
    if own:
        rows.append(Pen().put("  Back to your own library").put(f"  {own}", "dim").row(OWN, hang=4))
    return rows


def folder_of(key: str) -> Path | None:
    """The folder of a `run:` key."""
    return Path(key.removeprefix("run:")) if key.startswith("run:") else None
