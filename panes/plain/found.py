"""What the library answers, in whole lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from panes import wording
from workstation.core.text import one_line
from workstation.memory.events import Place

EXCERPT = 300
"""Characters of a passage that a list of results says."""


def sources(document: Mapping[str, Any]) -> list[str]:
    """The sources of the library, or those that a question wants."""
    lines = [f"{one_line(str(document['answer']))}."] if document.get("answer") else []
    return [*lines, *map(_source, document.get("sources") or ())] or ["The library is empty: flori ingest FOLDER"]


def source(document: Mapping[str, Any]) -> list[str]:
    """A source with its stored text."""
    passages = document.get("passages")
    counted = dict(document) | {"passages": len(passages) if isinstance(passages, Sequence) else passages}
    return [_source(counted), f"   {one_line(str(document.get('path') or ''))}", *str(document["text"]).splitlines()]


def passages(document: Mapping[str, Any]) -> list[str]:
    lines = []
    for rank, found in enumerate(document.get("candidates") or (), 1):
        if found.get("kept", True):
            text = one_line(str(found["text"]), EXCERPT)
            lines += [f"{rank}. {text}", f"   {_where(found)}, source {found['source']}"]
    if lines and not (document.get("gate") or {}).get("covered", True):
        lines.insert(0, "None of these is close to what you ask: try other words.")
    return lines or ["Nothing in the library matches."]


def places(document: Mapping[str, Any]) -> list[str]:
    """Where the library holds what was named."""
    lines = []
    for found in document.get("citations") or ():
        lines += [f"“{one_line(str(found['quote']))}”", f"   {_where(found)}, source {found['source']}"]
    return lines


def examples(document: Mapping[str, Any]) -> list[str]:
    asked = [f"   {one_line(str(example))}" for example in document["examples"]]
    return ["Ask a question, for example:", *asked] if asked else ["The library is empty: flori ingest FOLDER"]


def _source(found: Mapping[str, Any]) -> str:
    facts = [str(found[name]) for name in ("kind", "language") if found.get(name)]
    if isinstance(passages := found.get("passages"), int):
        facts.append(wording.count(passages, "passage"))
    if found.get("status") not in (None, "", "ok"):
        facts.append(str(found["status"]))
    title = str(found.get("title") or found.get("path"))
    return one_line(f"{found.get('source')}. {title} ({', '.join(facts)})")


def _where(found: Mapping[str, Any]) -> str:
    place = wording.place(Place.model_validate(found["locator"]))
    return one_line(", ".join(dict.fromkeys(filter(None, (str(found.get("title") or found.get("path")), place)))))
