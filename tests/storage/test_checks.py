"""A library that is not whole says so, and what can be mended is mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage import blobs
from storage.library import Library

from .making import Maker

DAMAGE = {
    "fulltext_missing": "DELETE FROM passage_fts WHERE rowid = 1",
    "fulltext_stray": "INSERT INTO passage_fts(rowid, body) VALUES (999, 'stray')",
    "vectors_missing": "DELETE FROM passage_vector WHERE passage = 1",
    "vectors_stray": "INSERT INTO passage_vector SELECT 999, embedding FROM passage_vector WHERE passage = 1",
    "tokens_missing": "DELETE FROM token_record WHERE passage = 1",
    "orphan": "PRAGMA foreign_keys = OFF; DELETE FROM version WHERE id = 1",
}
MENDED = {"fulltext_missing", "fulltext_stray", "vectors_stray"}


@pytest.fixture
def shelf(library: Library, new: Maker) -> Library:
    for name in ("whale", "fox"):
        text = f"The {name}. " * 50
        library.add_version(new(f"/{name}", text), text.encode())
    return library


def codes(library: Library) -> set[str]:
    return {finding.code for finding in library.check()}


@pytest.mark.parametrize("code", DAMAGE)
def test_damage_is_found_and_mended_where_it_can_be(shelf: Library, code: str) -> None:
    assert shelf.check() == []
    shelf._connection.execute(DAMAGE[code])
    assert code in codes(shelf)
    left = {finding.code for finding in shelf.mend(shelf.check())}
    assert (code in left) is (code not in MENDED)
    assert (code in codes(shelf)) is (code not in MENDED)


def test_originals_that_are_gone_or_belong_to_nothing_are_found(shelf: Library, folder: Path) -> None:
    first, second = sorted(blobs.stored(folder))
    stray = first.with_name("0" * 64)
    first.rename(stray)
    second.with_name(f"{blobs.PARTIAL}half").touch()
    assert codes(shelf) == {"original_missing", "original_stray"}
    shelf.mend(shelf.check())
    assert codes(shelf) == {"original_missing"}
    assert not stray.exists()


def test_a_library_that_others_may_read_is_made_private(shelf: Library, folder: Path) -> None:
    (folder / "library.db").chmod(0o644)
    assert codes(shelf) == {"exposed"}
    assert shelf.mend(shelf.check()) == []
    assert codes(shelf) == set()


def test_a_damaged_file_is_found(shelf: Library, folder: Path) -> None:
    shelf.close()
    content = bytearray((folder / "library.db").read_bytes())
    content[len(content) // 2 : len(content) // 2 + 60_000] = b"\xff" * 60_000
    (folder / "library.db").write_bytes(content)
    with Library.open(folder) as damaged:
        assert "damaged" in codes(damaged)


def test_a_check_ends_when_its_time_is_up(shelf: Library, new: Maker) -> None:
    for number in range(30):
        shelf.add_version(new(f"/{number}", f"word {number} " * 600, size=50))
    assert "unfinished" in {finding.code for finding in shelf.check(seconds=0.0)}
    assert shelf.check() == []


def test_the_text_index_can_be_made_anew(shelf: Library) -> None:
    before = [sorted(shelf.lexical([word], 50)) for word in ("whale", "fox")]
    shelf.rebuild_fulltext()
    assert [sorted(shelf.lexical([word], 50)) for word in ("whale", "fox")] == before
