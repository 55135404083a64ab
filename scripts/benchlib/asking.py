"""How long an answer takes: in a process that is warm, and as a command."""

from __future__ import annotations

import subprocess
import time

from benchlib.figures import Figure, quantile
from benchlib.material import Material

WARM_S, COLD_S = 0.25, 3.0
COLD_RUNS = 3


def warm(material: Material) -> list[Figure]:
    """The first question loads the models, and is not counted; every other one is asked once."""
    from workstation.engine.serving import answer
    from workstation.engine.workbench import open_workbench
    from workstation.options import resolve

    seconds = []
    with open_workbench(resolve({"library": str(material.library), "models": str(material.models)})) as bench:
        answer("Is it there?", bench)
        for question in material.questions:
            start = time.perf_counter()
            answer(question, bench)
            seconds.append(time.perf_counter() - start)
        on = f"{len(seconds)} questions, {bench.library.passage_count()} passages"
    return [
        Figure("warm ask, median", quantile(seconds, 0.5), "s", WARM_S, note=on),
        Figure("  p95", quantile(seconds, 0.95), "s"),
    ]


def cold(material: Material) -> list[Figure]:
    """`flori ask`, each time as a new process; the files may be in the system's cache."""
    seconds = []
    for question in material.questions[:COLD_RUNS]:
        start = time.perf_counter()
        command = material.flori("--json", "ask", question)
        done = subprocess.run(command, env=material.environment, cwd=material.home, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"flori ask ended with status {done.returncode}: {done.stderr}")
        seconds.append(time.perf_counter() - start)
    return [Figure("cold flori ask, median", quantile(seconds, 0.5), "s", COLD_S, note=f"{len(seconds)} runs")]
