"""From a document to passages that wait for their vectors. Touches neither the library nor the network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from local_models.protocols import PassageInput
from storage.records import Locator
from workstation.content.adapters import Adapters, Extraction
from workstation.content.chunking import DEFAULT_SIZES, PassageSizes, chunk
from workstation.content.document import Document
from workstation.content.errors import ContentError, NothingToRead
from workstation.content.language import detect
from workstation.core.cancel import Cancelled, CancelToken

_CONTEXT_CHARACTERS = 200  # of title and heading; a model reads them, but they must not crowd out the passage
_CONTEXT_TOKENS = 48  # kept free for them in the embedder's window


@dataclass(frozen=True, slots=True)
class Reader:
    """How documents are read and cut. `with_context` hands the title and heading of a passage to the embedder."""

    adapters: Adapters
    count_tokens: Callable[[str], int]
    window: int
    sizes: PassageSizes = DEFAULT_SIZES
    with_context: bool = True


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document read and cut, before embedding. `content_hash` is of the bytes that were read."""

    document: Document
    content_hash: str
    extraction: Extraction
    language: str
    locators: tuple[Locator, ...]
    inputs: tuple[PassageInput, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A document that gives no source; `state` is failed or skipped."""

    document: Document
    content_hash: str | None
    state: str
    reason: str


def prepare(document: Document, content_hash: str, reader: Reader, cancel: CancelToken) -> Prepared | Refused:
    """Read, recognise the language, cut. Only Cancelled is raised: one bad file must not end the work on the others."""

    def count(text: str) -> int:
        cancel.check()  # a long file has many thousand sentences
        return reader.count_tokens(text)

    try:
        extraction = _described(reader.adapters.extract(document, cancel), document)
        language = detect(extraction.text, extraction.language)
        room = reader.window - (_CONTEXT_TOKENS if reader.with_context else 0)
        locators = chunk(
            extraction.text,
            count,
            reader.sizes.within(max(1, room)),
            pages=extraction.pages,
            segments=extraction.segments,
            language=language,
            markdown=extraction.markdown,
        )
    except Cancelled:
        raise
    except ContentError as error:
        return Refused(document, content_hash, _state(error), error.reason)
    except Exception as error:
        return Refused(document, content_hash, "failed", f"could not be read: {type(error).__name__}: {_line(error)}")
    inputs = tuple(
        PassageInput(extraction.text[at.start : at.end], _context(extraction, at) if reader.with_context else "")
        for at in locators
    )
    return Prepared(document, content_hash, extraction, language, tuple(locators), inputs)


def hashed(document: Document) -> str | Refused:
    """The document's content hash, or the refusal of one that cannot be opened."""
    try:
        return document.sha256()
    except ContentError as error:
        return Refused(document, None, _state(error), error.reason)


def _state(error: ContentError) -> str:
    return "skipped" if isinstance(error, NothingToRead) else "failed"


def _described(extraction: Extraction, document: Document) -> Extraction:
    """With what is known of the document from elsewhere; a catalogue knows a title better than a PDF does."""
    about = document.about
    return replace(
        extraction,
        title=about.title or extraction.title,
        date=extraction.date or about.date,
        meta={**about.meta, **extraction.meta},
    )


def _context(extraction: Extraction, at: Locator) -> str:
    """Title and heading, as far as the passage does not begin with them itself."""
    start = _bare(extraction.text[at.start : at.start + 2 * _CONTEXT_CHARACTERS])
    parts: list[str] = []
    for part in (extraction.title, at.heading or ""):
        if part and not start.startswith(_bare(part)) and (not parts or _bare(part) != _bare(parts[0])):
            parts.append(part)
    return "\n".join(parts)[:_CONTEXT_CHARACTERS]


def _bare(text: str) -> str:
    return " ".join(text.lstrip("# \n").split()).casefold()


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
