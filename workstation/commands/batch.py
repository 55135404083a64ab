"""Many questions with the models loaded once: JSON lines in, JSON lines out, same ids, same order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from workstation.errors import BadInput
from workstation.options import Options
from workstation.output import emit
from workstation.progress import counting


class BadBatch(BadInput):
    title = "The batch file cannot be used"
    hint = 'One JSON object a line: {"id": "1", "question": "..."}'


def read_batch(path: Path) -> Iterator[tuple[object, str]]:
    """(id, question) of each line that is not blank. Raises BadBatch with the line's number."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise BadBatch(f"{path}: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            question = row["question"]
        except (ValueError, KeyError, TypeError) as error:
            raise BadBatch(f"{path}, line {number}") from error
        if not isinstance(question, str) or not question.strip():
            raise BadBatch(f"{path}, line {number}: the question is empty")
        yield row.get("id", number), question


def run_batch(options: Options, path: Path, answer: Callable[[str], dict[str, Any]]) -> int:
    """Emits `answer(question)` with the line's id for every line; the whole file is checked before the first answer."""
    rows = list(read_batch(path))
    for id, question in counting(options, rows, "questions"):
        emit({"id": id} | answer(question))
    return 0
