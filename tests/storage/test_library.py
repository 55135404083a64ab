"""What goes in comes out, by every way there is, and what is taken out stays citable."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from storage.errors import EmbedderMismatch, LibraryMissing, NotFound, NotWritable, OriginalChanged
from storage.library import Library
from storage.records import Locator, Problem

from .making import Maker

WHALES = "The blue whale is the largest animal. " * 20
FOXES = "A quick brown fox jumps over the lazy dog. " * 20


def findable(library: Library, word: str) -> set[int]:
    return {passage for passage, _ in library.lexical([word], 100)}


def everything(library: Library) -> tuple[object, ...]:
    """All that a search can see, to compare before and after."""
    found = [passage for passage, _ in library.dense(np.ones(8, np.float32), 1000)]
    records = library.token_records(sorted(found))
    tokens = sorted({int(token) for record in records for token in record.ids})
    words = [sorted(library.lexical([word], 1000)) for word in ("whale", "fox")]
    return sorted(found), words, library.token_frequency(tokens), library.vectors(sorted(found)).tolist()


def test_a_source_is_found_by_word_phrase_and_vector_and_read_back(library: Library, new: Maker) -> None:
    version = new("/docs/whales.txt", WHALES)
    source = library.add_version(version, WHALES.encode())

    passages = library.passages_of(source.id)
    assert [p.text for p in passages] == [WHALES[i : i + 200] for i in range(0, len(WHALES), 200)]
    ids = [p.id for p in passages]
    assert findable(library, "whale") == set(ids)
    assert {passage for passage, _ in library.phrase("largest animal", 10)} <= set(ids)
    best, cosine = library.dense(version.passages[1].vector, 3)[0]
    assert (best, pytest.approx(cosine, abs=1e-6)) == (ids[1], 1.0)

    assert [p.id for p in library.passages(ids[::-1])] == ids[::-1]
    assert np.array_equal(library.vectors(ids[::-1]), np.stack([p.vector for p in version.passages[::-1]]))
    for record, stored in zip(library.token_records(ids), version.passages, strict=True):
        assert np.array_equal(record.ids, stored.token_ids)
        assert np.array_equal(record.starts, stored.token_starts)
        assert record.codes == stored.token_codes
    original = library.original(source.id)
    assert original is not None
    assert original.read_bytes() == WHALES.encode()
    assert library.text(source.id) == WHALES
    assert library.pages(source.id) == version.pages
    assert library.source_meta(source.id) == version.meta
    assert library.sources() == [source] == [library.source_at("/docs/whales.txt")]
    assert source.pages == {"text": 1}


def test_token_frequency_counts_passages_not_occurrences(library: Library, new: Maker) -> None:
    version = new("/a", "x" * 300, size=100)
    twice = np.array([7, 7, 9], np.int32)
    once = np.array([7, 8, 8], np.int32)
    starts = np.array([0, 1, 2], np.int32)
    passages = [
        replace(p, token_ids=ids, token_starts=starts)
        for p, ids in zip(version.passages, (twice, once, once), strict=True)
    ]
    library.add_version(replace(version, passages=tuple(passages)))
    assert library.token_frequency([7, 8, 9, 10]) == {7: 3, 8: 2, 9: 1, 10: 0}
    assert library.passage_count() == 3


def test_a_new_version_replaces_the_old_in_every_search_but_not_in_citations(library: Library, new: Maker) -> None:
    first = library.add_version(new("/a", WHALES))
    old = [p.id for p in library.passages_of(first.id)]
    second = library.add_version(new("/a", FOXES))

    assert second.id == first.id
    assert second.versions == (first.version, second.version)
    assert not findable(library, "whale")
    assert not {passage for passage, _ in library.dense(np.ones(8, np.float32), 100)} & set(old)
    assert library.text(first.id, first.version) == library.version_text(first.version) == WHALES
    assert library.passages(old)[0].text == WHALES[:200]
    with pytest.raises(NotFound):
        library.token_records(old)
    with pytest.raises(NotFound):
        library.vectors(old)


def test_a_source_can_be_called_another_kind(library: Library, new: Maker) -> None:
    source = library.add_version(new("/a", WHALES))
    library.set_kind(source.id, "report")
    assert library.source(source.id).kind == library.passages_of(source.id)[0].kind == "report"


def test_the_same_bytes_again_change_nothing(library: Library, new: Maker) -> None:
    library.add_version(new("/a", WHALES))
    before = everything(library)
    assert library.add_version(new("/a", WHALES)).versions == (new("/a", WHALES).content_hash,)
    assert everything(library) == before


def test_bytes_read_again_to_another_text_become_a_version_of_their_own(library: Library, new: Maker) -> None:
    scanned, recognised = new("/a", "[page image]"), new("/a", FOXES)
    first = library.add_version(scanned)
    again = library.add_version(replace(recognised, content_hash=scanned.content_hash), reread=True)
    assert again.versions == (scanned.content_hash, f"{scanned.content_hash}#2")
    assert library.text(first.id, first.version) == "[page image]"
    assert findable(library, "fox")


def test_a_file_put_back_is_its_former_version_again(library: Library, new: Maker) -> None:
    first = library.add_version(new("/a", WHALES))
    before = everything(library)[1:]
    library.add_version(new("/a", FOXES))
    back = library.add_version(new("/a", WHALES))
    assert back.version == first.version
    assert len(back.versions) == 2
    words, frequency, vectors = everything(library)[1:]
    assert ([len(hits) for hits in words], frequency, vectors) == ([len(hits) for hits in before[0]], *before[1:])


def test_removing_and_restoring_leaves_every_search_as_it_was(library: Library, new: Maker) -> None:
    library.add_version(new("/foxes", FOXES))
    source = library.add_version(new("/whales", WHALES))
    before = everything(library)
    library.remove(source.id)
    assert not findable(library, "whale")
    assert findable(library, "fox")
    assert source.id not in {s.id for s in library.sources()}
    assert library.source(source.id).status == "removed"
    assert library.text(source.id) == WHALES
    library.restore(source.id)
    assert everything(library) == before
    library.remove(source.id)
    assert library.add_version(new("/whales", WHALES)).status == "ok"
    assert everything(library) == before


def test_a_purged_source_leaves_no_trace_on_the_disk(library: Library, new: Maker, folder: Path) -> None:
    secret = "Zanzibarbarossa met the informant at noon. " * 50
    library.add_version(new("/keep", WHALES), WHALES.encode())
    source = library.add_version(new("/secret", secret, title="Informantfile"), secret.encode())
    library.purge(source.id)
    for file in (path for path in folder.rglob("*") if path.is_file()):
        content = file.read_bytes().lower()
        assert b"zanzibarbarossa" not in content
        assert b"informant" not in content
    assert library.check() == []
    assert findable(library, "whale")


def test_what_is_wrong_with_a_path_is_kept_until_it_succeeds(library: Library, new: Maker) -> None:
    broken = Problem("/docs/caf\udce9.pdf", "failed", "not a PDF")
    library.record_problem(Problem("/a", "failed", "encrypted"))
    library.record_problem(broken)
    library.add_version(new("/a", WHALES))
    assert library.problems() == [broken]
    assert library.add_version(new(broken.path, FOXES)).path == broken.path
    assert library.problems() == []


def test_a_vanished_source_is_still_found_and_comes_back(library: Library, new: Maker) -> None:
    source = library.add_version(new("/docs/a", WHALES))
    library.add_version(new("/docs2/b", FOXES))
    assert library.paths_under("/docs") == {"/docs/a": source.id}
    assert library.mark_vanished(["/docs/a", "/never"]) == 1
    assert library.source(source.id).status == "vanished"
    assert findable(library, "whale")
    library.mark_seen([source.id])
    assert library.source(source.id).status == "ok"


def test_an_original_that_changed_while_it_was_read_is_refused(library: Library, new: Maker, folder: Path) -> None:
    with pytest.raises(OriginalChanged):
        library.add_version(new("/a", WHALES), b"other bytes")
    assert library.sources() == []
    assert not [path for path in folder.rglob("*") if path.parent.parent.name == "blobs"]


def test_vectors_of_another_embedder_are_refused(library: Library, folder: Path) -> None:
    library.bind_embedder("random", 8, b"another codec")
    assert library.embedder() == ("random", 8, b"codec")
    for other in (("else", 8), ("random", 16)):
        with pytest.raises(EmbedderMismatch):
            library.bind_embedder(*other, b"codec")


@pytest.mark.parametrize(
    "fault",
    [
        {"vector": np.ones(8, np.float32)},
        {"vector": np.full(8, np.nan, np.float32)},
        {"vector": np.array([1, 0, 0], np.float32)},
        {"locator": Locator(0, 10_000)},
        {"locator": Locator(5, 5)},
        {"token_starts": np.zeros(1, np.int32)},
        {"token_ids": np.full(29, -1, np.int32)},
    ],
)
def test_parts_that_do_not_fit_are_refused_and_nothing_is_stored(
    library: Library, new: Maker, fault: dict[str, object]
) -> None:
    version = new("/a", WHALES)
    with pytest.raises(ValueError, match=r"."):
        library.add_version(replace(version, passages=(replace(version.passages[0], **fault),)))
    assert library.sources() == []
    assert library.counts()["vectors"] == 0


def test_a_reader_cannot_write_and_a_missing_library_says_so(library: Library, new: Maker, folder: Path) -> None:
    with pytest.raises(LibraryMissing):
        Library.open(folder.with_name("none"), write=True)
    assert not folder.with_name("none").exists()
    with Library.open(folder) as reader:
        with pytest.raises(NotWritable):
            reader.add_version(new("/a", WHALES))
        assert reader.dense(np.ones(8, np.float32), 5) == []


def test_copies_of_a_file_are_sources_with_one_hash(library: Library, new: Maker) -> None:
    ids = [library.add_version(new(path, WHALES)).id for path in ("/a", "/b")]
    digest = hashlib.sha256(WHALES.encode()).hexdigest()
    assert [source.id for source in library.sources_with_hash(digest)] == ids


def test_text_that_is_not_valid_unicode_keeps_its_length(library: Library, new: Maker) -> None:
    text = "before \udcff after \x00 end"
    source = library.add_version(new("/a", text, size=100))
    assert library.text(source.id) == "before \ufffd after \x00 end"
    assert findable(library, "end")
