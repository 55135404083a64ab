"""`flori search`: passages, best first, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workstation.commands.batch import run_batch
from workstation.commands.places import cited
from workstation.core.text import one_line
from workstation.errors import BadInput, Exit
from workstation.options import Options
from workstation.output import emit, say


class NoWords(BadInput):
    title = "There is nothing to look for"
    hint = "Filters narrow a search: add words to it"


Narrowed = tuple[tuple[str, ...], tuple[str, ...], str, str]
"""What the options let through: kinds, languages, from when on, before when; empty for all."""


def run(options: Options, query: str | None, k: int, explain: bool, batch: Path | None, only: Narrowed) -> int:
    """Exit 0 when something was found, 1 when nothing was. Raises BadDate and NoWords."""
    from workstation.engine.answering import search_document
    from workstation.engine.searching import filter_document
    from workstation.engine.workbench import open_workbench
    from workstation.retrieval.filters import narrowed, read_query

    with open_workbench(options) as bench:

        def find(text: str) -> dict[str, Any]:
            asked = read_query(text)
            where = narrowed(asked.where, *only)
            if where and not asked.words:
                raise NoWords(text)
            found = bench.retriever.search(asked.words if asked.where else text, k, where=where)
            document = search_document(found) | ({"filters": filter_document(where)} if where else {})
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
        say("Nothing in the library matches." + (" Try it without the filters." if "filters" in document else ""))
    for rank, c in enumerate(document["candidates"], 1):
        say(f"{rank:>3}  {cited(c['title'], c['locator'])}   [source {c['source']}]")
        if explain:
            say(f"     {c['why']}")
        say(f"     {one_line(c['text'])[:300]}")
        say()
