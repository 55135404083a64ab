"""What is imported is declared, and in the right place: a lean install must not lack what every run needs."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("workstation", "panes", "local_models", "storage")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def names(requirements: list[str]) -> set[str]:
    return {canonical(re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0]) for line in requirements}


def imported() -> Iterator[tuple[str, Path]]:
    """Top-level names that our modules import, at any depth."""
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((alias.name.split(".")[0], path) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.split(".")[0], path


def test_every_imported_package_is_declared() -> None:
    declared = names(PROJECT["dependencies"])
    for extra in PROJECT["optional-dependencies"].values():
        declared |= names(extra)
    distributions = packages_distributions()
    own = {*sys.stdlib_module_names, *PACKAGES}
    undeclared = {
        f"{name} in {path.relative_to(ROOT)}"
        for name, path in imported()
        if name not in own and not declared & {canonical(dist) for dist in distributions.get(name, [name])}
    }
    assert not undeclared


def test_the_lean_install_has_no_torch() -> None:
    assert not names(PROJECT["dependencies"]) & {"torch", "sentence-transformers", "transformers"}
