"""What the home screen and the research screen share: an ask line that starts a run, and the bars around it."""

from __future__ import annotations

from panes.asking import Asking
from panes.messages import QuestionAsked, RunOpened
from panes.ports import Engine
from panes.screens.calm import CalmScreen
from panes.screens.steering import Steering
from panes.widgets.ask import AskInput, AskLine
from panes.widgets.bars import StatusLine


class AskingScreen(CalmScreen[None]):
    """Starts research on what is asked, and passes on where to look."""

    def __init__(self, engine: Engine, asking: Asking) -> None:
        super().__init__()
        self._asking = asking
        self._steer = Steering(self, engine, self._say)

    @property
    def asks(self) -> bool:
        """Whether the ask line has the keyboard."""
        return isinstance(self.focused, AskInput)

    async def on_question_asked(self, event: QuestionAsked) -> None:
        event.stop()
        folder = await self._steer.start(event.question, self._asking)
        if folder:
            self.query_one(AskInput).taken(event.question)
            self.post_message(RunOpened(folder, launched=True))

    def action_ask(self) -> None:
        self.set_focus(self.query_one(AskInput))  # at once: letters of the same burst are text, not keys of the screen

    def show_mode(self) -> None:
        """Depth or format of the next question changed."""
        self.query_one(AskLine).show_mode()

    def _say(self, text: str) -> None:
        self.query_one(StatusLine).say(text)
