"""A report as one web page without anything from elsewhere, and as a PDF made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from workstation.report.parts import Part, Run, parts

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
STYLE = """
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 serif; color: #111; background: #fff; }
h1, h2, h3 { font-family: sans-serif; line-height: 1.25; }
blockquote { margin: 0; padding-inline-start: 1rem; border-inline-start: .2rem solid #999; color: #444; }
table { border-collapse: collapse; } td, th { border: 1px solid #999; padding: .3rem .6rem; text-align: start; }
a.cite { text-decoration: none; } li:target { background: #ffc; } code { overflow-wrap: anywhere; }
@page { margin: 2cm; }
""".strip()


def page(markdown: str, title: str, language: str) -> str:
    """The whole document. Every citation is a link to its line under Sources."""
    found = list(parts(markdown))
    listed = {part.source for part in found if part.source is not None}
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    body = "\n".join(_blocks(found, listed))
    return (
        f'<!doctype html>\n<html lang="{escape(language or "und")}" dir="{direction}">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>\n'
        f"<style>\n{STYLE}\n</style></head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _blocks(found: Sequence[Part], listed: set[int]) -> Iterator[str]:
    """Items and rows that follow each other are one list, one table."""
    open_: str = ""
    for part in found:
        wanted = {"item": "ul", "head": "table", "row": "table"}.get(part.kind, "")
        if wanted != open_:
            yield from [f"</{open_}>"] * bool(open_) + [f"<{wanted}>"] * bool(wanted)
            open_ = wanted
        yield _block(part, listed)
    if open_:
        yield f"</{open_}>"


def _block(part: Part, listed: set[int]) -> str:
    text = _text(part.runs, listed if part.source is None else set())
    match part.kind:
        case "heading":
            return f"<h{part.level}>{text}</h{part.level}>"
        case "item":
            target = f' id="source-{part.source}"' if part.source is not None else ""
            return f"<li{target}>{text}</li>"
        case "quote":
            return f"<blockquote><p>{text}</p></blockquote>"
        case "code":
            return f"<pre><code>{escape(part.text)}</code></pre>"
        case "head" | "row":
            tag = "th" if part.kind == "head" else "td"
            return "<tr>" + "".join(f"<{tag}>{_text(cell, listed)}</{tag}>" for cell in part.cells) + "</tr>"
        case _:
            return f"<p>{text}</p>"


def _text(runs: Sequence[Run], listed: set[int]) -> str:
    return "".join(_run(run, listed) for run in runs)


def _run(run: Run, listed: set[int]) -> str:
    text = escape(run.text)
    if run.number is not None and run.number in listed:
        return f'<a class="cite" href="#source-{run.number}">{text}</a>'
    if run.link.startswith(("http://", "https://")):
        return f'<a href="{escape(run.link)}" rel="noreferrer">{text}</a>'
    for tag, wanted in (("code", run.code), ("em", run.emphasis), ("strong", run.strong)):
        text = f"<{tag}>{text}</{tag}>" if wanted else text
    return text


def pdf(document: str) -> bytes:
    """A PDF of the page. Raises ImportError where WeasyPrint, and OSError where the libraries that it draws with are
    not there."""
    from weasyprint import HTML

    made: bytes = HTML(string=document).write_pdf()
    return made
