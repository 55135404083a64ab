"""The workstation: `run(options)` opens it and returns the exit status. Screens are made when they are first shown."""

from __future__ import annotations

import asyncio
import gc
import importlib
import locale
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.screen import Screen
from textual.theme import Theme
from textual.widgets import Input

from panes.asking import Asking
from panes.commanding import Commands, LocalCommands
from panes.doors import Doors
from panes.keeping import Keeper, LocalKeeper
from panes.keymap import bindings, of, use
from panes.messages import CatalogueAsked, CopyAsked, LibraryChosen, PlaceFound, RunOpened, SettingsChanged
from panes.ports import Engine, LocalEngine, Lookups, Options
from panes.screens.asking import AskingScreen
from panes.screens.calm import CalmScreen
from panes.screens.home import HomeScreen
from panes.thrift import thrifty_driver
from panes.troubles import tell
from workstation.config import keep_theme
from workstation.errors import FloriError
from workstation.settings import THEMES

if TYPE_CHECKING:
    from panes.screens.research import ResearchScreen
    from workstation.memory.events import Depth, Format

NOT_A_TERMINAL = 2
SIXTEEN = "ansi-dark"
"""The theme for terminals of sixteen colours: it takes theirs, so that nothing is the nearest of something else."""
PLACES = {
    "runs": "panes.screens.runs.RunsScreen",
    "library": "panes.screens.library.LibraryScreen",
    "models": "panes.screens.models.ModelsScreen",
    "outbound": "panes.screens.outbound.OutboundScreen",
    "settings": "panes.screens.settings.SettingsScreen",
    "search": "panes.screens.search.SearchScreen",
}
"""Screens that a key leads to from everywhere, imported when they are first shown. Each is made from `Doors` alone."""
DEPTHS: tuple[Depth, ...] = ("quick", "thorough", "deep")
FORMATS: tuple[Format, ...] = ("report", "brief", "comparison")


