"""The global options, accepted before and after the subcommand, and merged into one `Options`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

_KEY = "workstation.globals"

GLOBAL_OPTIONS = (
    click.Option(["--library"], metavar="DIR", help="The library to use (FLORI_LIBRARY)."),
    click.Option(["--reports"], metavar="DIR", help="Where research runs put their folders (FLORI_REPORTS)."),
    click.Option(["--models"], metavar="DIR", help="Where models are installed (FLORI_MODELS)."),
    click.Option(["--offline"], is_flag=True, help="Never open a network connection (FLORI_OFFLINE=1)."),
    click.Option(["--json"], is_flag=True, help="One JSON document on stdout, nothing else."),
    click.Option(["--quiet"], is_flag=True, help="No progress on stderr."),
)


def _remember(ctx: click.Context, param: click.Parameter, value: object) -> None:
    """Keeps what was given; a subcommand is parsed after its group, so what stands later wins."""
    if value:
        ctx.meta.setdefault(_KEY, {})[param.name] = value


def given(ctx: click.Context) -> dict[str, Any]:
    """The global options that stood on the command line."""
    found: dict[str, Any] = ctx.meta.get(_KEY, {})
    return found


def global_options(command: click.Command) -> click.Command:
    """Adds the global options to a command or group."""
    for option in GLOBAL_OPTIONS:
        added = click.Option(
            list(option.opts),
            is_flag=option.is_flag,
            metavar=option.metavar,
            help=option.help,
            expose_value=False,
            callback=_remember,
        )
        command.params.append(added)
    return command


def with_options(body: Callable[..., int]) -> Callable[..., int]:
    """Hands the resolved `Options` to a command's body as its first argument."""

    @wraps(body)
    def wrapped(*args: Any, **kwargs: Any) -> int:
        from workstation import guard
        from workstation.options import resolve

        options = resolve(given(click.get_current_context()))
        if options.offline:
            guard.go_offline()
        return body(options, *args, **kwargs)

    return wrapped


class FloriGroup(click.Group):
    """A group whose commands all take the global options, and are listed in the order in which they were declared."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        super().add_command(global_options(cmd), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each command with its whole first sentence, which click would cut at the width of a line."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(200)) for name, command in found if command])

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)
