from __future__ import annotations

import os
from pathlib import Path

import pytest

from workstation.content.walk import Found, PassedOver, walk


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def test_a_folder_gives_its_files_by_name_and_says_what_it_passed_over(tmp_path: Path) -> None:
    make(tmp_path, "b.txt", "a/c.txt", ".git/config", ".secret", "node_modules/x.js", "~$b.docx")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    os.mkfifo(tmp_path / "pipe")
    found = list(walk([tmp_path]))
    assert [item.path.name for item in found if isinstance(item, Found)] == ["c.txt", "b.txt"]
    reasons = {Path(item.path).name: item.reason for item in found if isinstance(item, PassedOver)}
    assert set(reasons) == {".git", ".secret", "node_modules", "~$b.docx", "loop", "nowhere", "pipe"}
    assert "already" in reasons["loop"]
    assert "nowhere" in reasons["nowhere"]


def test_a_path_that_is_named_is_read_even_when_hidden_and_only_once(tmp_path: Path) -> None:
    make(tmp_path, ".notes.md", "x.md")
    found = list(walk([tmp_path / ".notes.md", tmp_path / "x.md", tmp_path]))
    assert [(item.path.name, item.asked) for item in found if isinstance(item, Found)] == [
        (".notes.md", True),
        ("x.md", True),
    ]


def test_a_path_that_is_not_there_is_said(tmp_path: Path) -> None:
    (missing,) = walk([tmp_path / "gone"])
    assert missing == PassedOver(str(tmp_path / "gone"), "there is no such file or folder", missing=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter every folder")
def test_a_folder_that_may_not_be_entered_is_said(tmp_path: Path) -> None:
    make(tmp_path, "closed/x.txt", "y.txt")
    (tmp_path / "closed").chmod(0)
    try:
        reasons = [item.reason for item in walk([tmp_path]) if isinstance(item, PassedOver)]
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert reasons == ["no permission to read it"]
