"""In every theme, and without any colour, what matters is told apart: by sign, word or attribute."""

from __future__ import annotations

import itertools

import pytest
from rich.color_triplet import ColorTriplet
from rich.style import Style
from textual.pilot import Pilot

from panes.looks import look, palette
from workstation.memory import events as e

from .conftest import Workstation
from .recorded import run_events
from .seeing import bar_text, screen_text, until, until_shown, view

THEMES = ("textual-dark", "textual-light", "ansi-dark", "ansi-light", "no colour")
CONTRAST, ON_CURSOR = 4.5, 3.0
"""WCAG's ratios for text, and for bold text; all looks with a colour but one are bold."""


def failed_events() -> list[e.Event]:
    events = [event for event in run_events() if not isinstance(event, e.ReportVerified)]
    check = e.Check(sentences=6, cited=5, located=6, supported=5, unverified=1, failures=("[9] was never handed out",))
    return [*events[:-1], e.ReportVerified(check=check), events[-1]]


async def themed(pilot: Pilot[int], theme: str) -> None:
    if theme != "no colour":
        pilot.app.theme = theme
    await pilot.pause()
    await pilot.pause(0.1)


def segments(pilot: Pilot[int]) -> list[tuple[str, Style]]:
    """What is on the screen, piece by piece, as the terminal gets it."""
    filters = pilot.app.get_line_filters()
    strips = pilot.app.screen._compositor.render_strips()
    for line_filter in filters:
        strips = [strip.apply_filter(line_filter, pilot.app.screen.styles.background) for strip in strips]
    return [(segment.text, segment.style or Style.null()) for strip in strips for segment in strip]


def attributes(style: Style) -> tuple[object, ...]:
    return (bool(style.bold), bool(style.reverse), bool(style.underline), bool(style.italic))


@pytest.mark.parametrize("theme", THEMES)
async def test_what_matters_is_told_apart_without_colour(
    workstation: Workstation, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if theme == "no colour":
        monkeypatch.setenv("NO_COLOR", "1")
    folder = workstation.has_run("failed", failed_events())
    async with workstation.opened(folder) as pilot:
        await themed(pilot, theme)
        await pilot.press("4", "n")
        await until_shown(pilot, "━4 Report")  # the active pane: a heavy line and a title in reverse
        found = segments(pilot)
        title = [attributes(style) for text, style in found if text.startswith("4 Report")]
        others = [attributes(style) for text, style in found if text.startswith(("1 Plan", "2 Sources", "3 Evidence"))]
        assert title
        assert not set(title) & set(others)
        cited = [attributes(style) for text, style in found if text == "[1]"]
        assert len(set(cited)) > 1  # the chosen citation among the others
        assert "CHECK FAILED (1)" in bar_text(pilot, "#check")
        assert "unverified" in screen_text(pilot.app).casefold()
        await pilot.press("3", "down")
        await until_shown(pilot, "━3 Evidence")
        assert "▌+ [1]" in screen_text(pilot.app)  # the row under the cursor; a fact
        assert "hypothesis" in "\n".join(row.text for row in view(pilot, "#evidence").rows)
        if theme == "no colour":
            assert all(style.color is None or style.color.is_default for _, style in segments(pilot))
            assert all(style.bgcolor is None or style.bgcolor.is_default for _, style in segments(pilot))


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "nord", "gruvbox", "solarized-light"])
async def test_every_look_can_be_read_on_every_row(workstation: Workstation, theme: str) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await themed(pilot, theme)
        await until(pilot, lambda: bool(view(pilot, "#evidence").rows))
        looks = palette(dark=pilot.app.current_theme.dark, ansi=False)
        over = view(pilot, "#evidence").visual_style
        rows = ("", "cursor", "cursor with the keyboard")
        for name, row in itertools.product(("", "cite", "good", "warn", "bad", "heading", "dim"), rows):
            style = look(name, row, over=over, looks=looks)
            assert style.color
            assert style.color.triplet
            assert style.bgcolor
            assert style.bgcolor.triplet
            ratio = contrast(style.color.triplet, style.bgcolor.triplet)
            assert ratio >= (ON_CURSOR if row or theme not in ("textual-dark", "textual-light") else CONTRAST), (
                name,
                row,
            )


def contrast(one: ColorTriplet, other: ColorTriplet) -> float:
    """WCAG 2.1: (lighter + .05) / (darker + .05), of relative luminances."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: ColorTriplet) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
