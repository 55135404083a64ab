from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from local_models.loader import Loader
from storage.errors import EmbedderMismatch
from storage.library import Library
from tests.workstation.content.making import PDFS, HashingEmbedder, lines, pdf
from workstation.content.document import Document
from workstation.content.ingest import IngestCancelled, Options, ingest, ingest_documents
from workstation.content.results import IngestResult, Progress
from workstation.core.cancel import CancelToken

PARAGRAPH = "The lighthouse at {name} was built in 18{n:02} by the harbour board. Its lamp turns once in {n} seconds. "


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", write=True, create=True) as opened:
        yield opened


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for n, name in enumerate(("alpha", "beta", "gamma")):
        parts = [
            PARAGRAPH.format(name=name, n=n) * 5 + f"The {part} is old." for part in ("lamp", "door", "stair", "roof")
        ]
        (folder / f"{name}.md").write_text(f"# Light of {name}\n\n" + "\n\n".join(parts))
    return folder


def run(library: Library, *paths: Path, embedder: HashingEmbedder | None = None, **options: object) -> IngestResult:
    return ingest(paths, library, embedder or HashingEmbedder(), cancel=CancelToken(), **options)  # type: ignore[arg-type]


def test_what_goes_in_is_found_word_for_word_with_heading_and_language(library: Library, docs: Path) -> None:
    result = run(library, docs)
    assert [Path(entry.path).name for entry in result.sources] == ["alpha.md", "beta.md", "gamma.md"]
    source = library.source(result.sources[0].source)
    assert (source.title, source.language, source.kind, source.status) == ("Light of alpha", "en", "text", "ok")
    text = library.text(source.id)
    passages = library.passages_of(source.id)
    assert len(passages) == result.sources[0].passages > 1
    assert all(
        p.text == text[p.locator.start : p.locator.end] and p.locator.heading == "Light of alpha" for p in passages
    )
    query = HashingEmbedder().embed_query(passages[1].text).vector
    assert library.dense(query, 1)[0][0] == passages[1].id
    assert library.original(source.id).read_bytes() == (docs / "alpha.md").read_bytes()  # type: ignore[union-attr]


def test_a_second_run_embeds_nothing_and_a_changed_file_is_another_version(library: Library, docs: Path) -> None:
    first = run(library, docs)
    embedder = HashingEmbedder()
    assert run(library, docs, embedder=embedder).count("unchanged") == 3
    assert embedder.seen == []
    (docs / "beta.md").write_text("# Light of beta\n\nIt was pulled down.")
    result = run(library, docs, embedder=embedder)
    assert [entry.change for entry in result.sources] == ["unchanged", "updated", "unchanged"]
    assert len(embedder.seen) == 1
    changed = library.source(result.sources[1].source)
    assert changed.id == first.sources[1].source
    assert len(changed.versions) == 2


def test_a_file_that_has_gone_is_said_and_comes_back(library: Library, docs: Path) -> None:
    run(library, docs)
    text = (docs / "gamma.md").read_text()
    (docs / "gamma.md").unlink()
    assert run(library, docs).vanished == [str(docs / "gamma.md")]
    assert library.source_at(str(docs / "gamma.md")).status == "vanished"  # type: ignore[union-attr]
    (docs / "gamma.md").write_text(text)
    result = run(library, docs)
    assert result.count("unchanged") == 3
    assert library.source_at(str(docs / "gamma.md")).status == "ok"  # type: ignore[union-attr]


