"""What the models screen shows: the look-ups' document as items of a table, and what is said of each in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from panes import wording
from panes.keymap import shown
from panes.rows import Pen, Row
from panes.widgets.table import Item

Document = Mapping[str, Any]
MEGABYTE = 2**20
PAGE_READER = "page reader"
INSTALL_OCR = 'pip install "florilegium[ocr]"'

WHY = {
    "chosen": "in use: chosen in your settings",
    "default": "in use: the default of its role",
    "first": "in use: the first of its role",
}
ROLES = {
    "embedder": "finds passages by what they mean",
    "reranker": "reads question and passage together",
    "generator": "writes, and proposes sub-questions",
    "transcriber": "turns recordings into text",
    PAGE_READER: "reads images of pages",
}
WITHOUT = {
    "embedder": "Nothing can be put into the library or searched without one.",
    "reranker": "None is needed: passages are put in order by the vectors of their words.",
    "generator": "Reports are made of quotes, and plans without proposals.",
    "transcriber": "Recordings cannot be read.",
    PAGE_READER: "Pages without text wait to be read. To read them:",
}
MODES = {
    "extractive": "writes nothing, reports are made of quotes",
    "guided": "may propose sub-questions",
    "abstractive": "may propose sub-questions and paraphrase",
    "": "not probed: it writes nothing until it has passed",
}


def items(document: Document) -> list[Item]:
    """A row for each model, by role; a role that nothing serves has one of its own, with the key `role:NAME`."""
    found: list[Item] = []
    for role in document.get("roles") or ():
        models = [model for model in document.get("models") or () if model["role"] == role["role"]]
        found += [_item(model, role) for model in models]
        if not role["id"]:
            missing = role["problem"] or role["role"] == "embedder"
            state = "chosen one is missing" if role["problem"] else "none"
            found.append(
                Item(f"role:{role['role']}", (role["role"], "", "", state, "", "", ""), "warn" if missing else "dim")
            )
    there = bool(document.get("page_reader"))
    state = "in use, installed" if there else "not installed"
    name = "RapidOCR" if there else ""
    return [
        *found,
        Item(
            f"role:{PAGE_READER}",
            (PAGE_READER, name, "", state, "", "Apache-2.0" if there else "", ""),
            "" if there else "dim",
        ),
    ]


def _item(model: Document, role: Document) -> Item:
    used = model["id"] == role["id"]
    state = f"in use, {model['health']}" if used else model["health"]
    mode = (model["mode"] or "not probed") if model["role"] == "generator" else ""
    cells = (model["role"], model["id"], size(model["size"]), state, mode, model["licence"], languages(model))
    return Item(model["id"], cells, "bad" if model["problem"] else "" if used else "dim")


def head(document: Document) -> str:
    """How many models there are, and how those in use fit into the memory for them."""
    memory = document.get("memory") or {}
    budget, together = int(memory.get("budget") or 0), int(memory.get("together") or 0)
    bad = sum(bool(model["problem"]) for model in document.get("models") or ())
    parts = [wording.count(len(document.get("models") or ()), "model")]
    if bad:
        parts.append(f"{bad} missing or damaged")
    if budget:
        fit = "they fit" if together <= budget else "one closes when another is needed"
        parts.append(f"in use take about {together / MEGABYTE:,.0f} of {size(budget)}: {fit}")
    return ", ".join(parts)


def about(document: Document, key: str) -> list[Row]:
    """All that is known of the model or role with this key: what is wrong with it first."""
    if key.startswith("role:"):
        return _about_role(document, key.removeprefix("role:"))
    model = next((model for model in document.get("models") or () if model["id"] == key), None)
    if model is None:
        return []
    role = next(role for role in document["roles"] if role["role"] == model["role"])
    use = WHY[role["why"]] if role["id"] == key else "not in use"
    rows = [Pen().put(key, "strong").put(f"   {model['role']}, {use}. It {ROLES[model['role']]}.").row(hang=2)]
    if model["problem"]:
        rows.append(Pen().put("! ", "bad").put(model["problem"]).row(hang=2))
        rows.append(Pen().put(f"  {model['hint']}", "strong").row(hang=2))
    if model["role"] == "generator":
        rows.append(
            Pen()
            .put("Writer mode: ", "dim")
            .put(f"{model['mode'] or ''}{': ' if model['mode'] else ''}{MODES.get(model['mode'], '')}")
            .row(hang=2)
        )
    facts = [
        f"{size(model['size'])}, about {size(model['memory'])} when open",
        f"context {model['context']:,} tokens" if model["context"] else "",
        f"licence {model['licence'] or 'not stated'}",
        f"languages {languages(model)}",
    ]
    rows.append(Pen().put(", ".join(filter(None, facts))).row(hang=2))
    files: Sequence[str] = model["files"]
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    rows.append(Pen().put(f"{files[0] if files else '(no file)'}{more}   {HEALTH[model['health']]}", "dim").row(hang=2))
    if model["source"]:
        rows.append(Pen().put(f"From {model['source']}", "dim").row(hang=2))
    return rows


HEALTH = {
    "verified": "Its hash was compared and is right.",
    "not verified": "It is there; its hash was not compared since it changed. It is before its first use.",
    "missing": "It is not there.",
    "damaged": "It is not the file that was installed.",
}


def _about_role(document: Document, role: str) -> list[Row]:
    rows = [Pen().put(role, "strong").put(f"   It {ROLES[role]}.").row(hang=2)]
    if role == PAGE_READER and document.get("page_reader"):
        return [*rows, Pen().put("It comes with the extra ocr, with models of its own.", "dim").row()]
    serving: Document = next((each for each in document.get("roles") or () if each["role"] == role), {})
    if problem := serving.get("problem"):
        rows.append(
            Pen()
            .put("! ", "bad")
            .put(f"{problem}. Choose another ({shown('models.use_model')}), or install it.")
            .row(hang=2)
        )
        return rows
    rows.append(Pen().put(WITHOUT[role]).row())
    if role == PAGE_READER:
        rows.append(Pen().put(INSTALL_OCR, "code").row())
    offered = [
        f"{offer['id']} ({size(offer['size'])})" for offer in document.get("offered") or () if offer["role"] == role
    ]
    if offered:
        rows.append(Pen().put(f"Install {', '.join(offered)} with: ").put("scripts/install_models", "code").row(hang=2))
    if role != PAGE_READER:
        rows.append(
            Pen()
            .put("Or bring a file of your own: ")
            .put(f"flori models import FILE --role {role}", "code")
            .row(hang=2)
        )
    return rows


def size(bytes_: int) -> str:
    return f"{bytes_ / MEGABYTE:,.0f} MiB"


def languages(model: Document) -> str:
    named = list(model.get("languages") or ())
    return ", ".join("many" if name == "mul" else name for name in named) or "not stated"
