"""The person's own keys are checked against the table of keys, which is the screen's: only this asks it."""

from __future__ import annotations

from workstation.config import Config


def check_keys(config: Config) -> int:
    """How many actions have other keys. Raises BadSetting, naming the line, when one cannot be what it says."""
    if not config.keys:
        return 0
    from panes.own_keys import own_keys

    return len(own_keys(config))
