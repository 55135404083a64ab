"""`flori models`: what is installed, whether it is whole, and taking models in and out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from local_models import admin
from workstation.commands.interrupt import interruptible
from workstation.core.text import one_line
from workstation.errors import Exit
from workstation.options import Options
from workstation.output import emit, say, table
from workstation.progress import Step, meter

MEGABYTE = 10**6
MODES = {
    "extractive": "It writes nothing: reports are made of quotes.",
    "guided": "It may propose sub-questions.",
    "abstractive": "It may propose sub-questions, and paraphrases without adding to what it read.",
}
GET_THEM = "Install the default ones with: scripts/install_models"


def run(options: Options) -> int:
    """Lists the models; their files are checked the quick way (presence, size, and the hash of what changed)."""
    listed = admin.list_models(options.models, options.config.choices())
    offered = [offer for offer in admin.list_offers(options.models) if not offer.installed]
    if options.json:
        document = models_document(options)
        seen = {model["id"]: model for model in document["models"]}
        emit(document | {"models": [seen[model.id] | _described(model) for model in listed]})
        return Exit.DONE
    rows = [
        (m.role, m.id, "in use" if m.in_use else "", _size(m.size), m.licence, one_line(m.problem or "ok"))
        for m in listed
    ]
    if rows:
        say(table(("role", "id", "", "size", "licence", "state"), rows, right=(3,)))
        say(f"\nFolder: {options.models}   Choose one with: flori config ROLE ID")
    else:
        say(f"No models in {options.models}.")
    if offered:
        names = ", ".join(f"{offer.id} ({offer.role}, {_size(offer.size)})" for offer in offered)
        say(f"Not installed: {names}. {GET_THEM}")
    return Exit.DONE


def models_document(options: Options) -> dict[str, Any]:
    """What serves each role and why, every model as it is seen without reading its files, what can be installed, and
    how the open models and the memory for them go together. The settings are read again: they may have changed."""
    config = options.config.again()
    choices = config.choices()
    seen = admin.look_at_models(options.models, choices)
    roles = admin.serving(options.models, choices)
    serving = {role.id for role in roles}
    return {
        "folder": str(options.models),
        "roles": [asdict(role) for role in roles],
        "models": [asdict(model) for model in seen],
        "offered": [asdict(offer) for offer in admin.list_offers(options.models) if not offer.installed],
        "page_reader": admin.page_reader_installed(),
        "memory": {
            "budget": config.memory_budget(),
            "together": sum(model.memory for model in seen if model.id in serving),
        },
    }


def verify(options: Options, model: str | None) -> int:
    """Hashes every file of one model, or of all. Exit 4 when one is missing or damaged, or there is none."""
    with meter(options, "models") as shown:
        checked = admin.verify_models(
            options.models, model, lambda id, number, total: shown.show(Step(number, total, 0.0, None, id))
        )
    if options.json:
        emit({"models": [asdict(row) for row in checked], "folder": str(options.models)})
    else:
        for row in checked:
            say(f"{row.id}: ok" if row.whole else f"{row.id}: {one_line(row.problem)}\n  {row.hint}")
        if not checked:
            say(f"No models in {options.models}. {GET_THEM}")
    return Exit.DONE if checked and all(row.whole for row in checked) else Exit.MODEL


def import_(
    options: Options,
    file: Path,
    role: str,
    model: str | None,
    query_prefix: str | None,
    passage_prefix: str | None,
    default: bool,
) -> int:
    """Copies a model that the user brought into the models folder, after a look into it."""
    taken = admin.import_model(
        options.models,
        file,
        role,
        model_id=model,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        default=default,
    )
    if options.json:
        emit(_described(taken))
    else:
        use = "and is used for its role" if taken.in_use else f"Use it with: flori config {role} {taken.id}"
        say(f"{taken.id} ({role}, {_size(taken.size)}) is installed {use}")
    return Exit.DONE


def probe(options: Options, model: str | None) -> int:
    """Measures what a writing model can be trusted with."""
    with interruptible() as cancel:
        id, result = admin.probe_model(options.models, model or options.config.choices().get("generator"), cancel)
    if options.json:
        emit({"id": id, "mode": result.mode, "passed": result.passed})
        return Exit.DONE
    for name, passed in result.passed.items():
        say(f"  {'passed' if passed else 'failed'}  {name}")
    say(f"{id}: {result.mode}. {MODES[result.mode]}")
    return Exit.DONE


def remove(options: Options, model: str) -> int:
    """Deletes a model."""
    gone = admin.remove_model(options.models, model)
    if options.json:
        emit({"id": gone.id, "role": gone.role, "removed": True})
    else:
        say(f"{gone.id} ({gone.role}, {_size(gone.size)}) was removed.")
    return Exit.DONE


def _described(model: admin.ListedModel) -> dict[str, Any]:
    return asdict(model) | {
        "files": [str(file) for file in model.files],
        "status": "ok" if not model.problem else "damaged",
    }


def _size(size: int) -> str:
    return f"{size / MEGABYTE:,.0f} MB"
