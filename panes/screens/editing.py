"""Changing in place what a run works with: its evidence, and the plan that waits for approval."""

from __future__ import annotations

from panes.evidence import EvidencePane
from panes.keymap import shown
from panes.messages import NoteJudged, PlanEdited, Said
from panes.purpose import CORRECT, REJECT, Purpose
from panes.run_view import RunView
from panes.screens.steering import EvidenceKind
from panes.screens.talking import TalkingScreen
from panes.troubles import tell
from panes.widgets.ask import AskInput
from workstation.core.text import find_words, one_line
from workstation.errors import FloriError
from workstation.memory.state import Note

NO_QUOTE = "No quote is under the cursor."


class EditingScreen(TalkingScreen):
    """What is edited goes to the ask line first, where it can be changed or left; then the engine is told."""

    _note = ""
    """The quote that the ask line is about."""
    _typed = ""
    """What stood in the ask line before."""
    _judged: dict[str, Note | None]
    """Quotes whose rejection is being taken back, as they were: a second key comes before that is seen."""
    _edited_at = -1
    """How many commands the run had taken when its plan was edited in place: the next edit is one of what it shows
    then."""

    # evidence

    async def on_note_judged(self, event: NoteJudged) -> None:
        note = self.snapshot.state.note(event.note)
        if note is None:
            self._say(NO_QUOTE)
        elif event.how == "reject" and note.kind == "rejected":
            if self._judged.get(note.id) is not note:
                self._judged[note.id] = note
                await self._judge("restore", note.id)
        elif note.kind == "rejected":
            self._say(f"The quote is rejected: {shown('evidence.reject')} takes that back first.")
        else:
            self._put_aside(REJECT if event.how == "reject" else CORRECT, note)

    def _put_aside(self, purpose: Purpose, note: Note) -> None:
        """Makes the ask line be about a quote, until that is done or the line is left."""
        field = self.query_one(AskInput)
        if not self._aside:
            self._typed = field.value
        self._aside, self._note = purpose, note.id
        field.fill(note.quote if purpose is CORRECT else "")
        self.follow_purpose(now=True)
        self.action_ask()

    def end_aside(self) -> None:
        """The ask line is again for what it was for, with what stood in it."""
        if self._aside:
            self._aside, self._note = None, ""
            self._say("")
            self.query_one(AskInput).value = self._typed
            self.follow_purpose(now=True)

    async def take(self, said: Said) -> None:
        note = self.snapshot.state.note(self._note) if self._aside and said.kind == self._aside.kind else None
        if note is None:
            await super().take(said)
        elif said.kind == "reject":
            self._done_aside(said.text)
            await self._judge("reject", note.id, said.text)
        elif await self._holds(note, said.text):
            self._done_aside(said.text)
            await self._judge("correct", note.id, said.text)

    def _done_aside(self, text: str) -> None:
        self.query_one(AskInput).taken(text)
        self.end_aside()
        self.leave_ask("evidence")

    async def _holds(self, note: Note, words: str) -> bool:
        """Whether the source holds the words; says so when it does not, while they can still be changed."""
        entry = self.snapshot.state.entry(note.number)
        if entry is None:
            return False
        try:
            document = await self._doors.lookups().source(entry.source, entry.version)
        except (FloriError, OSError) as error:
            tell(self, error)
            return False
        if find_words(words, str(document.get("text") or ""), note.place.start):
            return True
        self._say(f"Not word for word in [{note.number}] {one_line(entry.title, 24)}: change it, or Esc.")
        return False

    async def _judge(self, kind: EvidenceKind, note: str, words: str = "") -> None:
        self._say("Changing the evidence ...")
        await self._steer.judge(self._steered(), kind, note, words)
        self.query_one(RunView).hurry()

    def action_filter(self) -> None:
        self.query_one(EvidencePane).action_filter()

    def action_sort(self) -> None:
        self.query_one(EvidencePane).action_sort()

    # the plan

    async def on_plan_edited(self, event: PlanEdited) -> None:
        """In words, like everything that is said to a plan."""
        run = self._steered()
        at = next((n for n, item in enumerate(run.plan) if item.id == event.line), -1)
        if not run.plan:
            self._say("No plan waits for your approval: there is nothing to edit.")
        elif self._edited_at == self.snapshot.state.commands_taken:
            self._say("The plan is being changed.")
        elif event.how == "undo" and not self.snapshot.state.earlier:
            self._say("There is no change of the plan to take back.")
        elif event.how == "undo":
            await self._edit("undo")
        elif event.how == "add":
            self._write("also cover ")
        elif at >= 0 and event.how == "change":
            self._write(f"{at + 1}: {run.plan[at].text}")
        elif at >= 0 and event.how == "drop":
            await self._edit(f"drop {at + 1}")
        elif at >= 0 and 0 <= at + event.by < len(run.plan):
            order = list(range(1, max(at, at + event.by) + 2))
            order[at], order[at + event.by] = order[at + event.by], order[at]
            await self._edit(f"put {', '.join(map(str, order))} first")

    def action_new_question(self) -> None:
        self.end_aside()
        super().action_new_question()

    def action_add(self) -> None:
        self.post_message(PlanEdited("add"))

    def action_undo(self) -> None:
        self.post_message(PlanEdited("undo"))

    def _write(self, words: str) -> None:
        """Puts what could be said about the plan into the ask line, to be finished there."""
        self._asks_new = False
        field = self.query_one(AskInput)
        field.fill(words)
        if words.endswith(" "):
            field.value += " "
            field.cursor_position = len(field.value)
        self.follow_purpose(now=True)
        self.action_ask()

    async def _edit(self, words: str) -> None:
        taken = self.snapshot.state.commands_taken
        told = await self._steer.change(self._steered(), words)
        if told:
            self._edited_at = taken
        self._told(told)
