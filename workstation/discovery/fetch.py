"""The only module that opens connections. One request, one answer; what may be asked, and how often, stands in
`fetcher`.

Where a connection leads is decided when it is dialled: the name is looked up here, every address is checked, and the
checked address itself is dialled, so that no second look-up can lead elsewhere. A redirect is another request, and
comes by here again.
"""

from __future__ import annotations

import asyncio
import contextvars
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpcore
import httpx

from workstation import guard
from workstation.discovery.addresses import AllowedHosts, refusal
from workstation.discovery.inflate import Inflate
from workstation.discovery.results import Exchange, FetchFailed, Limits

CONNECT_SECONDS, READ_SECONDS, LOOKUP_SECONDS = 10.0, 15.0, 10.0
CONNECTIONS = 32
KEEP_SECONDS = 30.0
TRIED = 3  # addresses of one host
Resolve = Callable[[str, int], Awaitable[list[str]]]
Dial = Callable[[str, int, float | None], Awaitable[httpcore.AsyncNetworkStream]]


class Line:
    """Connections to the web, kept open and used again, HTTP/2 where the server speaks it. Belongs to one event loop.

    allowed: hosts that may have any address. resolve and dial: how a name becomes addresses, and an address a stream.
    """

    def __init__(
        self, allowed: AllowedHosts, *, resolve: Resolve | None = None, dial: Dial | None = None, http2: bool = True
    ) -> None:
        context = httpx.create_ssl_context()
        transport = httpx.AsyncHTTPTransport(verify=context, trust_env=False)
        transport._pool = httpcore.AsyncConnectionPool(  # httpx has no parameter for the backend
            ssl_context=context,
            max_connections=CONNECTIONS,
            max_keepalive_connections=CONNECTIONS,
            keepalive_expiry=KEEP_SECONDS,
            http2=http2,
            network_backend=_CheckedBackend(allowed, resolve or look_up, dial or connect),
        )
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        self._client = httpx.AsyncClient(
            transport=transport,
            cookies=no_cookies,
            follow_redirects=False,
            trust_env=False,  # no proxy: it would look names up itself, where nobody checks them
            timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS, pool=None),
        )

    async def get(self, url: str, headers: Mapping[str, str], limits: Limits) -> Exchange:
        """Raises FetchFailed."""
        try:
            async with asyncio.timeout(limits.seconds):
                return await self._get(url, headers, limits)
        except TimeoutError as error:
            raise FetchFailed("time", f"not finished after {limits.seconds:.0f} s") from error
        except httpx.HTTPError as error:
            raise _failure(error) from error
        except (httpx.InvalidURL, UnicodeError) as error:
            raise FetchFailed("url", f"not a valid address ({error})") from error
        except FetchFailed:
            raise
        except Exception as error:  # one strange server must not end the reading of all the others
            raise FetchFailed("connection", f"it could not be fetched ({type(error).__name__})") from error

    async def _get(self, url: str, headers: Mapping[str, str], limits: Limits) -> Exchange:
        async with self._client.stream("GET", url, headers=dict(headers)) as response:
            names = {name.lower(): value for name, value in response.headers.items()}
            most = limits.pdf_bytes if "pdf" in names.get("content-type", "") else limits.page_bytes
            inflate = Inflate(names.get("content-encoding", ""), most)
            if (declared := names.get("content-length", "")).isdigit() and int(declared) > most:
                raise FetchFailed("size", f"{int(declared) >> 20} MB, larger than {most >> 20} MB")
            parts = [inflate.feed(chunk) async for chunk in response.aiter_raw()]
            inflate.end()
            return Exchange(response.status_code, names, b"".join(parts), inflate.taken)

    async def close(self) -> None:
        await self._client.aclose()


class _CheckedBackend(httpcore.AsyncNetworkBackend):
    """What httpcore opens connections with: look up, check every address, dial a checked one."""

    def __init__(self, allowed: AllowedHosts, resolve: Resolve, dial: Dial) -> None:
        self._allowed, self._resolve, self._dial = allowed, resolve, dial

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  (httpcore's signature)
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = await self._resolve(host, port)
        good = addresses if (host, port) in self._allowed else [each for each in addresses if refusal(each) is None]
        if not good:
            raise _refused(host, port, addresses)
        trouble: Exception = httpcore.ConnectError("no address")
        for address in good[:TRIED]:
            try:
                return await self._dial(address, port, timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                trouble = error
        raise trouble

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        raise FetchFailed("address", "pages are not fetched from local sockets")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def look_up(host: str, port: int) -> list[str]:
    """The IP addresses of a host, in the system's order. Raises FetchFailed."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(found: list[str] | None, error: OSError | UnicodeError | None) -> None:
        if not answer.done():
            answer.set_exception(error) if error else answer.set_result(found or [])

    def ask() -> None:
        found: list[str] | None = None
        trouble: OSError | UnicodeError | None = None
        try:
            with guard.looking_up(host):
                rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found = list(dict.fromkeys(str(row[4][0]) for row in rows))
        except (OSError, UnicodeError) as error:
            trouble = error
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(settle, found, trouble)

    # A look-up cannot be stopped and may take a minute: nobody waits for this thread when the program ends.
    threading.Thread(target=contextvars.copy_context().run, args=(ask,), name="look-up", daemon=True).start()
    try:
        async with asyncio.timeout(LOOKUP_SECONDS):
            return await answer
    except TimeoutError as error:
        raise FetchFailed("dns", f"the name {host} could not be looked up in time", transient=True) from error
    except guard.NetworkRefused as error:
        raise FetchFailed("offline", "the network is switched off (--offline)") from error
    except (OSError, UnicodeError) as error:
        transient = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
        raise FetchFailed("dns", f"there is no host {host}", transient=transient) from error


async def connect(address: str, port: int, seconds: float | None) -> httpcore.AsyncNetworkStream:
    """A connection to an IP address."""
    with guard.dialling(address, port):
        return await httpcore.AnyIOBackend().connect_tcp(address, port, seconds)


def _refused(host: str, port: int, addresses: list[str]) -> FetchFailed:
    why = next((why for each in addresses if (why := refusal(each))), "no address")
    shown = "" if addresses[:1] == [host] else f" ({', '.join(addresses[:TRIED])})"
    return FetchFailed("address", f"{host}{shown} is {why}; to fetch from it all the same: --allow-host {host}:{port}")


def _failure(error: httpx.HTTPError) -> FetchFailed:
    cause: Any = error
    while cause is not None:
        if isinstance(cause, guard.NetworkRefused):
            return FetchFailed("offline", "the network is switched off (--offline)")
        if isinstance(cause, ssl.SSLError):
            return FetchFailed("connection", f"no secure connection: {cause.reason or cause}")
        cause = cause.__cause__ or cause.__context__
    match error:
        case httpx.ConnectTimeout() | httpx.ConnectError():
            return FetchFailed("connection", "the host cannot be reached", transient=True)
        case httpx.TimeoutException():
            return FetchFailed("time", f"no answer for {READ_SECONDS:.0f} s", transient=True)
        case httpx.RemoteProtocolError() | httpx.LocalProtocolError():
            return FetchFailed("connection", f"the server broke the protocol ({error})", transient=True)
        case _:
            return FetchFailed("connection", f"the connection broke off ({type(error).__name__})", transient=True)
