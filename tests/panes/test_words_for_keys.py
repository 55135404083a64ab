"""A person can give every action another key, so no sentence of the workstation may name a key by itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PANES = Path(__file__).resolve().parents[2] / "panes"
TABLE = {"key.py", "key_table.py", "key_screens.py"}
DOES = "puts|goes|gives|tries|says|writes|works|lists|shows|takes|opens"
NAMED = re.compile(rf"\bF[1-8]\b|\b[Pp]ress (?:[A-Za-z/.]|Ctrl\+\w)\b|(?:^|[\s,.])[b-zJX] (?:{DOES})\b")


def sentences(path: Path) -> Iterator[str]:
    """Every text in a module but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    spoken_of = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken_of:
            yield node.value


def test_no_sentence_names_a_key_that_may_be_another_one() -> None:
    found = {
        f"{path.relative_to(PANES)}: {text}"
        for path in PANES.rglob("*.py")
        if path.name not in TABLE
        for text in sentences(path)
        if NAMED.search(text)
    }
    assert not found
