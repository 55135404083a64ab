"""`flori verify`: a report checked again, as it stands on disk, against the log and the stored sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from storage.errors import NotFound
from storage.library import Library
from workstation.core.text import one_line
from workstation.engine.launch import load_run
from workstation.errors import BadInput, Exit
from workstation.memory.projections import REPORT, SOURCES, is_edited
from workstation.memory.state import ResearchState
from workstation.options import Options
from workstation.output import emit, say
from workstation.report.markdown import verdict
from workstation.verification.check import Verification, check_report
from workstation.verification.ledger import check_file

_STATES = {"vanished": "no longer at its path", "removed": "removed from the library"}


class NoReport(BadInput):
    title = "This run has no report yet"
    hint = "Finish it with: flori continue FOLDER"


def run(options: Options, folder: Path) -> int:
    """Exit 0 when the report holds, 1 when it does not; sources that changed since are said and are no failure."""
    state = load_run(folder)
    report = _read(folder / REPORT)
    if report is None:
        raise NoReport(str(folder))
    place = _library_of(state, options)
    with Library.open(place) as library:
        found = check_report(
            report,
            state,
            lambda source, version: _text(library, source, version),
            file_failures=tuple(check_file(_read(folder / SOURCES), state)),
        )
        changed = _changed(library, state, found)
    edited = is_edited(folder, REPORT)
    if options.json:
        emit(_document(folder, found, changed, edited))
    else:
        _show(place, state, found, changed, edited)
    return Exit.DONE if found.ok else Exit.NEGATIVE


def _document(folder: Path, found: Verification, changed: list[dict[str, Any]], edited: bool) -> dict[str, Any]:
    check = found.check.model_dump(mode="json")
    return {
        "folder": str(folder),
        "ok": found.ok,
        "verification": check,
        "failures": check["failures"],
        "changed": changed,
        "edited": edited,
    }


def _library_of(state: ResearchState, options: Options) -> Path:
    """The library that the run was made with, or the one of this command when that is gone."""
    own = Path(state.library)
    return own if state.library and own.is_dir() else options.library


def _show(place: Path, state: ResearchState, found: Verification, changed: list[dict[str, Any]], edited: bool) -> None:
    say(verdict(found.check, state.language))
    for failure in found.check.failures:
        say(f"  failed: {one_line(failure)}")
    for source in changed:
        say(f"  since then: [{source['number']}] {one_line(source['title'])}: {source['what']}")
    if edited:
        say("  The report was edited since it was written; it was checked as it stands.")
    if state.library and Path(state.library) != place.resolve():
        say(f"  The run used the library {one_line(state.library)}, which is gone; this check read {place}.")


def _changed(library: Library, state: ResearchState, found: Verification) -> list[dict[str, Any]]:
    """The cited sources that are not any more what was cited; one that is gone altogether is a failure instead."""
    changed = []
    for entry in (entry for n in found.cited if (entry := state.entry(n))):
        try:
            source = library.source(entry.source)
        except NotFound:
            continue
        newer = source.version != entry.version
        what = "its current version is another one" if newer else _STATES.get(source.status, "")
        if what:
            fields = {"number": entry.number, "source": entry.source, "title": entry.title, "path": entry.path}
            changed.append({**fields, "cited": entry.version, "current": source.version, "what": what})
    return changed


def _text(library: Library, source: int, version: str) -> str | None:
    try:
        return library.text(source, version)
    except NotFound:
        return None


def _read(path: Path) -> str | None:
    """A text file's content; bytes that are not UTF-8 become replacement characters, and fail where they matter."""
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None
