"""What the bench works on: Markdown files, questions about them, and folders of its own for everything else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchlib.here import ROOT
from benchlib.labelled import rows, write_documents

FILES = 128
"""At most so many: two windows of the embedder, a quarter of a minute of work on two cores, done four times."""
QUESTIONS = 60
LABELLED = ("xquad", "squad2", "scifact")


@dataclass(frozen=True)
class Material:
    """home: a temporary folder. documents: what is ingested. questions: in English for the labelled samples."""

    home: Path
    documents: list[Path]
    questions: list[str]

    @classmethod
    def of(cls, data: Path, home: Path) -> Material:
        if not (data / "xquad.passages.jsonl").exists():
            documents = sorted(data.rglob("*.md"))[:FILES]
            return cls(home, documents, [_first_sentence(path) for path in documents][:QUESTIONS])
        names = [name for name in LABELLED if (data / f"{name}.passages.jsonl").exists()]
        passages = [passage for name in names for passage in rows(data / f"{name}.passages.jsonl")]
        asked = [question["en"] for question in rows(data / "xquad.questions.jsonl")]
        return cls(home, write_documents(passages[:FILES], home / "documents"), asked[:QUESTIONS])

    @property
    def thorough(self) -> list[str]:
        """The longest questions, for research: they name enough to be found by."""
        return sorted(self.questions, key=len, reverse=True)[:4]

    def ingest(self) -> None:
        """Makes the library in a process of its own, if none is there yet."""
        if not self.library.exists():
            command = self.flori("--quiet", "ingest", *self.documents)
            subprocess.run(command, env=self.environment, cwd=self.home, check=True, stdout=subprocess.DEVNULL)

    @property
    def library(self) -> Path:
        return self.home / "library"

    @cached_property
    def models(self) -> Path:
        from workstation.config import Config

        return Config.load().folder("models")

    @cached_property
    def environment(self) -> dict[str, str]:
        """For child processes: our folders, the installed models, and nobody's settings."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("FLORI_")}
        return kept | {
            "FLORI_CONFIG": str(self.home / "config.toml"),
            "FLORI_LIBRARY": str(self.library),
            "FLORI_REPORTS": str(self.home / "reports"),
            "FLORI_MODELS": str(self.models),
            "XDG_STATE_HOME": str(self.home / "state"),
            "PYTHONPATH": str(ROOT),
        }

    def flori(self, *arguments: object) -> list[str]:
        """The command line; to be run with `environment`."""
        return [sys.executable, "-m", "workstation", *map(str, arguments)]


def _first_sentence(path: Path) -> str:
    """A question that the file answers: its first sentence that is not a heading."""
    text = re.sub(r"(?m)^#.*$", "", path.read_text(encoding="utf-8", errors="replace")).strip()
    return " ".join(re.split(r"(?<=[.?!])\s", text, maxsplit=1)[0].split()[:24]) or path.stem
