"""`flori sources`: what is in the library, and one source as it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workstation.core.text import one_line
from workstation.errors import Exit
from workstation.options import Options
from workstation.output import emit, say, table

if TYPE_CHECKING:
    from storage.library import Library
    from storage.records import Locator, Source


def run(options: Options, removed: bool) -> int:
    """Lists the sources; with `removed`, those that were taken out as well."""
    from workstation.services import Services

    with Services(options) as services:
        document = sources_document(services.library, removed=removed)
    if options.json:
        emit(document)
        return Exit.DONE
    rows = [
        (s["source"], one_line(s["title"], 44), s["kind"], s["language"], s["passages"], s["status"], s["path"])
        for s in document["sources"]
    ]
    if rows:
        say(table(("id", "title", "kind", "lang", "passages", "status", "path"), rows, right=(0, 4)))
    else:
        say("The library is empty. Put something into it with: flori ingest FOLDER")
    return Exit.DONE


def show(options: Options, source: int) -> int:
    """Prints the stored text of a source, to which every quote and locator refers."""
    from workstation.services import Services

    with Services(options) as services:
        document = source_document(services.library, source)
    if options.json:
        emit(document)
        return Exit.DONE
    say(f"{one_line(document['title'])}")
    say(f"{document['path']}   {document['kind']}, {document['language']}, {len(document['passages'])} passages\n")
    say(document["text"])
    return Exit.DONE


def remove(options: Options, source: int) -> int:
    """Takes a source out of every search."""
    return _change(options, source, "remove", "is found no more. Undo with: flori sources restore")


def restore(options: Options, source: int) -> int:
    """Undoes `remove`."""
    return _change(options, source, "restore", "is found again. Undo with: flori sources remove")


def purge(options: Options, source: int) -> int:
    """Deletes a source with its text and original."""
    from workstation.services import Services

    with Services(options, write=True) as services:
        title = services.library.source(source).title
        services.library.purge(source)
    if options.json:
        emit({"source": source, "status": "purged"})
    else:
        say(f"Source {source}, {one_line(title)}, was deleted for good.")
    return Exit.DONE


def sources_document(
    library: Library, *, removed: bool = False, after: int = 0, limit: int | None = None
) -> dict[str, Any]:
    """The `sources` document of the command line's contract, or a part of it."""
    return {"sources": [_summary(source) for source in library.sources(removed=removed, after=after, limit=limit)]}


def detail_document(library: Library, source_id: int) -> dict[str, Any]:
    """What is known of a source beside its text: summary, page ledger, versions with the time of their reading, and of
    which other source it is a copy, or nearly (`resemblance` in [0, 1])."""
    with library.snapshot():
        noted = library.source_meta(source_id)
        return _summary(library.source(source_id)) | {
            "readings": [
                {"version": name, "read": read, "status": status, "passages": passages}
                for name, read, status, passages in library.readings(source_id)
            ],
            "ledger": [
                {"number": p.number, "state": p.state, "note": p.note, "confidence": p.confidence}
                for p in library.pages(source_id)
            ],
            "duplicate_of": noted.get("duplicate_of"),
            "resemblance": noted.get("resemblance"),
        }


def source_document(library: Library, source_id: int, version: str | None = None) -> dict[str, Any]:
    """The `sources show` document: the text of a version (by default the current one), its passages and page ledger.

    Passages are those of the current version; a former version has none.
    """
    with library.snapshot():
        source = library.source(source_id)
        passages = library.passages_of(source_id) if version in (None, source.version) else []
        return _summary(source) | {
            "version": version or source.version,
            "text": library.text(source_id, version),
            "passages": [{"passage": p.id, "locator": locator(p.locator), "text": p.text} for p in passages],
            "pages": [
                {
                    "number": p.number,
                    "state": p.state,
                    "start": p.start,
                    "end": p.end,
                    "note": p.note,
                    "confidence": p.confidence,
                }
                for p in library.pages(source_id, version)
            ],
        }


def locator(place: Locator) -> dict[str, Any]:
    """{page?, ocr?, start, end, t0?, t1?, heading?}: absent parts are left out."""
    parts = {name: getattr(place, name) for name in ("page", "ocr", "start", "end", "t0", "t1", "heading")}
    return {name: value for name, value in parts.items() if value is not None}


def _summary(source: Source) -> dict[str, Any]:
    return {
        "source": source.id,
        "title": source.title,
        "path": source.path,
        "kind": source.kind,
        "language": source.language,
        "passages": source.passages,
        "status": source.status,
        "versions": list(source.versions),
        "pages": dict(source.pages),
        "date": source.date,
        "origin": source.origin,
        "added": source.added,
    }


def _change(options: Options, source: int, verb: str, said: str) -> int:
    from workstation.services import Services

    with Services(options, write=True) as services:
        getattr(services.library, verb)(source)
        after = services.library.source(source)
    if options.json:
        emit({"source": source, "status": after.status})
    else:
        say(f"Source {source}, {one_line(after.title)}, {said} {source}")
    return Exit.DONE
