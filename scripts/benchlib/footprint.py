"""What it takes: memory of the engine, bytes of the database for a passage, bytes of the models."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchlib.figures import Figure
from benchlib.material import Material

MEMORY_MIB, RECORD_BYTES = 700.0, 20_000.0
EVERY_S = 0.02  # VmHWM only grows, so little can be missed between two looks
MIB = 2**20

# The tables of storage.schema (and what SQLite keeps behind the virtual ones) by what they are for.
PARTS = {
    "token records": ("token_record",),
    "vectors": ("passage_vector", "vector_aside"),
    "full text": ("passage_fts", "gram_fts"),
    "text": ("text_part",),
}
SIZES = "SELECT name, sum(pgsize) FROM dbstat WHERE aggregate = TRUE GROUP BY name"


def memory(material: Material) -> list[Figure]:
    """The engine's own process over a whole research run; nothing where there is no /proc."""
    from workstation.engine.launch import load_run, new_run
    from workstation.options import resolve

    given = {"library": str(material.library), "models": str(material.models), "reports": str(material.home / "peak")}
    folder = new_run(resolve(given), material.thorough[0], depth="deep")
    command = [sys.executable, "-m", "workstation.engine.worker", str(folder), "--options", json.dumps(given), "--yes"]
    with (folder / "engine.log").open("wb") as output:
        process = subprocess.Popen(command, env=material.environment, stdout=output, stderr=output)
    peak = 0
    while process.poll() is None:
        peak = max(peak, peak_memory(process.pid))
        try:
            process.wait(EVERY_S)
        except subprocess.TimeoutExpired:
            continue
    ended = load_run(folder).ended
    if process.returncode or ended is None:
        raise RuntimeError(f"the engine failed: {(folder / 'engine.log').read_text()[-2000:]}")
    on = f"a deep run of {ended.seconds:.1f} s that ended {ended.outcome}"
    return [Figure("peak memory of the engine", peak / MIB, "MiB", MEMORY_MIB, note=on)] if peak else []


def peak_memory(pid: int) -> int:
    """VmHWM of a process in bytes; 0 when it is gone or the system has no /proc."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def database(material: Material) -> list[Figure]:
    """Bytes on the disk for a passage, by SQLite's own count of pages."""
    from storage.database import open_for_reading
    from storage.library import Library

    with Library.open(material.library) as library:
        passages = library.passage_count()
        records = library.token_records([passage.id for passage in library.passage_texts()])
        tokens = sum(len(record.ids) for record in records) / passages
    connection = open_for_reading(material.library)
    sizes = {str(name): int(size) for name, size in connection.execute(SIZES)}
    connection.close()
    taken = {part: sum(size for name, size in sizes.items() if name.startswith(PARTS[part])) for part in PARTS}
    taken["the rest"] = sum(sizes.values()) - sum(taken.values())
    notes = {
        "token records": f"{tokens:.0f} tokens a passage",
        "vectors": "room for 1,024 is taken at once",
    }
    return [
        Figure("database", sum(sizes.values()) / passages, "bytes/passage", note=f"{passages} passages"),
        *(
            Figure(
                f"  {part}",
                size / passages,
                "bytes/passage",
                RECORD_BYTES if part == "token records" else None,
                note=notes.get(part, ""),
            )
            for part, size in taken.items()
        ),
    ]


def models(material: Material) -> list[Figure]:
    """The installed models' files."""
    from local_models.registry import Registry

    registry = Registry(material.models)
    sizes = [(entry, sum(file.size for file in entry.files) / MIB) for entry in registry.entries()]
    total = sum(size for entry, size in sizes if entry.default)
    return [
        Figure("default models", total, "MiB", note="what everybody has on the disk"),
        *(
            Figure(f"  {entry.id}", size, "MiB", note=f"{entry.role}{', default' * entry.default}")
            for entry, size in sizes
        ),
    ]
