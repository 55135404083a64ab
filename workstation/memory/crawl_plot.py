"""The numbers of a crawl as a small picture: what each page brought, and how the run came to stop."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from workstation.memory import events as e
from workstation.memory.state import ResearchState

WIDTH, HEIGHT, LEFT, TOP = 640, 240, 36, 28
LINES = (("score", "#1b6ca8", ""), ("ig_ema", "#b8562b", "6 3"), ("psi", "#3c7d3c", "2 3"))
DOTS = {"kept": "#222222", "poor": "#aaaaaa", "copy": "#aaaaaa", "list": "#aaaaaa", "none": "#cc3333"}


def crawl_svg(state: ResearchState) -> str:
    """An SVG of the run's crawl; empty when nothing was fetched. Lines differ in dashes as well as in colour; a dot is
    a page at its ga, kept ones filled."""
    steps = [x for x in state.crawl if isinstance(x, e.CrawlStep)]
    if not steps:
        return ""
    ends = [x for x in state.crawl if isinstance(x, e.CrawlEnded)]
    kept = sum(step.verdict == "kept" for step in steps)
    title = f"{len(steps)} addresses, {kept} kept" + (f": {ends[-1].exit_reason}" if ends else "")
    across = (WIDTH - LEFT - 12) / max(1, len(steps) - 1)
    view = f"0 0 {WIDTH} {HEIGHT + TOP + 34}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" font-family="sans-serif" font-size="11">',
        f'<title>{escape(title)}</title><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT}" y="16">{escape(title)}</text>',
        *_grid(),
        *(_line(steps, name, colour, dashes, across) for name, colour, dashes in LINES),
        *(_dot(step, LEFT + i * across) for i, step in enumerate(steps) if step.outcome == "page"),
        *_legend(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _grid() -> list[str]:
    marks = [0.0, 0.5, 0.7, 1.0]  # .7 is where psi stops the crawl
    rows = [
        f'<path d="M{LEFT} {_y(m):.1f}H{WIDTH - 12}" stroke="#dddddd"/><text x="8" y="{_y(m) + 4:.1f}">{m:g}</text>'
        for m in marks
    ]
    return [*rows, f'<text x="{LEFT}" y="{HEIGHT + TOP + 14}">addresses in the order of their arrival</text>']


def _line(steps: Sequence[e.CrawlStep], name: str, colour: str, dashes: str, across: float) -> str:
    points = " ".join(f"{LEFT + i * across:.1f},{_y(getattr(step, name)):.1f}" for i, step in enumerate(steps))
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dashes}"/>'


def _dot(step: e.CrawlStep, x: float) -> str:
    fill = DOTS[step.verdict] if step.verdict == "kept" else "white"
    name = escape(f"{step.verdict} {step.url}", quote=False)
    return (
        f'<circle cx="{x:.1f}" cy="{_y(step.ga):.1f}" r="2.5" fill="{fill}" stroke="{DOTS[step.verdict]}">'
        f"<title>{name}</title></circle>"
    )


def _legend() -> list[str]:
    at, parts = LEFT, []
    for name, colour, dashes in LINES:
        y = HEIGHT + TOP + 28
        parts.append(
            f'<path d="M{at} {y - 4}h22" stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dashes}"/>'
            f'<text x="{at + 27}" y="{y}">{name}</text>'
        )
        at += 110
    return [*parts, f'<text x="{at}" y="{HEIGHT + TOP + 28}">dots: ga, filled when kept</text>']


def _y(value: float) -> float:
    return TOP + HEIGHT * (1 - min(1.0, max(0.0, value)))
