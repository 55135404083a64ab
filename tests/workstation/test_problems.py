"""Every error ends as what happened, to what, what next, and a status that scripts can rely on."""

from __future__ import annotations

import errno
from pathlib import Path

import click
import pytest

import local_models.errors as models
import storage.errors as storage
from workstation.core.cancel import Cancelled
from workstation.errors import BadSetting, NothingFound
from workstation.problems import describe, report


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NothingFound("x"), 1),
        (click.UsageError("x"), 2),
        (BadSetting("x"), 3),
        (storage.LibraryMissing("x"), 3),
        (storage.NotFound("x"), 3),
        (FileNotFoundError(errno.ENOENT, "no", "/x"), 3),
        (models.ModelMissing("x"), 4),
        (models.ModelFileCorrupt("x"), 4),
        (storage.EmbedderMismatch("x"), 4),
        (storage.LibraryBusy("x"), 5),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (Cancelled(), 130),
        (models.Cancelled(), 130),
    ],
)
def test_status_by_error(error: BaseException, code: int) -> None:
    notice = describe(error)
    assert notice.code == code
    assert notice.title


def test_model_and_storage_errors_say_how_to_mend() -> None:
    for kind in (models.ModelMissing, models.ModelFileCorrupt, storage.LibraryBusy, storage.EmbedderMismatch):
        assert describe(kind("x")).hint


def test_the_file_is_named() -> None:
    notice = describe(PermissionError(errno.EACCES, "no", "/data/secret.txt"))
    assert "/data/secret.txt" in notice.what
    assert "permissions" in notice.hint


def test_an_unexpected_error_is_one_line_and_a_private_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("workstation.paths.log_dir", lambda: tmp_path / "log")
    assert report(ValueError("secret\x1b[2J\nsecond line")) == 70
    said = capsys.readouterr().err
    assert "ValueError: secret␛[2J" in said
    assert "Traceback" not in said
    (log,) = (tmp_path / "log").iterdir()
    assert str(log) in said
    assert "ValueError" in log.read_text()
    assert log.stat().st_mode & 0o077 == 0


def test_debug_shows_the_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("FLORI_DEBUG", "1")
    monkeypatch.setattr("workstation.paths.log_dir", lambda: tmp_path)
    try:
        raise RuntimeError("here")
    except RuntimeError as error:
        report(error)
    assert "Traceback" in capsys.readouterr().err
