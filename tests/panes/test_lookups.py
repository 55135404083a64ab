"""The look-ups child: answers by id, its own failures in words, and no child left behind."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from panes.lookups import ChildLookups, command
from panes.troubles import LookupFailed, lines_of

from .conftest import FAKE_LOOKUPS
from .recorded import NAMES, save_library, text_of


@pytest.fixture
async def lookups(tmp_path: Path) -> AsyncIterator[ChildLookups]:
    client = ChildLookups([sys.executable, str(FAKE_LOOKUPS), str(save_library(tmp_path / "library.json"))])
    yield client
    await client.close()


def child_of(client: ChildLookups) -> int:
    assert client._child
    return client._child.pid


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_it_lists_sources_and_gives_their_text(lookups: ChildLookups) -> None:
    assert len((await lookups.sources())["sources"]) == len(NAMES)
    assert (await lookups.source(12))["text"] == text_of(1)


async def test_many_questions_at_once_each_get_their_own_answer(lookups: ChildLookups) -> None:
    answers = await asyncio.gather(*(lookups.source(11 + n % 4) for n in range(20)))
    assert [answer["text"] for answer in answers] == [text_of(n % 4) for n in range(20)]


async def test_a_refusal_is_passed_on_in_its_own_words(lookups: ChildLookups) -> None:
    with pytest.raises(LookupFailed) as caught:
        await lookups.source(99)
    assert lines_of(caught.value) == ["There is no such source", "there is no source 99", "Run: flori sources"]


async def test_after_a_crash_the_question_fails_and_the_next_one_is_answered(lookups: ChildLookups) -> None:
    await lookups.sources()
    first = child_of(lookups)
    with pytest.raises(LookupFailed) as caught:
        await lookups._ask(op="die")
    assert lines_of(caught.value)[1] == "segmentation fault"
    assert lines_of(caught.value)[2]
    assert (await lookups.sources())["sources"]
    assert child_of(lookups) != first


async def test_a_text_of_many_megabytes_arrives(tmp_path: Path) -> None:
    big = """
import json
for line in open(0):
    print(json.dumps({"id": json.loads(line)["id"], "ok": True, "result": {"text": "x" * 9_000_000}}), flush=True)
"""
    client = ChildLookups([sys.executable, "-c", big])
    try:
        assert len((await client.source(1))["text"]) == 9_000_000
    finally:
        await client.close()


async def test_closing_ends_a_child_that_does_not_listen() -> None:
    deaf = "import signal, time, sys; signal.signal(15, signal.SIG_IGN); print('x', flush=True); time.sleep(600)"
    client = ChildLookups([sys.executable, "-c", deaf])
    question = asyncio.create_task(client.sources())
    async with asyncio.timeout(20):
        while client._child is None:  # noqa: ASYNC110  it is a process that is waited for
            await asyncio.sleep(0.01)
    pid = child_of(client)
    await client.close()
    assert not alive(pid)
    with pytest.raises(LookupFailed):
        await question


async def test_a_helper_that_cannot_be_started_says_so() -> None:
    client = ChildLookups(["/nowhere/python"])
    with pytest.raises(LookupFailed) as caught:
        await client.sources()
    assert "cannot be started" in lines_of(caught.value)[0]


def test_the_child_is_told_the_folders() -> None:
    from types import SimpleNamespace

    options = SimpleNamespace(library=Path("/l"), reports=Path("/r"), models=Path("/m"), offline=True)
    assert command(options)[1:] == [
        "-P",
        "-m",
        "workstation.engine.lookups",
        "--library",
        "/l",
        "--models",
        "/m",
        "--offline",
    ]
