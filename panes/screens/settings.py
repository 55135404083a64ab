"""The settings screen: every setting with where its value comes from, and every key; both are changed in place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from panes.doors import Doors
from panes.keymap import KEYS, Key, Scope, bindings, footer, relabelled, shown, table, use
from panes.messages import SettingsChanged
from panes.own_keys import own_keys
from panes.rows import Pen, inert
from panes.screens.calm import CalmScreen
from panes.settings import about_key, about_setting, in_words, key_items, overridden, setting_items
from panes.troubles import tell
from panes.widgets.bars import Bar, KeyLine, StatusLine
from panes.widgets.entry import EntryInput, EntryLine
from panes.widgets.line_view import LineView
from panes.widgets.row_list import RowList
from panes.widgets.table import Column, Table
from workstation.config import Config, read_file, store, store_key
from workstation.errors import FloriError
from workstation.settings import BY_KEY, MODEL_ROLES, Setting, Value

Write = Callable[[], Path]
ACTIONS = {key.name for key in KEYS}


class SettingsScreen(CalmScreen[None]):
    """Writes config.toml in a thread, one change at a time, and remembers what stood there before."""

    BINDINGS = bindings("settings")
    AUTO_FOCUS = "#rows"
    SCOPES = ("list", "settings", "app")

    def __init__(self, doors: Doors) -> None:
        super().__init__()
        self._doors = doors
        self._config: Config = doors.options.config
        self._keys_shown = False
        self._places = {False: "", True: ""}
        self._undo: list[tuple[str, Write]] = []
        self._edited = ""

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return ("entry", "app") if isinstance(self.focused, EntryInput) else self.SCOPES

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Table(Column("Name", 22), Column("Value", 0), Column("From", 11, needs=60))
        yield LineView(id="detail")
        yield StatusLine()
        yield EntryLine()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#detail").can_focus = False
        self._draw()
        self.call_after_refresh(self._read_again)

    def watch_focused(self, focused: Widget | None) -> None:
        if focused:
            self.show_keys()

    def show_keys(self) -> None:
        labels = {"choose": "Another key" if self._keys_shown else "Change"}
        self.query_one(KeyLine).show(relabelled(footer(*self.scopes), labels))

    # what is shown

    def _draw(self) -> None:
        other = "settings" if self._keys_shown else "keys"
        title = f"{'Keys' if self._keys_shown else 'Settings'}   {shown('settings.keys_part')}: {other}"
        self.query_one("#top", Bar).put(Content.styled(inert(title), "bold"))
        self.query_one(StatusLine).show(None, inert(str(self._config.file)))
        rows = self.query_one(Table).rows
        rows.set_items(key_items(self._config.keys) if self._keys_shown else setting_items(self._config), [])
        self._describe(rows.cursor)

    def _describe(self, name: str) -> None:
        key = self._key(name)
        about = about_key(key, self._config.keys) if key else []
        if name in BY_KEY:
            about = about_setting(BY_KEY[name], self._config)
        self.query_one("#detail", LineView).set_rows(about)

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        if not isinstance(event, RowList.Chosen):
            self._describe(event.key)

    def action_part(self) -> None:
        """From the settings to the keys, and back, each with the cursor where it was."""
        rows = self.query_one(Table).rows
        self._places[self._keys_shown] = rows.cursor
        self._keys_shown = not self._keys_shown
        self._draw()
        self.show_keys()
        rows.go_to(self._places[self._keys_shown])

    def _key(self, name: str) -> Key | None:
        return next((key for key in table() if key.name == name), None)

    # changing

    async def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        if key := self._key(event.key):
            from panes.screens.key_press import KeyPressScreen

            self.app.push_screen(KeyPressScreen(key, self._config.keys), partial(self._take_key, key.name))
        elif setting := BY_KEY.get(event.key):
            await self._edit(setting)

    async def _edit(self, setting: Setting) -> None:
        value = self._config[setting.key]
        if setting.kind == "switch":
            await self._change(setting, not value)
        elif setting.choices:
            from panes.screens.detail import DetailScreen

            rows = [
                Pen().put(choice).put("  (set)" if choice == value else "", "dim").row(choice)
                for choice in setting.choices
            ]
            self.app.push_screen(DetailScreen(setting.key, rows, str(value)), partial(self._take_choice, setting))
        elif setting.key in MODEL_ROLES:
            await self.run_action("app.go('models')")
        else:
            self._edited = setting.key
            self.query_one(EntryLine).open(f"{setting.key} =", setting.help, str(value))

    async def _take_choice(self, setting: Setting, choice: str | None) -> None:
        if choice:
            await self._change(setting, choice)

    async def on_entry_line_entered(self, event: EntryLine.Entered) -> None:
        setting = BY_KEY[self._edited]
        text = event.text.strip()
        if not text and setting.kind != "number":
            await self._change(setting, None)
            self._to_list()
            return
        try:
            value = setting.read(text)
            if setting.kind == "number" and not text.isascii():
                raise ValueError
        except ValueError:
            needed = "a whole number, 0 or more" if setting.kind == "number" else "a text"
            self._say(f"{text or 'Nothing'} cannot be {setting.key}: {needed} is needed")
            return
        await self._change(setting, value)
        self._to_list()

    def on_entry_line_left(self) -> None:
        self._to_list()

    def _to_list(self) -> None:
        self.query_one(EntryLine).close()
        self.set_focus(self.query_one(Table).rows)

    async def action_reset(self) -> None:
        name = self.query_one(Table).rows.cursor
        if name in ACTIONS:
            await self._write_key(name, None)
        elif name in BY_KEY:
            await self._change(BY_KEY[name], None)

    async def action_undo(self) -> None:
        if not self._undo:
            self._say("There is nothing to take back.")
            return
        what, write = self._undo.pop()
        if await self._write(write):
            self._say(f"{what} is as it was before.")

    async def _change(self, setting: Setting, value: Value | None) -> None:
        before = self._stored(setting.key)
        if not await self._write(partial(store, setting.key, value)):
            return
        self._undo.append((setting.key, partial(store, setting.key, before)))
        set_to = "back to its default" if value is None else in_words(setting, value)
        late = " when flori is started again" if setting.effect == "next start" else ""
        self._say(
            overridden(setting, self._config)
            or f"{setting.key}: {set_to}{late}. {shown('settings.undo_setting')} takes it back."
        )

    async def _take_key(self, action: str, keys: str | None) -> None:
        if keys:
            await self._write_key(action, keys)

    async def _write_key(self, action: str, keys: str | None) -> None:
        before = self._config.keys.get(action)
        if await self._write(partial(store_key, action, keys)):
            self._undo.append((action, partial(store_key, action, before)))
            self._say(f"{action}: {shown(action)}. {shown('settings.undo_setting')} takes it back.")

    def _stored(self, key: str) -> Value | None:
        """What the file says of a setting; None when it does not."""
        try:
            raw = read_file(self._config.file).get(key)
            return None if raw is None else BY_KEY[key].read(raw)
        except (FloriError, OSError, ValueError):
            return None

    async def _write(self, write: Write) -> bool:
        """Writes off the event loop and shows what the file says then; false, with the reason said, when it failed."""
        try:
            await asyncio.to_thread(write)
        except (FloriError, OSError, ValueError) as error:
            tell(self, error)
            return False
        return await self._read_again()

    async def _read_again(self) -> bool:
        try:
            config = await asyncio.to_thread(self._config.again)
            use(own_keys(config))
        except (FloriError, OSError) as error:
            tell(self, error)
            return False
        if config != self._config:
            self._config = config
            self.post_message(SettingsChanged(config))
        if not self.gone:
            self._draw()
        return True

    def _say(self, text: str) -> None:
        if not self.gone:
            self.query_one(StatusLine).say(text)

    def action_close(self) -> None:
        self.dismiss()
