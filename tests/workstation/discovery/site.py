"""A web site on loopback, generated: two hundred pages on a few subjects, and the traps that crawlers meet."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], bytes]
HTML = {"Content-Type": "text/html; charset=utf-8"}

SUBJECTS = {
    "lighthouse": "lamp lens tower keeper fog signal oil wick prism reef beacon mercury",
    "telegraph": "cable wire morse relay insulator station operator message battery current",
    "garden": "rose soil seed frost hedge compost pruning tulip bulb greenhouse trellis",
    "bread": "flour yeast dough oven crust rye starter proofing loaf baker sourdough",
}


def article(
    title: str, text: str, links: Iterator[tuple[str, str]] | list[tuple[str, str]] = (), head: str = ""
) -> str:  # type: ignore[assignment]
    anchors = "".join(f'<li><a href="{href}">{name}</a></li>' for href, name in links)
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head><body><article><h1>{title}</h1>'
        f"{text}</article><ul>{anchors}</ul></body></html>"
    )


def prose(subject: str, number: int, paragraphs: int = 3) -> str:
    """Paragraphs on a subject, always the same for a number; no two numbers share a sentence."""
    rng = random.Random(f"{subject}{number}")
    words = SUBJECTS[subject].split()
    lines = []
    for _ in range(paragraphs):
        said = [
            f"The {rng.choice(words)} of {subject} number {number} was {rng.choice(words)} and {rng.choice(words)} "
            f"in {rng.randrange(1700, 1990)}, when the {rng.choice(words)} met the {rng.choice(words)}."
            for _ in range(4)
        ]
        lines.append(f"<p>{' '.join(said)}</p>")
    return "".join(lines)


class Site:
    """`pages` maps a path to an answer, or to a function that makes one or writes it itself. `asked` lists what was
    asked for, in order, as (host, path)."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer | Callable[[BaseHTTPRequestHandler], Answer | None]] = {}
        self.asked: list[tuple[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self._server: ThreadingHTTPServer | None = None

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.server_address[1])

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"

    def paths(self) -> list[str]:
        return [path for _, path in self.asked]

    def add(self, path: str, html: str, **headers: str) -> None:
        self.pages[path] = (
            200,
            HTML | {name.replace("_", "-"): value for name, value in headers.items()},
            html.encode(),
        )

    @contextmanager
    def running(self) -> Iterator[Site]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.asked.append((self.headers.get("Host", ""), self.path))
                site.headers.append({k.lower(): v for k, v in self.headers.items()})
                found: Any = site.pages.get(self.path) or site.pages.get(self.path.split("?")[0])
                for prefix, made in site.pages.items():
                    if found is None and prefix.endswith("*") and self.path.startswith(prefix[:-1]):
                        found = made
                answer = (
                    found(self) if callable(found) else found or (404, HTML, b"<html><body>Not found</body></html>")
                )
                if answer is not None:
                    reply(self, answer)

            def log_message(self, *_: object) -> None:
                return

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_: object) -> None:
                return

        self._server = Server(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def reply(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    status, headers, body = answer
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    if "Content-Length" not in headers:
        handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def drip(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then, for ever."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        handler.close_connection = True


def endless(handler: BaseHTTPRequestHandler) -> None:
    """Hundreds of megabytes, their number not said beforehand."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Connection", "close")
    handler.end_headers()
    try:
        for _ in range(500):
            handler.wfile.write(b"x" * (1 << 20))
    except OSError:
        pass
    handler.close_connection = True


@cache
def bomb() -> bytes:
    """Two hundred megabytes of nothing in two hundred kilobytes."""
    import zlib

    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    block = b"\0" * (1 << 20)
    return b"".join(packer.compress(block) for _ in range(200)) + packer.flush()


def redirect(location: str, status: int = 302) -> Answer:
    return status, {"Location": location}, b""
