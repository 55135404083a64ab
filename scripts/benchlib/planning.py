"""Plans: do the sub-questions find evidence, is it about the question, and is it different from line to line?"""

from __future__ import annotations

from itertools import combinations

from benchlib.figures import Figure
from benchlib.material import Material


def plans(material: Material) -> list[Figure]:
    """Thorough plans for the first questions that the library answers; the question and the counter-question apart."""
    from workstation.engine.workbench import open_workbench
    from workstation.options import resolve
    from workstation.planning import planner
    from workstation.planning.aspects import aspects

    lines = found = quotes = same = 0
    overlaps: list[float] = []
    material.ingest()
    with open_workbench(resolve({"library": str(material.library), "models": str(material.models)})) as bench:
        for question in material.questions[:30]:
            language = bench.detect_language(question)
            answer = bench.find(question, spans=1)
            if not (answer.retrieval.coverage.covered and answer.spans):
                continue
            names = aspects(bench.survey(question), question, language, 8)
            evidence: list[set[tuple[int, int]]] = []
            for item in planner.plan(question, language, "thorough", aspects=names):
                if item.counter:
                    continue
                hits = bench.find(item.query or item.text, spans=5)
                spans = hits.spans if hits.retrieval.coverage.covered else ()
                evidence.append({(s.candidate.passage.source, s.locator.start) for s in spans})
                if item.direct:
                    continue
                lines, found, quotes = lines + 1, found + bool(spans), quotes + len(spans)
                same += sum(s.candidate.passage.source == answer.spans[0].candidate.passage.source for s in spans)
            overlaps += [len(a & b) / len(a | b) for a, b in combinations([e for e in evidence if e], 2)]
    return [
        Figure("sub-questions that find evidence", found / max(lines, 1), "", 0.8, least=True, note=f"{lines} lines"),
        Figure("  quotes from the source that answers", same / max(quotes, 1), "", note=f"{quotes} quotes"),
        Figure("  evidence that two lines share", sum(overlaps) / max(len(overlaps), 1), "", 0.5),
    ]
