"""Labelled questions: `xquad.passages.jsonl` and `xquad.questions.jsonl` of a folder, and a library that holds the
passages.

A passage is {_id, title, text}. A question is {id, paragraph, answer} and its text under the key of each language that
it is asked in; paragraph is the _id that answers it, or null when nothing in the library does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Row = dict[str, Any]
LANGUAGE = re.compile(r"[a-z]{2,3}")
NOT_LANGUAGES = {"id"}  # two letters, and yet not ISO 639


@dataclass(frozen=True, slots=True)
class Labelled:
    name: str
    passages: list[Row]
    questions: list[Row]

    @classmethod
    def read(cls, folder: Path) -> Labelled:
        passages, questions = (rows(folder / f"xquad.{part}.jsonl") for part in ("passages", "questions"))
        return cls(folder.name, passages, questions)

    @property
    def languages(self) -> list[str]:
        """The languages that the questions are asked in."""
        keys = dict.fromkeys(key for question in self.questions for key in question)
        return [key for key in keys if LANGUAGE.fullmatch(key) and key not in NOT_LANGUAGES]

    def asked_in(self, reads: Sequence[str]) -> Labelled:
        """The same without the languages that are not in `reads`; () and "mul" stand for all of them."""
        if not reads or "mul" in reads:
            return self
        others = set(self.languages) - set(reads)
        return replace(self, questions=[{k: q[k] for k in q if k not in others} for q in self.questions])


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_documents(passages: list[Row], folder: Path) -> list[Path]:
    """One Markdown file a passage, named by its id."""
    folder.mkdir()
    return [_written(passage, folder) for passage in passages]


def _written(passage: Row, folder: Path) -> Path:
    path = folder / f"{file_stem(passage['_id'])}.md"
    path.write_text(f"# {passage['title']}\n\n{passage['text']}\n", encoding="utf-8")
    return path


def file_stem(id: str) -> str:
    return id.replace("#", "--").replace("/", "-")
