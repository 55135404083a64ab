"""The helper of the terminal application, as a child over a real library."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.conftest import Flori


def replies(flori: Flori, *requests: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """What a child answers to these requests, by their numbers from 0, when all wait at once."""
    lines = "".join(json.dumps({"id": n, **request}) + "\n" for n, request in enumerate(requests))
    command = [sys.executable, "-P", "-m", "workstation.engine.lookups"]
    done = subprocess.run(command, input=lines, env=flori.env, capture_output=True, text=True, timeout=120, check=True)
    answers = {reply["id"]: reply for reply in map(json.loads, done.stdout.splitlines())}
    assert all(answer["ok"] for answer in answers.values()), answers
    return {id: answer["result"] for id, answer in answers.items()}


def test_words_are_found_as_one_types_and_filters_hold(sample_flori: Flori) -> None:
    found = replies(
        sample_flori,
        {"op": "words", "query": "light"},
        {"op": "words", "query": "the colliers or iro kind:pdf"},
        {"op": "search", "query": "who built the ship kind:pdf"},
        {"op": "facets"},
    )
    assert found[0]["candidates"]
    for document in (found[1], found[2]):
        assert document["filters"]["kinds"] == ["pdf"]
        assert {c["kind"] for c in document["candidates"]} == {"pdf"}
    first = found[1]["candidates"][0]
    assert any(first["text"][a:b].lower().startswith("iro") for a, b in first["marks"])
    assert {c["near"] for c in found[2]["candidates"]} <= {"close", "near", "far"}
    assert "pdf" in found[3]["kinds"]


def test_a_burst_of_searches_is_one_search(sample_flori: Flori) -> None:
    burst = [{"op": "search", "query": "who built the tower"[:end], "stream": "search"} for end in range(3, 20)]
    found = replies(sample_flori, {"op": "warm"}, *burst)
    worked = [n for n in range(1, len(burst) + 1) if not found[n].get("superseded")]
    assert worked[-1] == len(burst)
    assert len(worked) <= 2  # one may have been begun before the others came


def test_why_tells_the_walk_of_a_passage_and_its_neighbours(sample_flori: Flori) -> None:
    query = "who built the tower"
    kept = replies(sample_flori, {"op": "search", "query": query, "k": 3})[0]["candidates"]
    second = kept[1]["passage"]
    why = replies(sample_flori, {"op": "why", "query": query, "passage": second, "k": 3})[0]
    assert [step["name"] for step in why["steps"]] == [
        "words", "meaning", "noise floor", "shortlist", "order", "cut", "gate"
    ]  # fmt: skip
    assert why["place"] == 2
    assert [one["passage"] for one in why["before"]] == [kept[0]["passage"]]
    dropped = why["after"][-1]
    assert not dropped["kept"]
    other = replies(sample_flori, {"op": "why", "query": query, "passage": dropped["passage"], "k": 3})[0]
    assert [s["verdict"] for s in other["steps"] if s["name"] == "cut"] == ["was dropped"]
    assert sum(one["count"] for one in why["dropped"]) >= why["pool"] - 3
