"""A widget that keeps what it has drawn for as long as it looks the same, hidden or not."""

from __future__ import annotations

from typing import Self

from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.scrollbar import ScrollBar
from textual.widget import Widget


class Kept(Widget):
    """Textual draws a widget again whenever it is shown, hidden, or stands in a layout that changed.

    It is named last among the bases: the sheet knows a widget by the names along its first ones.
    """

    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)  # else each layout asks for a second one

    def update_node_styles(self, animate: bool = True) -> None:
        """Its own classes concern nothing inside it."""
        if self.is_attached:
            self.app.stylesheet.apply(self)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """A layout alone changes nothing of what was drawn, and what is out of sight is drawn when it is shown."""
        if layout:
            self.clear_cached_dimensions()
            repaint = False
        if repaint and self.is_mounted and not self.is_on_screen:
            self._set_dirty(*regions)
            repaint = False
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)


class KeptScrollBar(ScrollBar, Kept):
    """A scroll bar whose length asks for no second layout."""
