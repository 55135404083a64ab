"""A server that speaks HTTP/2 is spoken to in it, over one connection, encrypted."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import pytest

from workstation.discovery.fetcher import Fetcher, Settings

PAGE = b"<!doctype html><title>Bell</title><p>The bell was hung on the rock by an abbot.</p>"


class Http2:
    """A page for every path, on loopback. `connections` and `paths` are what was asked."""

    def __init__(self, certificate: Path) -> None:
        self.connections, self.paths = 0, list[str]()
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate)
        self._context.set_alpn_protocols(["h2"])

    async def start(self) -> int:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._context)
        return int(server.sockets[0].getsockname()[1])

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        line = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        line.initiate_connection()
        writer.write(line.data_to_send())
        while data := await reader.read(65_536):
            for event in line.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    self._answer(line, event.stream_id, dict(event.headers)[":path"])
            writer.write(line.data_to_send())

    def _answer(self, line: h2.connection.H2Connection, stream: int, path: str) -> None:
        self.paths.append(path)
        found = path != "/robots.txt"
        line.send_headers(stream, [(":status", "200" if found else "404"), ("content-type", "text/html")])
        line.send_data(stream, PAGE if found else b"", end_stream=True)


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """For 127.0.0.1, signed by itself, and trusted for the time of the test."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    host = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    made = builder.add_extension(host, critical=True).sign(key, hashes.SHA256())
    file = tmp_path / "server.pem"
    pem = serialization.Encoding.PEM
    own = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(own + made.public_bytes(pem))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file


@pytest.fixture
def server(certificate: Path) -> Iterator[tuple[Http2, str]]:
    made, loop = Http2(certificate), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    port = asyncio.run_coroutine_threadsafe(made.start(), loop).result()
    yield made, f"127.0.0.1:{port}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def test_pages_come_over_one_http2_connection(server: tuple[Http2, str], tmp_path: Path) -> None:
    made, host = server
    settings = Settings((host,), cache=tmp_path / "cache", log=tmp_path / "out.jsonl", run="r")
    with Fetcher(settings) as fetcher:
        pages = [fetcher.submit(f"https://{host}/{n}", "a test") for n in range(8)]
        assert all(page.result().body == PAGE for page in pages)
    assert made.connections == 1
    assert sorted(made.paths) == ["/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/robots.txt"]
