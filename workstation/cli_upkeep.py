"""The commands that look after what is there: sources, models, settings, and a check of it all."""

from __future__ import annotations

from pathlib import Path

import click

from workstation.errors import Exit
from workstation.global_options import FloriGroup, with_options
from workstation.options import Options
from workstation.settings import MODEL_ROLES


@click.group(cls=FloriGroup, invoke_without_command=True)
@click.pass_context
def sources(ctx: click.Context) -> int:
    """List the sources in the library; show, remove or restore one.

    \b
    Examples:
      flori sources
      flori sources show 12         its text and passages, to which quotes refer
      flori sources remove 12       it is found no more; reports that cite it still verify
    """
    return Exit.DONE if ctx.invoked_subcommand else _sources_list(False)


@with_options
def _sources_list(options: Options, removed: bool) -> int:
    from workstation.commands import sources as command

    return command.run(options, removed)


@sources.command("list")
@click.option("--removed", is_flag=True, help="Those that were taken out as well.")
@with_options
def sources_list(options: Options, removed: bool) -> int:
    """List the sources."""
    from workstation.commands import sources as command

    return command.run(options, removed)


@sources.command("show")
@click.argument("source", type=int, metavar="ID")
@with_options
def sources_show(options: Options, source: int) -> int:
    """Print the stored text of a source; with --json its passages and pages too."""
    from workstation.commands import sources as command

    return command.show(options, source)


@sources.command("remove")
@click.argument("source", type=int, metavar="ID")
@click.option("--purge", is_flag=True, help="Delete text and original for good; reports that cite it verify no more.")
@with_options
def sources_remove(options: Options, source: int, purge: bool) -> int:
    """Take a source out of every search. Its text is kept for the reports that cite it."""
    from workstation.commands import sources as command

    return command.purge(options, source) if purge else command.remove(options, source)


@sources.command("restore")
@click.argument("source", type=int, metavar="ID")
@with_options
def sources_restore(options: Options, source: int) -> int:
    """Put a removed source back."""
    from workstation.commands import sources as command

    return command.restore(options, source)


@click.group(cls=FloriGroup, invoke_without_command=True)
@click.pass_context
def models(ctx: click.Context) -> int:
    """List the installed models; verify, import or remove one.

    \b
    Examples:
      flori models
      flori models verify
      flori models import ~/Downloads/model.gguf --role generator
    """
    return Exit.DONE if ctx.invoked_subcommand else _models_list()


@with_options
def _models_list(options: Options) -> int:
    from workstation.commands import models as command

    return command.run(options)


@models.command("list")
@with_options
def models_list(options: Options) -> int:
    """List the installed models by role."""
    from workstation.commands import models as command

    return command.run(options)


@models.command("verify")
@click.argument("model", required=False, metavar="[ID]")
@with_options
def models_verify(options: Options, model: str | None) -> int:
    """Read every model file and compare it with its recorded hash."""
    from workstation.commands import models as command

    return command.verify(options, model)


@models.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--role", required=True, type=click.Choice(MODEL_ROLES), help="What the model is for.")
@click.option("--id", "model", metavar="ID", help="Its name here (default: the file's).")
@click.option("--query-prefix", metavar="TEXT", help="What an embedder's model card says to put before a question.")
@click.option("--passage-prefix", metavar="TEXT", help="The same for passages.")
@click.option("--default/--no-default", default=True, help="Use it for its role from here on (the default).")
@with_options
def models_import(
    options: Options,
    file: Path,
    role: str,
    model: str | None,
    query_prefix: str | None,
    passage_prefix: str | None,
    default: bool,
) -> int:
    """Take in a model file that you brought: a GGUF, a whisper.cpp file or a sentence-transformers folder.

    \b
    Examples:
      flori models import Qwen3-1.7B-Q8_0.gguf --role generator
      flori models import bge-m3.gguf --role embedder --no-default
    """
    from workstation.commands import models as command

    return command.import_(options, file, role, model, query_prefix, passage_prefix, default)


@models.command("probe")
@click.argument("model", metavar="[ID]", required=False)
@with_options
def models_probe(options: Options, model: str | None) -> int:
    """Measure what a writing model can be trusted with: a short exercise, about a minute.

    A model that passes its first half may propose sub-questions for a plan; what it proposes is checked.
    """
    from workstation.commands import models as command

    return command.probe(options, model)


@models.command("remove")
@click.argument("model", metavar="ID")
@with_options
def models_remove(options: Options, model: str) -> int:
    """Delete a model and its files."""
    from workstation.commands import models as command

    return command.remove(options, model)


@click.command()
@click.argument("key", required=False)
@click.argument("value", required=False)
@click.option("--unset", is_flag=True, help="Back to the default.")
@with_options
def config(options: Options, key: str | None, value: str | None, unset: bool) -> int:
    """Show or change settings, and say where each value comes from.

    \b
    Examples:
      flori config                        all settings
      flori config embedder               what can be chosen
      flori config depth thorough
      flori config memory_mb --unset
    """
    from workstation.commands import config as command

    return command.run(options, key, value, unset)


@click.command()
@click.option("--mend", is_flag=True, help="First put right what can be put right without reading anything again.")
@with_options
def doctor(options: Options, mend: bool) -> int:
    """Check the library, the models and this terminal, and say how to mend what is wrong.

    Exit status 1 when something is wrong.
    """
    from workstation.commands import doctor as command

    return command.run(options, mend)


@click.command()
@click.option("--last", type=click.IntRange(0), default=50, show_default=True, help="How many lines; 0 is all.")
@click.option("--refused", is_flag=True, help="Only attempts that were refused.")
@click.option("--host", metavar="HOST", help="Only this host.")
@with_options
def outbound(options: Options, last: int, refused: bool, host: str | None) -> int:
    """List every request that left this machine, and every attempt that was refused.

    Nothing but page requests leaves it. A refused attempt names the address and the package that tried.

    \b
    Examples:
      flori outbound
      flori outbound --refused
      flori --json outbound --last 0
    """
    from workstation.commands import outbound as command

    return command.run(options, last, refused, host)


UPKEEP: tuple[click.Command, ...] = (sources, models, config, outbound, doctor)
