"""The models screen: which model serves each role and why, how each one is, and what can be done with it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from panes.commanding import Done
from panes.doors import Doors
from panes.keymap import Scope, bindings, shown
from panes.messages import SettingsChanged
from panes.models import about, head, items
from panes.rows import Pen, inert
from panes.screens.calm import CalmScreen
from panes.screens.working import Working
from panes.troubles import lines_of, said_lines, tell
from panes.widgets.bars import Bar, KeyLine, StatusLine
from panes.widgets.entry import EntryInput, EntryLine
from panes.widgets.line_view import LineView
from panes.widgets.pane import empty
from panes.widgets.row_list import RowList
from panes.widgets.table import Column, Table
from workstation.config import store
from workstation.errors import FloriError
from workstation.settings import MODEL_ROLES

HOW_TO_ADD = "a .gguf or whisper.cpp file, or a sentence-transformers folder"


class ModelsScreen(CalmScreen[None]):
    """Asks the look-ups for the models; what takes long (hashing, probing, importing) is a process of its own."""

    BINDINGS = bindings("models")
    AUTO_FOCUS = "#rows"
    SCOPES = ("list", "models", "app")

    def __init__(self, doors: Doors) -> None:
        super().__init__()
        self._doors = doors
        self._document: Mapping[str, Any] = {}
        self._work = Working(doors.commands, self._stand)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return ("entry", "app") if isinstance(self.focused, EntryInput) else ("models", "list", "app")

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Bar("where")
        yield Table(
            Column("Role", 11),
            Column("Model", 0),
            Column("Size", 9, right=True, needs=60),
            Column("State", 20),
            Column("Writer", 11, needs=95),
            Column("Licence", 12, needs=110),
            Column("Languages", 14, needs=118),
        )
        yield LineView(id="detail")
        yield StatusLine()
        yield EntryLine()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#detail").can_focus = False
        self.query_one("#top", Bar).put(Content.styled(inert(f"Models   {self._doors.options.models}"), "bold"))
        self._stand("")
        self.action_reload()

    def watch_focused(self, focused: Widget | None) -> None:
        if focused:
            self.show_keys()

    def action_reload(self) -> None:
        if self.gone:
            return
        self.run_worker(self._load(), group="load", exclusive=True)

    async def _load(self) -> None:
        trouble: list[str] = []
        try:
            self._document = await self._doors.lookups().models()
        except (FloriError, OSError) as error:
            self._document, trouble = {}, lines_of(error)
        if self.gone:
            return
        rows = self.query_one(Table).rows
        rows.set_items([] if trouble else items(self._document), empty(*trouble) if trouble else [])
        said = "The models could not be listed." if trouble else head(self._document)
        self.query_one("#where", Bar).put(Content(inert(said)))
        self._describe(rows.cursor)

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        if not isinstance(event, RowList.Chosen):
            self._describe(event.key)

    async def on_row_list_chosen(self) -> None:
        await self.action_use()

    def _describe(self, key: str) -> None:
        self.query_one("#detail", LineView).set_rows(about(self._document, key))

    @property
    def _chosen(self) -> Mapping[str, Any] | None:
        key = self.query_one(Table).rows.cursor
        return next((model for model in self._document.get("models") or () if model["id"] == key), None)

    # keys

    async def action_use(self) -> None:
        model = self._chosen
        if model is None:
            self._say("Nothing is installed here that could be used.")
            return
        try:
            await asyncio.to_thread(store, model["role"], model["id"])
            config = await asyncio.to_thread(self._doors.options.config.again)
        except (FloriError, OSError, ValueError) as error:
            tell(self, error)
            return
        self.post_message(SettingsChanged(config))
        if config.values[model["role"]].origin == "environment":
            self._say(f"The environment variable FLORI_{model['role'].upper()} goes before this choice.")
        elif model["role"] == "embedder":
            self._say(f"{model['id']} is the embedder of new libraries; a library keeps the one it was made with.")
        else:
            self._say(f"{model['id']} is the {model['role']} from the next run on.")
        self.action_reload()

    def action_verify(self) -> None:
        self.run_worker(self._verify(), exit_on_error=False)

    async def _verify(self) -> None:
        done = await self._work.run("Comparing hashes", "models", "verify")
        if self._ended(done) and isinstance(done, Done):
            checked = done.document.get("models") or []
            bad = [row["id"] for row in checked if not row["whole"]]
            whole = len(checked) - len(bad)
            self._say(f"{whole} of {len(checked)} whole" + (f"; not whole: {', '.join(bad)}" if bad else "."))
            for row in checked:
                if not row["whole"]:
                    self.app.notify(f"{row['problem']}\n{row['hint']}", title=row["id"], severity="error", markup=False)
        self.action_reload()

    def action_probe(self) -> None:
        model = self._chosen
        if model is None or model["role"] != "generator":
            self._say("A probe is for a model that writes: choose a generator.")
            return
        self.run_worker(self._probe(model["id"]), exit_on_error=False)

    async def _probe(self, id: str) -> None:
        done = await self._work.run(f"Probing {id}, about a minute", "models", "probe", id)
        if self._ended(done) and isinstance(done, Done):
            passed = done.document.get("passed") or {}
            self._say(f"{id}: {done.document.get('mode')}; passed {sum(passed.values())} of {len(passed)} exercises.")
        self.action_reload()

    def action_add(self) -> None:
        self.query_one(EntryLine).open("Model file", f"{HOW_TO_ADD}; as: flori models import FILE")

    def on_entry_line_entered(self, event: EntryLine.Entered) -> None:
        path = os.path.expanduser(event.text.strip().strip("'\""))  # noqa: PTH111  (Path would make "" a folder)
        self.on_entry_line_left()
        if not path:
            return
        from panes.screens.detail import DetailScreen

        rows = [Pen().put(role).row(role) for role in MODEL_ROLES]
        self.app.push_screen(DetailScreen("What is it for?", rows, "generator"), partial(self._take_in, path))

    def on_entry_line_left(self) -> None:
        self.query_one(EntryLine).close()
        self.set_focus(self.query_one(Table).rows)

    def _take_in(self, path: str, role: str | None) -> None:
        if role:
            self.run_worker(self._import(path, role), exit_on_error=False)

    async def _import(self, path: str, role: str) -> None:
        done = await self._work.run("Taking the model in", "models", "import", path, "--role", role)
        if self._ended(done) and isinstance(done, Done):
            self._say(f"{done.document.get('id')} is installed, and serves as {role}.")
        self.action_reload()

    def action_stop(self) -> None:
        if not self._work.stop():
            self._say("Nothing is going on here.")

    def action_close(self) -> None:
        if self._work.busy:
            self._say(f"Something is going on here: {shown('models.stop_models')} stops it.")
        else:
            self.dismiss()

    def _ended(self, done: Done | str) -> bool:
        """Whether a command wrote its document; what it said instead is shown."""
        if isinstance(done, str):
            self._say(done)
        elif not done.document:
            title, *rest = said_lines(done.words)
            self.app.notify("\n".join(rest), title=title, severity="error", timeout=12, markup=False)
        return isinstance(done, Done) and bool(done.document)

    def _stand(self, text: str) -> None:
        """What goes on; how to add a model while nothing does."""
        idle = f"Add one: {shown('models.add_model')}, or flori models import FILE --role ROLE"
        if not self.gone:
            self.query_one(StatusLine).show(None, text or idle)

    def _say(self, text: str) -> None:
        if not self.gone:
            self.query_one(StatusLine).say(text)
