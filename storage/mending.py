"""Putting right what can be put right from what is stored, and deleting for good."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import apsw

from storage import blobs, fulltext, passages, readings, schema, writing
from storage.checks import Finding
from storage.database import FILE

_DELETIONS = (
    "DELETE FROM token_record WHERE passage IN (SELECT id FROM passage WHERE version IN {versions})",
    "DELETE FROM passage WHERE version IN {versions}",
    "DELETE FROM text_part WHERE version IN {versions}",
    "DELETE FROM page WHERE version IN {versions}",
    "DELETE FROM problem WHERE path = (SELECT path FROM source WHERE id = :source)",
    "DELETE FROM version WHERE source = :source",
    "DELETE FROM source WHERE id = :source",
    "DELETE FROM token_frequency WHERE passages <= 0",
)

_STRAY = {
    "tokens_stray": "DELETE FROM token_record WHERE passage NOT IN (SELECT id FROM passage WHERE state <> 0)",
    "vectors_aside_stray": "DELETE FROM vector_aside WHERE passage NOT IN (SELECT id FROM passage WHERE state = 2)",
    "vectors_stray": """DELETE FROM passage_vector WHERE passage IN
                        (SELECT rowid FROM passage_vector_rowids EXCEPT SELECT id FROM passage WHERE state = 1)""",
}
# Their deleted entries are only marked, until the segments that hold them are merged.
_MERGE = """INSERT INTO passage_fts(passage_fts) VALUES ('optimize');
            INSERT INTO gram_fts(gram_fts) VALUES ('optimize');"""


def mend(connection: apsw.Connection, folder: Path, findings: Iterable[Finding]) -> list[Finding]:
    """Do what the findings ask for, within the caller's transaction. What remains needs a person."""
    left = []
    done: set[str] = set()
    for finding in findings:
        code = "fulltext" if finding.code.startswith("fulltext") else finding.code
        if code in done:
            continue
        done.add(code)
        if code == "fulltext":
            rebuild_fulltext(connection)
        elif code in _STRAY:
            connection.execute(_STRAY[code])
            writing.bump(connection)
        elif code == "original_stray":
            _sweep(connection, [*blobs.stored(folder), *blobs.partials(folder)])
        elif code == "exposed":
            for path in folder.glob(f"{FILE}*"):
                path.chmod(0o600)
        else:
            done.discard(code)
            left.append(finding)
    return left


def rebuild_fulltext(connection: apsw.Connection) -> None:
    """Make the text indexes anew from the stored text."""
    for table in ("passage_fts", "gram_fts"):
        connection.execute(f"DROP TABLE {table}")
    connection.execute(schema.fulltext_tables())
    fulltext.index(
        connection,
        ((p.id, passages.head(p.title, p.locator.heading), p.text) for p in passages.every_active(connection)),
    )


def purge(connection: apsw.Connection, folder: Path, source: int) -> None:
    """Delete a source, every version of it, and the originals and readings that no other source has. Not inside a
    transaction."""
    connection.pragma("secure_delete", True)  # overwrite the pages that come free
    try:
        with connection:
            versions = "(SELECT id FROM version WHERE source = :source)"
            values = {"source": source}
            hashes = [
                digest for (digest,) in connection.execute("SELECT hash FROM version WHERE source = :source", values)
            ]
            current = writing.current_version(connection, source)
            if current is not None:
                writing.retire(connection, current)
            connection.execute("UPDATE source SET current = NULL WHERE id = :source", values)
            for deletion in _DELETIONS:
                connection.execute(deletion.format(versions=versions), values)
            connection.execute(_MERGE)
            writing.bump(connection)
    finally:
        connection.pragma("secure_delete", False)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    _sweep(connection, [*blobs.these(folder, hashes), *readings.these(folder, hashes)])


def _sweep(connection: apsw.Connection, files: Iterable[Path]) -> None:
    """Delete those files, named by a hash, whose hash no version has."""
    known = {digest for (digest,) in connection.execute("SELECT hash FROM version")}
    for path in files:
        if path.name not in known:
            path.unlink(missing_ok=True)
