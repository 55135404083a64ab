"""The quick answer and the search, at the command line and through the helper of the terminal application."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Flori


def test_an_answer_is_made_of_quotes_that_stand_in_the_stored_text(sample_flori: Flori) -> None:
    document = sample_flori("--json", "ask", "How did the electric telegraph help to catch John Tawell?").json
    assert document["outcome"] == "answered"
    assert "Tawell" in document["answer"]
    for citation in document["citations"]:
        text = sample_flori("--json", "sources", "show", citation["source"]).json["text"]
        place = citation["locator"]
        assert text[place["start"] : place["end"]] == citation["quote"]
        assert not citation["quote"].startswith("#")
    check = document["verification"]
    assert check["located"] == check["cited"] == len(document["citations"])


@pytest.mark.parametrize(
    ("question", "name"),
    [("Wer erfand den Zeigertelegraphen von 1847?", "siemens"), ("Qui inventa le télégraphe optique ?", "chappe")],
)
def test_other_languages_are_answered_from_their_documents(question: str, name: str, sample_flori: Flori) -> None:
    document = sample_flori("--json", "ask", question).json
    assert any(name in citation["path"] for citation in document["citations"])


def test_what_the_library_does_not_know_is_refused(sample_flori: Flori) -> None:
    done = sample_flori("--json", "ask", "Who won the football world cup in 2018?")
    assert done.code == 1
    assert done.json["outcome"] == "not_in_library"
    assert done.json["citations"] == []


def test_a_batch_keeps_its_ids_and_their_order(sample_flori: Flori, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    questions = ["Who built the Bell Rock lighthouse?", "What is gutta-percha?", "zxqv?"]
    batch.write_text("".join(json.dumps({"id": f"q{n}", "question": q}) + "\n\n" for n, q in enumerate(questions)))
    for verb in ("ask", "search"):
        rows = [json.loads(line) for line in sample_flori("--json", verb, "--batch", batch).out.splitlines()]
        assert [row["id"] for row in rows] == ["q0", "q1", "q2"]


def test_a_batch_with_a_broken_line_says_which(sample_flori: Flori, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"id": 1, "question": "What is gutta-percha?"}\n{"id": 2}\n')
    done = sample_flori("ask", "--batch", batch)
    assert done.code == 3
    assert "line 2" in done.err
    assert done.out == ""


def test_explain_tells_why_each_passage_stands_where_it_does(sample_flori: Flori) -> None:
    candidates = sample_flori("--json", "search", "first order lens", "-k", "3", "--explain").json["candidates"]
    assert [c["kept"] for c in candidates[:4]] == [True, True, True, False]
    assert all("cosine" in c["why"] for c in candidates)
    reranked = [c["rerank"] for c in candidates if c["kept"]]
    assert reranked == sorted(reranked, reverse=True)


def test_the_look_up_helper_answers_line_by_line_and_outlives_a_bad_one(sample_flori: Flori) -> None:
    requests = [
        {"id": 1, "op": "sources"},
        {"id": 2, "op": "nonsense"},
        "not json",
        {"id": 3, "op": "search", "query": "Eddystone", "k": 2},
        {"id": 4, "op": "source", "source": 1},
    ]
    lines = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in requests)
    done = subprocess.run(
        [sys.executable, "-m", "workstation.engine.lookups", "--library", str(sample_flori.library)],
        input=lines,
        env=sample_flori.env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    replies = {reply["id"]: reply for reply in map(json.loads, done.stdout.splitlines())}  # as they are ready
    assert {id: reply["ok"] for id, reply in replies.items()} == {1: True, 2: False, None: False, 3: True, 4: True}
    assert len(replies[1]["result"]["sources"]) == 15
    assert set(replies[2]["error"]) == {"title", "what", "hint"}
    assert replies[4]["result"]["text"]
