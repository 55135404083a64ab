"""Reading files, folders and pages into the library, told to the terminal and to the job's log alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING

from workstation.core.cancel import Cancelled, CancelToken
from workstation.jobs.events import ItemRefused, JobEnded, JobWaits
from workstation.jobs.log import JobLog, hearkening
from workstation.jobs.telling import Telling
from workstation.options import Options

if TYPE_CHECKING:
    from storage.library import Library
    from workstation.content.results import IngestResult, Refusal
    from workstation.content.web import WebDocument
    from workstation.services import Services

PATIENCE_S = 0.5  # between looks at whether another writer has gone


def read_in(
    options: Options,
    paths: Sequence[str],
    urls: Sequence[str],
    kind: str | None,
    allowed: Sequence[str],
    cancel: CancelToken,
    job: Callable[[], AbstractContextManager[JobLog]],
    *,
    patient: bool = False,
) -> tuple[IngestResult, bool]:
    """What was taken in, and whether it was stopped before its end. Pages come first: a person waits for them.

    `job` opens the log, once it is clear that there is something to do. While another process writes to the library, a
    `patient` caller waits, and the log says so; any other gets LibraryBusy before there is a log.
    """
    from workstation.content.results import IngestResult
    from workstation.services import Services

    with Services(options, write=True, create=True) as services, ExitStack() as stack:
        _ = services.embedder  # without one, nothing is fetched
        library = None if patient else services.library
        log = stack.enter_context(job())
        stack.enter_context(hearkening(log.folder, cancel))
        library = library or _in_turn(services, log, cancel)
        if library is None:
            result, stopped = IngestResult(), True
        else:
            result, stopped = _read(services, library, paths, urls, kind, allowed, cancel, log)
        log.append(_ended(result, stopped))
        return result, stopped


def _read(
    services: Services,
    library: Library,
    paths: Sequence[str],
    urls: Sequence[str],
    kind: str | None,
    allowed: Sequence[str],
    cancel: CancelToken,
    log: JobLog,
) -> tuple[IngestResult, bool]:
    from storage.records import Problem
    from workstation.commands.readers import readers, unfinished
    from workstation.content.ingest import IngestCancelled, ingest, ingest_documents
    from workstation.content.ingest import Options as How
    from workstation.content.media_kept import forget
    from workstation.content.results import IngestResult

    def refused(refusal: Refusal, state: str) -> None:
        log.append(
            ItemRefused.model_validate({"path": refusal.path, "state": state, "reason": refusal.reason}), durable=False
        )

    documents, gone, stopped = _fetched(services.options, urls, allowed, cancel, log)
    result = IngestResult(failed=list(gone))
    for failure in gone:
        library.record_problem(Problem(failure.path, "failed", failure.reason))
        refused(failure, "failed")
    with Telling(services.options, log, "passages") as told:
        adapters = readers(services, told.heard).seeing(services.page_reader)
        how, embedder = How(kind=kind), services.embedder
        try:
            if documents and not stopped:
                result.extend(
                    ingest_documents(
                        documents,
                        library,
                        embedder,
                        cancel=cancel,
                        progress=told.stored,
                        refused=refused,
                        options=how,
                        adapters=adapters,
                    )
                )
            if paths and not stopped:
                result.extend(
                    ingest(
                        paths,
                        library,
                        embedder,
                        cancel=cancel,
                        progress=told.stored,
                        refused=refused,
                        options=how,
                        adapters=adapters,
                    )
                )
        except IngestCancelled as stop:
            result.extend(stop.result)
            stopped = True
        except Cancelled:  # while the folders were being listed
            stopped = True
    forget(unfinished(services), lambda digest: bool(library.sources_with_hash(digest)))
    return result, stopped


def _in_turn(services: Services, log: JobLog, cancel: CancelToken) -> Library | None:
    """The library, as soon as nobody else writes to it; None when the job was stopped while it waited."""
    from storage.errors import LibraryBusy

    waits = False
    while not cancel():
        try:
            return services.library
        except LibraryBusy as busy:
            if not waits:
                log.append(JobWaits(text=str(busy)))
            waits = True
            time.sleep(PATIENCE_S)
    return None


def _fetched(
    options: Options, urls: Sequence[str], allowed: Sequence[str], cancel: CancelToken, log: JobLog
) -> tuple[list[WebDocument], list[Refusal], bool]:
    """The pages in the order in which they were named, those that could not be had, and whether it was stopped."""
    from workstation.content.results import Refusal
    from workstation.content.web import WebDocument

    if not urls:
        return [], [], False
    from workstation.discovery.fetcher import Fetcher
    from workstation.engine.pages import Scripts, fetch_all, fetch_settings

    wanted = list(dict.fromkeys(urls))
    found: dict[str, WebDocument] = {}
    refused: dict[str, Refusal] = {}
    with Fetcher(fetch_settings(options, allowed, run="ingest")) as fetcher, Telling(options, log, "pages") as told:
        try:
            with Scripts(options, fetcher, "named by the user") as scripts:

                def done(number: int, url: str) -> None:
                    told.fetched(number, len(wanted), url)

                for url, outcome in fetch_all(fetcher, wanted, "named by the user", cancel, done, scripts):
                    if isinstance(outcome, WebDocument):
                        found[url] = outcome
                    else:
                        refused[url] = Refusal(url, outcome.reason)
        except Cancelled:
            return [], [], True
    pages = {found[url].path: found[url] for url in wanted if url in found}  # two addresses may lead to one page
    return list(pages.values()), [refused[url] for url in wanted if url in refused], False


def _ended(result: IngestResult, stopped: bool) -> JobEnded:
    return JobEnded(
        outcome="cancelled" if stopped else "done",
        added=result.count("added"),
        updated=result.count("updated"),
        unchanged=result.count("unchanged"),
        failed=len(result.failed),
        skipped=len(result.skipped),
        passages=sum(entry.passages for entry in result.sources),
        seconds=result.seconds,
    )