class FloriApp(App[int]):
    """Holds the screens together: which one is shown, and the two doors to the outside (engine and look-ups)."""

    TITLE = "florilegium"
    CSS_PATH = "flori.tcss"
    BINDINGS = bindings("app")

    def __init__(
        self,
        options: Options,
        *,
        engine: Engine | None = None,
        lookups: Lookups | None = None,
        keeper: Keeper | None = None,
        commands: Commands | None = None,
        folder: Path | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        bare = "NO_COLOR" in os.environ  # then all is drawn with attributes alone: greys would be colours too
        super().__init__(ansi_color=True if bare else None)
        self.rebind(keys or {})
        self.theme = SIXTEEN if bare else str(options.config["theme"])
        self.animation_level = "none"  # every frame of an animation is sent over the wire
        self._options = options
        self._lookups, self._given = lookups, (engine, lookups, keeper, commands)
        self._folder = folder
        self._asking = Asking(offline=options.offline).preferring(options.config)
        self._doors = self._doors_to(options)
        self._research: ResearchScreen | None = None

    def rebind(self, keys: Mapping[str, str]) -> None:
        """From here on these keys work and are shown, by name of the action (see `panes.own_keys`)."""
        use(keys)
        self.set_keymap(dict(keys))

    def _doors_to(self, options: Options) -> Doors:
        engine, _, keeper, commands = self._given
        return Doors(
            options,
            engine or LocalEngine(options),
            self._looks_up,
            self._asking,
            keeper or LocalKeeper(options),
            commands or LocalCommands(options),
        )

    def _looks_up(self) -> Lookups:
        if self._lookups is None:
            from panes.lookups import ChildLookups, command  # not before the first frame

            self._lookups = ChildLookups(command(self._doors.options))
        return self._lookups

    def get_default_screen(self) -> Screen[Any]:
        return HomeScreen(self._doors)

    def on_ready(self) -> None:
        if not gc.isenabled():  # see `run`
            gc.freeze()
            gc.enable()
        self.theme_changed_signal.subscribe(self, self._keep_theme, immediate=True)
        if self._folder:
            self.post_message(RunOpened(self._folder))

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Those that the setting knows."""
        return {name: theme for name, theme in super().available_themes.items() if name in THEMES}

    def _keep_theme(self, theme: Theme) -> None:
        """A theme that was chosen, in the palette or the settings, is there the next time as well."""
        self.run_worker(partial(keep_theme, theme.name), group="theme", thread=True, exit_on_error=False)

    async def on_unmount(self) -> None:
        if self._lookups:
            await self._lookups.close()

    async def on_run_opened(self, event: RunOpened) -> None:
        """Shows a run on the research screen, which from then on is the one that others are opened over."""
        await asyncio.to_thread(importlib.import_module, "panes.screens.research")  # the screen stays responsive
        from panes.screens.research import ResearchScreen

        self.action_research()
        if self._research:
            self._research.open_run(event.folder, launched=event.launched)
            return
        self._research = ResearchScreen(self._doors, event.folder, launched=event.launched)
        await self.push_screen(self._research)

    async def on_library_chosen(self, event: LibraryChosen) -> None:
        """Begins again on another library, with a look-ups child of its own."""
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self._research = None
        if self._lookups and self._given[1] is None:
            await self._lookups.close()
            self._lookups = None
        options: Any = self._options
        self._doors = self._doors_to(replace(options, library=event.library) if event.library else options)
        if isinstance(self.screen, HomeScreen):
            self.screen.reopen(self._doors, str(self._options.library) if event.library else "")

    async def on_catalogue_asked(self, event: CatalogueAsked) -> None:
        await asyncio.to_thread(importlib.import_module, "panes.screens.library")
        from panes.screens.library import LibraryScreen

        self.action_research()
        self.push_screen(LibraryScreen(self._doors, event.question if event.about else ""))

    async def on_place_found(self, event: PlaceFound) -> None:
        await asyncio.to_thread(importlib.import_module, "panes.screens.reader")
        from panes.screens.reader import ReaderScreen, reading_at

        reading, others = reading_at(event.document)
        self.push_screen(ReaderScreen(self._doors, reading))
        if others:
            self.notify("\n".join(others), title="It stands elsewhere as well", timeout=12, markup=False)

    def on_settings_changed(self, event: SettingsChanged) -> None:
        """What is heeded at once: colours, keys, and what the next question becomes."""
        from panes.own_keys import own_keys

        self.theme = str(event.config["theme"])
        self._asking.preferring(event.config)
        self._show_mode()
        try:
            self.rebind(own_keys(event.config))
        except FloriError as error:
            tell(self, error)
        for screen in self.screen_stack:
            if isinstance(screen, CalmScreen):
                screen.show_keys()

    async def on_copy_asked(self, event: CopyAsked) -> None:
        """Copies, and says where the text is: on the status line, or over a screen that has none."""
        from panes.clipboard import copy
        from panes.widgets.bars import StatusLine

        sent: list[str] = []
        copied = await asyncio.to_thread(copy, event.text, sent.append)
        if self._driver:
            for sequence in sent:
                self._driver.write(sequence)
        said = copied.said(event.what)
        if lines := self.screen.query(StatusLine):
            lines.first().say(said)
        else:
            self.notify(said, markup=False)

    def _fatal_error(self) -> None:
        """After an unexpected error the screen is given back; `run` passes the error on to the command line.

        Textual would print the trace with all local values: other people's texts, on the bare terminal.
        """
        self._close_messages_no_wait()

    # where to

    def action_research(self) -> None:
        """Back to the run, or to the home screen, from wherever one is."""
        while len(self.screen_stack) > (2 if self._research else 1):
            self.pop_screen()

    async def action_go(self, place: str) -> None:
        """Opens a screen of `PLACES`."""
        module, name = PLACES[place].rsplit(".", 1)
        found = await asyncio.to_thread(importlib.import_module, module)  # the screen stays responsive
        self.action_research()
        self.push_screen(getattr(found, name)(self._doors), self._open)

    def action_help(self) -> None:
        from panes.screens.help import HelpScreen

        self.push_screen(HelpScreen(getattr(self.screen, "scopes", ("app",))))

    def action_command_palette(self) -> None:
        super().action_command_palette()

        def hold_cursor() -> None:
            for field in self.screen.query(Input):
                field.cursor_blink = False

        self.call_after_refresh(hold_cursor)

    def action_help_quit(self) -> None:
        """Ctrl-C closes the workstation, as people expect of a command; a run that is going on goes on."""
        self.exit()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The command palette: every action of the table that makes sense here, the ask line's modes, the theme."""
        scopes = getattr(screen, "SCOPES", ("app",))
        for key in of(*scopes):
            if key.palette:
                target = self if key.scope == "app" else screen
                yield SystemCommand(key.palette, f"{key.help}  ({key.shown})", partial(target.run_action, key.action))
        for depth in DEPTHS:
            set_depth = partial(self._ask_for, depth=depth)
            yield SystemCommand(f"Ask: {depth}", "How much the next question may read", set_depth)
        for format in FORMATS:
            set_format = partial(self._ask_for, format=format)
            yield SystemCommand(f"Ask: {format}", "The shape of the next answer", set_format)
        if not self._asking.offline:
            title = "Ask: the library alone" if self._asking.web else "Ask: the web too"
            yield SystemCommand(title, "Whether the next run may read pages of the web", self._toggle_web)
        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)

    def _ask_for(self, depth: Depth | None = None, format: Format | None = None) -> None:
        self._asking.depth, self._asking.format = depth or self._asking.depth, format or self._asking.format
        self._show_mode()

    def _toggle_web(self) -> None:
        self._asking.web = not self._asking.web
        self._show_mode()

    def _show_mode(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, AskingScreen):
                screen.show_mode()

    def _open(self, folder: Path | None) -> None:
        """Shows the run that a screen answered with."""
        if folder:
            self.post_message(RunOpened(folder))


def run(options: Options, folder: Path | None = None) -> int:
    """Opens the workstation, on `folder` when one is given. Status 2 when there is no terminal that can show it."""
    if trouble := unfit():
        seen = sys.stdout if sys.stdout.isatty() and not sys.stderr.isatty() else sys.stderr
        print(f"flori: {trouble}", file=seen)
        return NOT_A_TERMINAL
    keys: dict[str, str] = {}
    if options.config.keys:
        from panes.own_keys import own_keys

        keys = own_keys(options.config)
    gc.disable()  # until the first frame: what is made until then stays, and need not be looked through
    app = FloriApp(options, folder=folder, keys=keys)
    app.driver_class = thrifty_driver(app.driver_class)
    if app.console.color_system == "standard" and options.config.values["theme"].origin == "default":
        app.theme = SIXTEEN
    status = app.run()
    if app._exception:
        raise app._exception
    return status or 0


def unfit() -> str:
    """Why the workstation cannot be shown here, with what to do instead; empty when it can."""
    instead = "In lines it works here as well: flori --plain. Or use the commands: flori --help"
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):  # Textual draws on stderr
        return f"The workstation needs a terminal. {instead}"
    if os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return f"This terminal (TERM={os.environ.get('TERM', '')}) cannot show the workstation. {instead}"
    encoding = locale.getencoding()  # of the terminal: our own output is made UTF-8 in any case
    if encoding.lower().replace("-", "") != "utf8":
        return f"The workstation needs a UTF-8 locale; this one is {encoding}. Try: LC_ALL=C.UTF-8 flori. {instead}"
    return ""
