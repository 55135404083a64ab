"""The helper of the terminal application: JSON lines on stdin and stdout, no port, no screen.

    {"id": 1, "op": "search", "query": "...", "k": 10}   ->  {"id": 1, "ok": true, "result": {...}}
    a failure                                            ->  {"id": 1, "ok": false, "error": {"title", "what", "hint"}}

Operations: sources {after?, limit?}, source {source, version?}, detail {source}, search {query, k}, ask {question},
models, show_original {source, version?, page?, seconds?} and show_page {source, version?, page}: what is shown is
opened outside, the result is {program, file}.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from workstation.engine.answering import search_document
from workstation.engine.serving import answer
from workstation.engine.workbench import Workbench, open_workbench


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
    with open_workbench(resolve(given)) as bench:
        for line in sys.stdin:
            answers.write(json.dumps(reply_to(line, bench), ensure_ascii=True) + "\n")
            answers.flush()
    return 0


def reply_to(line: str, bench: Workbench) -> dict[str, Any]:
    """The reply to one line, whatever it holds: a failure of one request is its answer, not the helper's end."""
    reply: dict[str, Any] = {"id": None}
    try:
        request = json.loads(line)
        reply["id"] = request.get("id")
        return reply | {"ok": True, "result": serve(request, bench)}
    except Exception as error:
        from workstation.problems import describe

        problem = describe(error)
        return reply | {"ok": False, "error": {"title": problem.title, "what": problem.what, "hint": problem.hint}}


def serve(request: dict[str, Any], bench: Workbench) -> dict[str, Any]:
    """The result of one request."""
    from workstation.commands.sources import detail_document, source_document, sources_document

    match request.get("op"):
        case "sources":
            return sources_document(bench.library, after=int(request.get("after", 0)), limit=request.get("limit"))
        case "detail":
            return detail_document(bench.library, int(request["source"]))
        case "source":
            return source_document(bench.library, int(request["source"]), request.get("version"))
        case "search":
            return search_document(bench.retriever.search(str(request["query"]), int(request.get("k", 10))))
        case "ask":
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
        case other:
            raise ValueError(f"unknown operation: {other!r}")


if __name__ == "__main__":
    sys.exit(main())
