"""One writer, many readers, and death at any moment."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from storage import migrations
from storage.errors import LibraryBusy, LibraryCorrupt, LibraryMissing, LibraryNewer
from storage.library import Library

from .making import DIMENSION, Maker

ROOT = Path(__file__).parents[2]

WRITER = """
import sys
from pathlib import Path
from storage.library import Library
from tests.storage.making import DIMENSION, make_version
with Library.open(Path(sys.argv[1]), write=True, create=True) as library:
    library.bind_embedder("random", DIMENSION, b"")
    print("open", flush=True)
    for number in range(int(sys.argv[2]), 1_000_000):
        text = f"Document {number} of run {sys.argv[2]}. " * 40
        library.add_version(make_version(f"/{number % 40}", text), text.encode())
"""


def start_writer(folder: Path, first: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), str(first)]
    writer = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "open\n"
    return writer


def kill(writer: subprocess.Popen[str]) -> None:
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert writer.stdout is not None
    writer.stdout.close()


def test_a_killed_writer_leaves_a_whole_library(folder: Path) -> None:
    chance = random.Random(11)
    stored = 0
    for run in range(10):
        writer = start_writer(folder, run * 1000)
        time.sleep(chance.uniform(0.0, 0.2))
        kill(writer)
        with Library.open(folder, write=True) as library:  # the kernel has dropped the dead writer's lock
            findings = library.mend(library.check())
            assert findings == []
            assert library.check() == []
            for source in library.sources():
                assert "".join(passage.text for passage in library.passages_of(source.id)) == library.text(source.id)
            stored = library.counts()["versions"]
    assert stored > 10


def test_a_second_writer_is_told_at_once_who_writes(folder: Path) -> None:
    writer = start_writer(folder, 0)
    try:
        before = time.monotonic()
        with pytest.raises(LibraryBusy, match=str(writer.pid)):
            Library.open(folder, write=True)
        assert time.monotonic() - before < 1
        with Library.open(folder) as reader:  # while it writes
            with reader.snapshot():
                assert reader.counts() == reader.counts()
            seen = reader.counts()["versions"]
            while reader.counts()["versions"] == seen:
                time.sleep(0.01)
    finally:
        kill(writer)


def test_only_the_owner_can_read_the_library(library: Library, new: Maker, folder: Path) -> None:
    library.add_version(new("/a", "text"), b"text")
    assert {path.name for path in folder.iterdir()} >= {
        "library.db",
        "library.db-wal",
        "library.db-shm",
        "library.lock",
    }
    for path in [folder, *folder.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_folder_in_use_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "other.txt").touch()
    tmp_path.chmod(0o755)
    Library.open(tmp_path, write=True, create=True).close()
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "library.db").stat().st_mode & 0o777 == 0o600


READER = """
import os, sys
from pathlib import Path
import apsw.bestpractice, sqlite_vec
from storage.library import Library
if os.geteuid() == 0:
    os.setuid(65534)  # root may write everywhere
print(len(Library.open(Path(sys.argv[1])).lexical(["whale"], 5)))
"""


def test_a_library_on_a_read_only_disk_can_be_read(new: Maker) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Library.open(folder, write=True, create=True) as library:
            library.bind_embedder("random", DIMENSION, b"")
            library.add_version(new("/a", "A whale."))
        assert not (folder / "library.db-wal").exists()
        (folder / "library.db").chmod(0o644)
        folder.chmod(0o555)
        command = [sys.executable, "-c", READER, name]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        folder.chmod(0o755)
    assert found.stdout == "1\n", found.stderr


def test_a_library_of_a_newer_program_is_refused(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.close()
    later = (*migrations.MIGRATIONS, ("9999 from the future", lambda connection: None))
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", later)
        Library.open(folder).close()  # a reader, too, brings an older library up to date
    for write in (False, True):
        with pytest.raises(LibraryNewer, match="9999"):
            Library.open(folder, write=write)


def test_a_migration_that_fails_leaves_the_library_as_it_was(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.close()

    def breaks(connection) -> None:  # type: ignore[no-untyped-def]
        connection.execute("CREATE TABLE half(done)")
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, ("9999 breaks", breaks)))
        with pytest.raises(RuntimeError):
            Library.open(folder, write=True)
    with Library.open(folder, write=True) as again:
        assert not again._connection.table_exists("main", "half")
        assert again.embedder() == ("random", DIMENSION, b"codec")


def test_a_file_that_is_no_library_is_not_mistaken_for_one(folder: Path) -> None:
    folder.mkdir()
    (folder / "library.db").touch()
    for write in (False, True):
        with pytest.raises(LibraryMissing):
            Library.open(folder, write=write)
    (folder / "library.db").write_bytes(b"%PDF-1.7 " * 1000)
    for write in (False, True):
        with pytest.raises(LibraryCorrupt):
            Library.open(folder, write=write)
