"""`flori search`: passages, best first, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workstation.commands.batch import run_batch
from workstation.commands.places import cited
from workstation.core.text import one_line
from workstation.errors import Exit
from workstation.options import Options
from workstation.output import emit, say


def run(options: Options, query: str | None, k: int, explain: bool, batch: Path | None) -> int:
    """Exit 0 when something was found, 1 when nothing was."""
    from workstation.engine.answering import search_document
    from workstation.engine.workbench import open_workbench

    with open_workbench(options) as bench:

        def find(text: str) -> dict[str, Any]:
            document = search_document(bench.retriever.search(text, k))
            if not explain:
                document["candidates"] = [c for c in document["candidates"] if c["kept"]]
            return document

        if batch is not None:
            return run_batch(options, batch, find)
        document = find(query or "")
    if options.json:
        emit(document)
    else:
        _show(document, explain)
    return Exit.DONE if document["candidates"] else Exit.NEGATIVE


def _show(document: dict[str, Any], explain: bool) -> None:
    if not document["candidates"]:
        say("Nothing in the library matches.")
    for rank, c in enumerate(document["candidates"], 1):
        say(f"{rank:>3}  {cited(c['title'], c['locator'])}   [source {c['source']}]")
        if explain:
            say(f"     {c['why']}")
        say(f"     {one_line(c['text'])[:300]}")
        say()
