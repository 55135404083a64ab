"""The outbound log, however long: its end at once, its figures without parsing it."""

from __future__ import annotations

import json
import time
from pathlib import Path

from panes.outbound_log import Figures, count, newest
from workstation.discovery import outbound

LINES = 100_000


def _write(path: Path, number: int) -> None:
    with path.open("a", encoding="utf-8") as file:
        for each in range(number):
            refused = each % 10 == 9
            line = {
                "time": "2026-01-01T00:00:00.000+00:00",
                "outcome": "refused" if refused else "ok",
                "host": f"h{each % 100}.example:443",
                "url": "" if refused else f"https://h{each % 100}.example/straße/{each}",
                "why": "a good link",
                "bytes": 0 if refused else 10,
            }
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def test_a_hundred_thousand_lines_open_at_once_and_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "outbound.jsonl"
    _write(path, LINES)
    start = time.monotonic()
    lines, more = newest(path, 500)
    assert time.monotonic() - start < 2, "7 ms: its end is read, not all of it"
    assert (len(lines), more) == (500, True)
    assert [line["url"].rpartition("/")[2] for line in lines[1:3]] == ["99998", "99997"]
    assert count(path, Figures()) == Figures(90_000, 10_000, 900_000, path.stat().st_size)


def test_it_is_filtered_by_words_in_any_case_and_by_kind(tmp_path: Path) -> None:
    path = tmp_path / "outbound.jsonl"
    _write(path, 2_000)
    assert [line["url"][-5:] for line in newest(path, 9, words="Straße/1234 H34")[0]] == ["/1234"]
    assert len(newest(path, 999, words="h7.example")[0]) == 20
    assert newest(path, 999, words="refused") == ([], False)  # how it ended is a kind, not a word
    assert len(newest(path, 999, kind="refusals")[0]) == 200
    offsets = [line["at"] for line in newest(path, 9999)[0]]
    assert [path.read_bytes()[at - 1 : at + 1] for at in offsets[:-1]] == [b"\n{"] * 1999
    assert offsets[-1] == 0


def test_counting_goes_on_where_it_was_and_waits_for_the_end_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "outbound.jsonl"
    outbound.record(host="a", url="https://a/", why="", outcome="ok", received=5, path=path)
    first = count(path, Figures())
    with path.open("a") as file:
        file.write('{"outcome": "ref')
    assert count(path, first) == first
    path.unlink()
    assert count(path, first) == Figures()
