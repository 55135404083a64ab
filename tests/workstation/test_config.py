"""Settings: the nearest word wins, and its origin is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from workstation.config import Config, store
from workstation.errors import BadSetting
from workstation.options import resolve
from workstation.paths import config_file


def write(text: str) -> None:
    config_file().write_text(text, encoding="utf-8")


def test_defaults_need_no_file() -> None:
    config = Config.load()
    assert (config["depth"], config.values["depth"].origin) == ("quick", "default")


def test_option_over_environment_over_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write('library = "/from/file"\n')
    assert Config.load().values["library"].origin == "file"
    monkeypatch.setenv("FLORI_LIBRARY", "/from/environment")
    assert resolve({}).library == Path("/from/environment")
    assert resolve({"library": str(tmp_path)}).library == tmp_path


def test_an_empty_environment_variable_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLORI_OFFLINE", "")
    assert Config.load().values["offline"].origin == "default"


@pytest.mark.parametrize(("word", "meant"), [("1", True), ("true", True), ("0", False), ("no", False)])
def test_offline_is_a_switch(word: str, meant: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLORI_OFFLINE", word)
    assert resolve({}).offline is meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("depth = 3", "depth"),
        ('depth = "very"', "quick, thorough, deep"),
        ("memory_mb = -1", "0 or more"),
        ("dept = 1", "no setting 'dept'"),
        ("depth =", "not valid TOML"),
    ],
)
def test_a_bad_file_is_named_with_the_setting(text: str, said: str) -> None:
    write(text)
    with pytest.raises(BadSetting, match=said) as caught:
        Config.load()
    assert str(config_file()) in str(caught.value)
    assert "flori" not in caught.value.hint  # which would fail for the same reason


def test_storing_keeps_comments_and_other_settings() -> None:
    write('# mine\ndepth = "deep" # always\noffline = true\n')
    store("memory_mb", 900)
    store("offline", None)
    assert config_file().read_text() == '# mine\ndepth = "deep" # always\nmemory_mb = 900\n'
    assert Config.load()["memory_mb"] == 900


def test_the_memory_budget_is_half_of_the_machine_unless_said() -> None:
    assert Config.load().memory_budget() > 2**28
    store("memory_mb", 700)
    assert Config.load().memory_budget() == 700 * 2**20
