"""`flori ask`: the quick cited answer, made of quotes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workstation.commands.batch import run_batch
from workstation.core.text import one_line
from workstation.errors import Exit
from workstation.options import Options
from workstation.output import emit, say


def run(options: Options, question: str | None, batch: Path | None) -> int:
    """Exit 0 when the library answers, 1 when it does not."""
    from workstation.engine.answering import answer
    from workstation.engine.workbench import open_workbench

    with open_workbench(options) as bench:
        if batch is not None:
            return run_batch(options, batch, lambda text: answer(text, bench))
        document = answer(question or "", bench)
    if options.json:
        emit(document)
    else:
        _show(document)
    return Exit.DONE if document["outcome"] == "answered" else Exit.NEGATIVE


def _show(document: dict[str, Any]) -> None:
    if document["outcome"] != "answered":
        say(f"The library does not answer this: {document['gate']['reason']}.")
        say("Look for related passages with: flori search")
        return
    for citation in document["citations"]:
        place = citation["locator"]
        page = f", p. {place['page']}" if "page" in place else ""
        heading = f", {one_line(place['heading'])}" if "heading" in place else ""
        say(f"“{one_line(citation['quote'])}”")
        say(f"    [{citation['number']}] {one_line(citation['title'])}{page}{heading}   (source {citation['source']})")
        say()
