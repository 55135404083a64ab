"""A look-ups child without a library: speaks the protocol over a JSON file of sources. It dies when told to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HIDDEN = ("text", "version", "pages", "passage_list")


def serve(request: dict[str, Any], sources: list[dict[str, Any]]) -> dict[str, Any]:
    match request["op"]:
        case "sources":
            return {"sources": [{k: v for k, v in s.items() if k not in HIDDEN} for s in sources]}
        case "source":
            found = next((s for s in sources if s["source"] == request["source"]), None)
            if found is None:
                raise LookupError(f"there is no source {request['source']}")
            return {**found, "passages": found["passage_list"]}
        case "search":
            return {"query": request["query"], "candidates": []}
        case "die":
            print("segmentation fault", file=sys.stderr, flush=True)
            sys.exit(139)
    raise LookupError(f"unknown operation {request['op']}")


def main() -> None:
    sources = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["sources"]
    print("a library that prints on stdout", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = {"id": request["id"], "ok": True, "result": serve(request, sources)}
        except LookupError as error:
            shown = {"title": "There is no such source", "what": str(error), "hint": "Run: flori sources"}
            reply = {"id": request["id"], "ok": False, "error": shown}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
