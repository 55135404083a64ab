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
        case "words" | "search":
            return search(request, sources)
        case "facets":
            return {"kinds": ["document", "mail"], "languages": ["en"], "passages": len(sources)}
        case "warm":
            return {}
        case "why":
            return why(request, sources)
        case "ask":
            return ask(request["question"], sources)
        case "die":
            print("segmentation fault", file=sys.stderr, flush=True)
            sys.exit(139)
    raise LookupError(f"unknown operation {request['op']}")


def search(request: dict[str, Any], sources: list[dict[str, Any]]) -> dict[str, Any]:
    """The sentences that hold a word of the query; the ranked ones in the opposite order. "kind:mail" finds nothing."""
    words = [word for word in request["query"].split() if ":" not in word]
    kinds = [word[5:] for word in request["query"].split() if word.startswith("kind:")]
    ranked = request["op"] == "search"
    found = [passage(s, words) for s in sources if any(w in s["text"] for w in words) and kinds != ["mail"]]
    near = {"near": "close"} if ranked else {}
    return {
        "query": " ".join(words),
        "filters": {"kinds": kinds, "languages": [], "after": "", "before": ""},
        "candidates": [one | near for one in (reversed(found) if ranked else found)],
        "ranked": ranked,
        "gate": {"covered": True},
    }


def passage(source: dict[str, Any], words: list[str]) -> dict[str, Any]:
    text = source["text"]
    marks = [(text.index(word), text.index(word) + len(word)) for word in words if word in text]
    locator = {"start": 0, "end": len(text), "page": 1}
    named = {k: source[k] for k in ("source", "title", "path", "kind", "language")}
    return {"passage": 100 + source["source"], **named, "locator": locator, "text": text, "marks": marks}


def why(request: dict[str, Any], sources: list[dict[str, Any]]) -> dict[str, Any]:
    """A passage that was kept, beside one that was dropped; gone for every other passage than those of `search`."""
    title, where = sources[0]["title"], {"start": 0, "end": 9, "page": 4}
    other = {"passage": 9, "title": title, "locator": where, "text": "", "cosine": 0.81, "rerank": 2.5}
    step = {"name": "noise floor", "figure": "cosine 0.850", "needed": "at least 0.700", "verdict": "passed"}
    document = {"query": request["query"], "keep": request["k"], "pool": 2, "dropped": [], "gone": True}
    if request["passage"] < 100:
        return document
    dropped = [{"step": "cut", "count": 1, "examples": [other]}]
    walk = {"place": 1, "why": "dense rank 1", "steps": [step], "before": []}
    return document | walk | {"gone": False, "dropped": dropped, "after": [other | {"place": 2, "kept": False}]}


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
