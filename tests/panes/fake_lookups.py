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
        case "ask":
            return ask(request["question"], sources)
        case "show_original" | "show_page":
            return {"program": "viewer", "file": f"{request['op']} {request['source']} page {request['page']}"}
        case "die":
            print("segmentation fault", file=sys.stderr, flush=True)
            sys.exit(139)
    raise LookupError(f"unknown operation {request['op']}")


def ask(question: str, sources: list[dict[str, Any]]) -> dict[str, Any]:
    """A quoted phrase, sources about something, a place that is not there, or nothing that could be looked up."""
    if question[0] in '"“':
        phrase = question.strip('"“”')
        found = [citation(s, phrase) for s in sources if phrase in s["text"]]
        return served("answered", citations=found) if found else searched()
    if "about" in question:
        topic = question.rsplit("about ", 1)[1]
        found = [{k: v for k, v in s.items() if k not in (*HIDDEN, "status")} for s in sources if topic in s["text"]]
        return served("answered", answer=f"{len(found)} documents about {topic}", sources=found)
    if question.endswith(".pdf"):
        return searched()
    return served("not_in_library", examples=[f"What is said about {s['title']}?" for s in sources[:2]])


def served(outcome: str, citations: Any = (), **more: Any) -> dict[str, Any]:
    gate = {"covered": bool(citations), "reason": "served without a search"}
    return {"outcome": outcome, "citations": list(citations), "gate": gate, **more}


def searched() -> dict[str, Any]:
    """What a whole search for something else found."""
    return {"outcome": "not_in_library", "citations": [], "gate": {"covered": False, "reason": "too far away"}}


def citation(source: dict[str, Any], phrase: str) -> dict[str, Any]:
    start = source["text"].index(phrase)
    locator = {"start": start, "end": start + len(phrase), "heading": "A chapter"}
    return {**{k: source[k] for k in ("source", "title", "path", "kind")}, "locator": locator, "quote": phrase}


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
