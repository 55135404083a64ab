"""The table of settings: name, kind, default, and what each one does. config.toml holds these, and beside them only the
table `[keys]`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workstation.paths import data_dir

Value = str | int | bool
Effect = Literal["now", "next run", "next start"]
TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")


@dataclass(frozen=True, slots=True)
class Setting:
    """kind is text | folder | number | switch; `choices` limits a text. `default` is asked when it is needed. `effect`
    says when a workstation that is open heeds a change: at once, from the next run or ingest on, or when it is started
    again."""

    key: str
    kind: str
    help: str
    default: Callable[[], Value]
    choices: tuple[str, ...] = ()
    effect: Effect = "next run"

    @property
    def variable(self) -> str:
        """The environment variable that overrides the file."""
        return f"FLORI_{self.key.upper()}"

    def read(self, raw: object) -> Value:
        """`raw` (from TOML, the environment or the command line) as this setting's type. Raises ValueError."""
        if self.kind == "switch":
            return _switch(raw)
        if self.kind == "number":
            if isinstance(raw, bool) or not isinstance(raw, int | str) or int(raw) < 0:
                raise ValueError("a whole number, 0 or more, is needed")
            return int(raw)
        if not isinstance(raw, str | Path) or not str(raw).strip():
            raise ValueError("a text is needed")
        if self.kind == "folder":
            return str(Path(raw).expanduser())
        if self.choices and str(raw) not in self.choices:
            raise ValueError(f"choose one of: {', '.join(self.choices)}")
        return str(raw)


def _switch(raw: object) -> bool:
    word = str(raw).strip().lower()
    if word in TRUE:
        return True
    if word in FALSE:
        return False
    raise ValueError("true or false is needed")


def _folder(name: str) -> Callable[[], Value]:
    return lambda: str(data_dir() / name)


START: Effect = "next start"
THEMES = (
    "textual-dark",
    "textual-light",
    "ansi-dark",
    "ansi-light",
    "gruvbox",
    "nord",
    "solarized-dark",
    "solarized-light",
    "tokyo-night",
)
"""By Textual's names. The ansi ones take the sixteen colours that the terminal is set to."""

SETTINGS: tuple[Setting, ...] = (
    Setting("library", "folder", "the library: the database and the original files", _folder("library"), (), START),
    Setting("reports", "folder", "where research runs put their folders", _folder("reports"), (), START),
    Setting("models", "folder", "where models are installed", _folder("models"), (), START),
    Setting("embedder", "text", "model that embeds passages of a new library (flori models list)", lambda: ""),
    Setting("reranker", "text", "model that reads question and passage together, if you have one", lambda: ""),
    Setting("generator", "text", "model that writes", lambda: ""),
    Setting("transcriber", "text", "model that turns recordings into text", lambda: ""),
    Setting("memory_mb", "number", "memory that open models may take; 0 is half of this machine's", lambda: 0),
    Setting(
        "depth",
        "text",
        "depth of a research run; the workstation takes thorough while none is set",
        lambda: "quick",
        ("quick", "thorough", "deep"),
        "now",
    ),
    Setting("format", "text", "format of a report", lambda: "report", ("report", "brief", "comparison"), "now"),
    Setting("searxng", "text", "address of the SearXNG instance that research on the web asks", lambda: ""),
    Setting("allowed_hosts", "text", "hosts of your own network that pages may come from, with commas", lambda: ""),
    Setting("browser", "text", "a Chromium that runs the scripts of pages which show nothing without", lambda: ""),
    Setting("contact", "text", "how a site can reach you, for the user agent of page requests", lambda: ""),
    Setting("subtitles", "switch", "take a recording's subtitles, where it has some, for its words", lambda: True),
    Setting("offline", "switch", "never open a network connection", lambda: False, (), START),
    Setting("theme", "text", "colours of the workstation", lambda: "textual-dark", THEMES, "now"),
)
BY_KEY = {setting.key: setting for setting in SETTINGS}
MODEL_ROLES = ("embedder", "reranker", "generator", "transcriber")
"""Settings that name a model, each by the role it is for."""