def test_bad_files_are_said_with_a_reason_and_do_not_stop_the_others(library: Library, docs: Path) -> None:
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 nothing else")
    (docs / "empty.txt").touch()
    (docs / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0" + bytes(100))
    (docs / "scan.pdf").write_bytes((PDFS / "imagemagick-CCITTFaxDecode.pdf").read_bytes())
    result = run(library, docs, docs / "absent.txt")
    shown = json.loads(json.dumps(result.to_json()))
    by_name = {Path(entry["path"]).name: entry for entry in shown["sources"]}
    assert set(by_name) == {"alpha.md", "beta.md", "gamma.md", "photo.jpg", "scan.pdf"}
    for name, kind in (("scan.pdf", "pdf"), ("photo.jpg", "image")):
        assert by_name[name]["kind"] == kind
        assert by_name[name]["status"] == 'no text: the page needs OCR (pip install "florilegium[ocr]")'
        assert by_name[name]["passages"] == 0
        assert by_name[name]["pages"] == {"text": 0, "ocr": 0, "needs_ocr": 1, "blank": 0, "failed": 0}
    assert {Path(entry["path"]).name: bool(entry["reason"]) for entry in shown["failed"]} == {
        "broken.pdf": True,
        "absent.txt": True,
    }
    assert {Path(entry["path"]).name for entry in shown["skipped"]} == {"empty.txt"}
    assert {Path(problem.path).name for problem in library.problems()} == {"broken.pdf", "empty.txt"}


def test_passages_of_many_small_files_are_embedded_together(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(150):
        (folder / f"{n:03}.md").write_text(f"# Note {n}\n\nOne short note about number {n}.")
    embedder = HashingEmbedder()
    result = run(library, folder, embedder=embedder)
    assert [entry.title for entry in result.sources] == [f"Note {n}" for n in range(150)]
    assert len(embedder.windows) <= 8  # the sample, and 150 passages in windows of 64 as far as they lie ready


def test_the_embedder_reads_title_and_heading_where_the_passage_does_not_begin_with_them(
    library: Library, docs: Path
) -> None:
    embedder = HashingEmbedder()
    run(library, docs / "alpha.md", embedder=embedder)
    own = [passage for passage in embedder.seen if "alpha" in passage.text]
    assert own[0].context == ""
    assert {passage.context for passage in own[1:]} == {"Light of alpha"}
    plain = HashingEmbedder()
    run(library, docs / "beta.md", embedder=plain, options=Options(with_context=False, kind="log"))
    assert {passage.context for passage in plain.seen} == {""}
    assert library.source_at(str(docs / "beta.md")).kind == "log"  # type: ignore[union-attr]


def test_being_stopped_keeps_what_is_whole_and_the_next_run_goes_on(library: Library, docs: Path) -> None:
    cancel = CancelToken()

    def stop(progress: Progress) -> None:
        if progress.files_done:
            cancel.cancel()

    many = [docs / f"{n}.md" for n in range(60)]
    for n, path in enumerate(many):
        path.write_text(PARAGRAPH.format(name=str(n), n=n % 90) * 40)
    with pytest.raises(IngestCancelled) as stopped:
        ingest([docs], library, HashingEmbedder(), cancel=cancel, progress=stop)
    done = len(library.sources())
    assert len(stopped.value.result.sources) == done
    assert 0 < done < 63
    assert all(len(library.passages_of(s.id)) == s.passages > 0 for s in library.sources())
    assert run(library, docs).count("unchanged") == done
    assert len(library.sources()) == 63


def test_another_embedder_is_refused_before_any_work(library: Library, docs: Path) -> None:
    run(library, docs)
    other = HashingEmbedder()
    other.fingerprint = "hashing-2"
    with pytest.raises(EmbedderMismatch):
        run(library, docs, embedder=other)
    assert other.seen == []


def test_a_removed_source_stays_away_until_it_is_named(library: Library, docs: Path) -> None:
    result = run(library, docs)
    library.remove(result.sources[0].source)
    again = run(library, docs)
    assert len(again.sources) == 2
    assert "removed" in again.skipped[0].reason
    run(library, docs / "alpha.md")
    assert library.source(result.sources[0].source).status == "ok"


def test_a_copy_says_what_it_is_a_copy_of(library: Library, docs: Path) -> None:
    (docs / "z_copy.md").write_bytes((docs / "alpha.md").read_bytes())
    result = run(library, docs)
    assert library.source_meta(result.sources[-1].source)["duplicate_of"] == str(docs / "alpha.md")


def test_fetched_pages_go_the_same_way(library: Library) -> None:
    page = (
        b"<html><body><article><p>" + b"The ferry to the island leaves at nine each morning. " * 10 + b"</p></article>"
    )
    url = "https://example.org/ferry?x=1"
    documents = [
        Document(url, data=page, origin=url),
        Document("https://example.org/f.pdf", data=pdf(lines("Ferry times: at nine."))),
    ]
    result = ingest_documents(documents, library, HashingEmbedder(), cancel=CancelToken())
    assert [entry.kind for entry in result.sources] == ["html", "pdf"]
    assert library.source(result.sources[0].source).origin == url


def test_pages_of_a_pdf_are_in_the_locators(library: Library, docs: Path) -> None:
    (docs / "x.pdf").write_bytes(
        pdf(lines("The first page is about whales."), lines("The second page is about ships."))
    )
    entry = run(library, docs / "x.pdf").sources[0]
    assert [(p.locator.page, p.text) for p in library.passages_of(entry.source)] == [
        (1, "The first page is about whales."),
        (2, "The second page is about ships."),
    ]


def test_killed_at_any_moment_the_library_is_whole_and_the_next_run_completes_it(tmp_path: Path, docs: Path) -> None:
    for n in range(80):
        (docs / f"{n}.md").write_text(PARAGRAPH.format(name=str(n), n=n % 90) * 30)
    code = (
        "import sys, pathlib\nfrom storage.library import Library\nfrom workstation.content.ingest import ingest\n"
        "from workstation.core.cancel import CancelToken\n"
        "from tests.workstation.content.making import HashingEmbedder\n"
        "with Library.open(pathlib.Path(sys.argv[1]), write=True, create=True) as library:\n"
        "    print('open', flush=True)\n"
        "    ingest([sys.argv[2]], library, HashingEmbedder(), cancel=CancelToken())\n"
    )
    folder = tmp_path / "library"
    for delay in (0.0, 0.3, 0.6):
        root = Path(__file__).resolve().parents[3]
        child = subprocess.Popen([sys.executable, "-c", code, folder, docs], stdout=subprocess.PIPE, cwd=root)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(delay)
        os.kill(child.pid, signal.SIGKILL)
        child.communicate()
    with Library.open(folder, write=True) as library:
        assert all(len(library.passages_of(s.id)) == s.passages > 0 for s in library.sources())
        result = run(library, docs)
        assert len(result.sources) == 83
        assert len({source.title for source in library.sources()}) == 83
        assert library.counts()["passages"] == library.counts()["vectors"] == sum(e.passages for e in result.sources)


@pytest.mark.models
def test_with_the_default_embedder_a_question_finds_its_passage(library: Library, docs: Path, models_dir: Path) -> None:
    loader = Loader(models_dir)
    try:
        seen: list[Progress] = []
        (docs / "bees.md").write_text("# Bees\n\nA queen bee lays up to two thousand eggs a day in early summer.")
        ingest([docs], library, loader.embedder(), cancel=CancelToken(), progress=seen.append)
        query = loader.embedder().embed_query("How many eggs does the queen lay?")
        (best,) = library.passages([library.dense(query.vector, 1)[0][0]])
    finally:
        loader.close()
    assert "two thousand eggs" in best.text
    assert (seen[-1].files_done, seen[-1].passages_done) == (4, seen[-1].passages_total)
