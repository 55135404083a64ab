"""What the home screen and the research screen share: an ask line that starts a run, and the bars around it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from panes.doors import Doors
from panes.messages import CatalogueAsked, PlaceFound, RunOpened, Said
from panes.routing import LOOKED_UP, route_of
from panes.rows import inert
from panes.screens.calm import CalmScreen
from panes.screens.steering import Steering
from panes.troubles import tell
from panes.widgets.ask import AskInput, AskLine
from panes.widgets.bars import StatusLine
from workstation.errors import FloriError

if TYPE_CHECKING:
    from workstation.planning.classify import Place, Route


class AskingScreen(CalmScreen[None]):
    """Shows what needs no research, starts research on all else that is asked, and passes on where to look."""

    def __init__(self, doors: Doors) -> None:
        super().__init__()
        self.work_on(doors)

    def work_on(self, doors: Doors) -> None:
        """From here on everything goes through these doors."""
        self._doors, self._asking = doors, doors.asking
        self._steer = Steering(self, doors.engine, self._say)

    @property
    def asks(self) -> bool:
        """Whether the ask line has the keyboard."""
        return isinstance(self.focused, AskInput)

    async def on_said(self, event: Said) -> None:
        event.stop()
        if not self.query_one(AskInput).holds(event):
            return
        self.app.clear_notifications()  # they were about what was said before
        if event.kind in ("ask", "follow"):
            route = await asyncio.to_thread(route_of, event.text)
            if self._shown(route, event):
                return
        await self.take(event)

    async def take(self, said: Said) -> None:
        """Starts research on a question."""
        folder = await self._steer.start(said.text, self._asking)
        if folder:
            self.query_one(AskInput).taken(said.text)
            self.post_message(RunOpened(folder, launched=True))

    def open_place(self, place: Place) -> bool:
        """Opens a place that is known here already; false when the library has to be asked."""
        return False

    def action_ask(self) -> None:
        self.set_focus(self.query_one(AskInput))  # at once: letters of the same burst are text, not keys of the screen

    def show_mode(self) -> None:
        """Depth or format of the next question changed."""
        self.query_one(AskLine).show_mode()

    def _shown(self, route: Route, said: Said) -> bool:
        """Shows what no run is needed for, or asks the library for it."""
        match route.intent:
            case "catalogue":
                self.query_one(AskInput).taken(said.text)
                self.post_message(CatalogueAsked(said.text, route.about))
            case "locate" if route.place and self.open_place(route.place):
                self.query_one(AskInput).taken(said.text)
            case "locate" | "greeting" | "nothing":
                self._say("Looking it up ...")
                self.run_worker(self._look_up(said), group="look up", exclusive=True)
            case _:
                return False
        return True

    async def _look_up(self, said: Said) -> None:
        try:
            document = await self._doors.lookups().ask(said.text)
        except (FloriError, OSError) as error:
            if not self.gone:
                tell(self, error)
            return
        if self.gone:
            return
        line = self.query_one(AskInput)
        if "examples" in document:
            self._invite(document["examples"])
            if line.holds(said):
                line.taken("")
        elif document.get("gate", {}).get("reason") == LOOKED_UP:
            self._say("")
            if line.holds(said):
                line.taken(said.text)
            self.post_message(PlaceFound(document))
        elif line.holds(said):
            await self.take(said)

    def _invite(self, examples: list[str]) -> None:
        """Says what can be asked, to someone who said nothing that can be looked up."""
        asked = "\n".join(inert(example) for example in examples[:2])
        self._say("")
        if asked:
            self.app.notify(asked, title="Ask, for example:", timeout=10, markup=False)
        else:
            self.app.notify("Put a folder into it: flori ingest FOLDER", title="The library is empty", markup=False)

    def _say(self, text: str) -> None:
        self.query_one(StatusLine).say(text)
