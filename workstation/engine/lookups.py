"""The helper of the terminal application: JSON lines on stdin and stdout, no port, no screen.

    {"id": 1, "op": "search", "query": "...", "k": 10}   ->  {"id": 1, "ok": true, "result": {...}}
    a failure                                            ->  {"id": 1, "ok": false, "error": {"title", "what", "hint"}}

Operations: sources {after?, limit?}, source {source, version?}, detail {source}, words {query, k} (the passages that
hold them, at once), facets, search {query, k}, why {query, passage, k, exclude?}, ask {question}, warm (load what a
search needs), models, show_original {source, version?, page?, seconds?} and show_page {source, version?, page}. What is
shown is opened outside, and the result is {program, file}. Queries of `words`, `search` and `why` may hold filters:
kind:pdf lang:de after:2020 before:1999.

A request with a "stream" is superseded by a newer one of that stream that waits with it: its result is then
{"superseded": true}. Replies come in the order in which they are ready.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from threading import Lock
from typing import Any

from workstation.engine.desks import Desk, Reply, Request, failure
from workstation.engine.workbench import Workbench

SLOW = frozenset({"search", "why", "ask", "warm"})
"""What asks a model. All else is answered at the other desk meanwhile."""


def main() -> int:
    from workstation import guard
    from workstation.bootstrap import prepare
    from workstation.options import resolve

    prepare()
    guard.go_offline()  # look-ups read the library
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--library", "--reports", "--models"):
        parser.add_argument(name)
    parser.add_argument("--offline", action="store_true")
    given = {k: v for k, v in vars(parser.parse_args()).items() if v}
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="surrogateescape")
    os.dup2(2, 1)  # native libraries print to fd 1: only answers may go to the reader
    one_at_a_time = Lock()

    def answer(reply: Reply) -> None:
        line = json.dumps(reply, ensure_ascii=True) + "\n"
        with one_at_a_time:
            answers.write(line)
            answers.flush()

    options = resolve(given)
    quick, slow = Desk(options, serve, answer), Desk(options, serve, answer)
    for line in sys.stdin:
        try:
            request: Request = json.loads(line)
            (slow if request.get("op") in SLOW else quick).take(request)
        except Exception as error:
            answer(failure(None, error))
    quick.close()
    slow.close()
    return 0


def serve(request: Request, bench: Workbench) -> dict[str, Any]:
    """The result of one request."""
    from workstation.commands.sources import detail_document, source_document, sources_document
    from workstation.engine import searching

    match request.get("op"):
        case "sources":
            return sources_document(bench.library, after=int(request.get("after", 0)), limit=request.get("limit"))
        case "detail":
            return detail_document(bench.library, int(request["source"]))
        case "source":
            return source_document(bench.library, int(request["source"]), request.get("version"))
        case "words":
            return searching.by_words(bench.library, str(request["query"]), int(request.get("k", 10)))
        case "facets":
            return searching.facets(bench.library)
        case "search":
            return searching.ranked(bench.retriever, str(request["query"]), int(request.get("k", 10)))
        case "why":
            from workstation.engine.why import why

            query, passage, keep = str(request["query"]), int(request["passage"]), int(request.get("k", 10))
            return why(bench.retriever, bench.library, query, passage, keep, request.get("exclude") or ())
        case "ask":
            from workstation.engine.serving import answer

            return answer(str(request["question"]), bench)
        case "models":
            from workstation.commands.models import models_document

            return models_document(bench.options)
        case "show_original":
            from workstation.commands.open import Target, show

            place = Target(int(request["source"]), request.get("version"), request.get("seconds"), request.get("page"))
            return show(bench.library, place)
        case "show_page":
            from workstation.engine.page_picture import show_page

            return show_page(bench.library, int(request["source"]), request.get("version"), int(request["page"]))
        case "warm":
            bench.retriever.search("warm", 1)
            return {}
        case other:
            raise ValueError(f"unknown operation: {other!r}")


if __name__ == "__main__":
    sys.exit(main())
