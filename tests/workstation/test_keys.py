"""Keys of one's own: any action of the table, by names that a person would write; a bad one is named with its line."""

from __future__ import annotations

import pytest

from tests.conftest import Flori
from workstation.config import Config
from workstation.errors import BadSetting
from workstation.keys import check_keys
from workstation.paths import config_file


def write(text: str) -> None:
    config_file().write_text(f'depth = "deep"\n[keys]\n{text}\n', encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('"research.enough" = "E"', "E"),
        ('research.enough = "Shift+e, F9"', "E,f9"),
        ('"research.enough" = "Ctrl+G"', "ctrl+g"),
        ('"research.enough" = "!"', "exclamation_mark"),
        ('[keys.research]\nenough = "BackSpace"', "backspace"),
    ],
)
def test_keys_are_read_as_a_person_would_write_them(text: str, keys: str) -> None:
    from panes.own_keys import own_keys

    write(text)
    assert own_keys(Config.load()) == {"research.enough": keys}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"research.enogh" = "E"', "line 3: .*there is no such action"),
        ('"research.enough" = "ctrl+s"', "line 3: .*does not arrive from every terminal"),
        ('"research.enough" = "ctrl+enter"', "line 3: .*does not arrive"),
        ('"research.enough" = "x"', "line 3: .*x is the key of research.cancel"),
        ('"research.enough" = "q"', "q is the key of app.quit"),
        ('"research.enough" = "hyper+y"', "there is no key 'hyper\\+y'"),
        ('"research.enough" = ""', "the name of a key is needed"),
        ('"ask.ask_start" = "y"', "y is text there"),
        ('\n"research.cancel" = "E"\n"research.enough" = "E"', "line 4: .*E is the key of research.enough"),
        ('"research.enough" = 3', "the name of a key is needed, in quotes"),
    ],
)
def test_a_key_that_cannot_be_is_named_with_its_line(text: str, said: str) -> None:
    write(text)
    with pytest.raises(BadSetting, match=said):
        check_keys(Config.load())


def test_two_actions_may_change_their_keys_with_each_other() -> None:
    write('"research.enough" = "x"\n"research.cancel" = "e"')
    assert check_keys(Config.load()) == 2


def test_config_and_doctor_say_which_line_is_wrong(flori: Flori) -> None:
    (flori.home / "config.toml").write_text('[keys]\n"app.help" = "ctrl+z"\n')
    done = flori("config")
    assert done.code == 3
    assert "config.toml, line 2: [keys] app.help" in done.err
    assert "config.toml, line 2: [keys] app.help" in flori("doctor").out
