"""A look-ups child without a library: speaks the protocol over a JSON file of sources. It dies when told to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

DETAIL = {
    "readings": [
        {"version": "0aa1b2", "read": "2026-03-01T09:00:00+00:00", "status": "ok", "passages": 3},
        {"version": "5f0c9a", "read": "2026-11-12T14:05:00+00:00", "status": "ok", "passages": 4},
    ],
    "ledger": [
        *({"number": n, "state": "text", "note": "", "confidence": None} for n in (1, 2, 3)),
        {"number": 4, "state": "ocr", "note": "", "confidence": 0.93},
        {"number": 5, "state": "failed", "note": "no letters that are known", "confidence": None},
    ],
    "duplicate_of": "/home/reader/papers/copy.md",
    "resemblance": "0.91",
}
HIDDEN = ("text", "version", "pages", "passage_list")


def serve(request: dict[str, Any], sources: list[dict[str, Any]]) -> dict[str, Any]:
    match request["op"]:
        case "sources":
            listed = [s for s in sources if s["source"] > request.get("after", 0)][: request.get("limit")]
            return {"sources": [{k: v for k, v in s.items() if k not in HIDDEN} for s in listed]}
        case "detail":
            found = next(s for s in sources if s["source"] == request["source"])
            return {**found, **DETAIL, "text": ""}
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
        case "models":
            return models()
        case "show_original" | "show_page":
            return {"program": "viewer", "file": f"{request['op']} {request['source']} page {request['page']}"}
        case "die":
            print("segmentation fault", file=sys.stderr, flush=True)
            sys.exit(139)
    raise LookupError(f"unknown operation {request['op']}")


def models() -> dict[str, Any]:
    """An embedder that is whole, a writer whose file is gone, one whose hash nobody compared, and no transcriber."""
    gone = {"problem": "A model is missing: /models/pen/pen.gguf is not there", "hint": "Run: scripts/install_models"}
    return {
        "folder": "/models",
        "roles": [
            {"role": "embedder", "id": "e5", "why": "default", "problem": ""},
            {"role": "reranker", "id": "", "why": "none", "problem": ""},
            {"role": "generator", "id": "pen", "why": "chosen", "problem": ""},
            {"role": "transcriber", "id": "", "why": "none", "problem": ""},
        ],
        "models": [
            model("e5", "embedder", health="verified", languages=["mul"]),
            model("pen", "generator", health="missing", mode="guided", **gone),
            model("quill", "generator", health="not verified"),
        ],
        "offered": [{"id": "ear", "role": "transcriber", "size": 150 << 20}],
        "page_reader": False,
        "memory": {"budget": 1000 << 20, "together": 400 << 20},
    }


def model(id: str, role: str, **more: Any) -> dict[str, Any]:
    known = {"size": 100 << 20, "memory": 200 << 20, "licence": "MIT", "languages": ["en"], "context": 512, "mode": ""}
    files = {"source": "", "files": [f"/models/{id}/{id}.gguf"], "problem": "", "hint": ""}
    return {"id": id, "role": role, **known, **files, **more}


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
    print("a library that prints on stdout", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        sources = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["sources"]
        try:
            reply = {"id": request["id"], "ok": True, "result": serve(request, sources)}
        except LookupError as error:
            shown = {"title": "There is no such source", "what": str(error), "hint": "Run: flori sources"}
            reply = {"id": request["id"], "ok": False, "error": shown}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
