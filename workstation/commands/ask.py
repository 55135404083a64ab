"""`flori ask`: the quick cited answer, made of quotes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workstation.commands.batch import run_batch
from workstation.commands.places import cited
from workstation.core.text import one_line
from workstation.errors import Exit
from workstation.options import Options
from workstation.output import emit, say, table


def run(options: Options, question: str | None, batch: Path | None) -> int:
    """Exit 0 when the library answers, 1 when it does not."""
    from workstation.engine.serving import answer
    from workstation.engine.workbench import open_workbench

    with open_workbench(options) as bench:
        if batch is not None:
            return run_batch(options, batch, lambda text: answer(text, bench))
        document = answer(question or "", bench)
    return show(options, document)


def show(options: Options, document: dict[str, Any]) -> int:
    """Puts out an answer; exit 0 when it is one."""
    if options.json:
        emit(document)
    else:
        _show(document)
    return Exit.DONE if document["outcome"] == "answered" else Exit.NEGATIVE


def _show(document: dict[str, Any]) -> None:
    if "examples" in document:
        say("Ask a question, for example:")
        for example in document["examples"]:
            say(f"  {one_line(example)}")
        return
    if "sources" in document:
        say(f"{one_line(document['answer'])}.")
        rows = [(s["source"], s["kind"], s["language"], s["passages"], s["title"]) for s in document["sources"]]
        if rows:
            say(table(("source", "kind", "language", "passages", "title"), rows, right=(0, 3)))
        return
    if document["outcome"] != "answered":
        say(f"The library does not answer this: {document['gate']['reason']}.")
        say("Look for related passages with: flori search")
        return
    for citation in document["citations"]:
        where = cited(citation["title"], citation["locator"], heading=True)
        say(f"“{one_line(citation['quote'])}”")
        say(f"    [{citation['number']}] {where}   (source {citation['source']})")
        if unsure := citation.get("unsure"):
            say(f"    ! Compare with the page: two readings of its image differ in {', '.join(map(one_line, unsure))}")
        say()
