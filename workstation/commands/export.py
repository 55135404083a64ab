"""`flori export`: a report as a file that others can open."""

from __future__ import annotations

import json
import os
from pathlib import Path

from workstation.engine.launch import load_run
from workstation.errors import BadInput, Exit
from workstation.memory.projections import REPORT
from workstation.memory.state import ResearchState
from workstation.options import Options
from workstation.output import emit, say
from workstation.report import bibliography, html
from workstation.report.cite import numbers_in
from workstation.report.document import document

NEEDED = {"docx": "python-docx", "pdf": "WeasyPrint"}


class NothingToExport(BadInput):
    title = "This run has no report yet"
    hint = "Finish it with: flori continue FOLDER"


class ExporterMissing(BadInput):
    title = "What makes this kind of file is not installed"
    hint = 'Install it with: pip install "florilegium[export]"'


def run(options: Options, folder: Path, form: str, out: Path | None) -> int:
    """Writes the file, and says where it is."""
    state = load_run(folder)
    report = folder / REPORT
    if not report.is_file():
        raise NothingToExport(str(folder))
    path = (out or report.with_suffix(".csl.json" if form == "csl" else f".{form}")).absolute()
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a file in it")
    made = _made(report.read_text(encoding="utf-8", errors="replace"), state, form)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(made)
    draft.chmod(0o600)
    draft.replace(path)
    if options.json:
        emit({"folder": str(folder), "to": form, "file": str(path), "bytes": len(made)})
    else:
        say(f"Written: {path}")
    return Exit.DONE


def _made(report: str, state: ResearchState, form: str) -> bytes:
    title = document(state).title
    if form == "csl":
        cited = set(numbers_in(report))
        items = bibliography.csl(entry for entry in state.ledger if entry.number in cited)
        return (json.dumps(items, ensure_ascii=False, indent=2) + "\n").encode()
    try:
        if form == "docx":
            from workstation.report.office import word

            return word(report, title, state.language)
        page = html.page(report, title, state.language)
        return html.pdf(page) if form == "pdf" else page.encode("utf-8", "replace")
    except (ImportError, OSError) as error:
        raise ExporterMissing(f"{NEEDED.get(form, form)}: {error}") from error
