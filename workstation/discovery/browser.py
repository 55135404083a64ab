"""A Chromium that the user names, as a machine that runs a page's scripts and has no network.

It is spoken to over two pipes (--remote-debugging-pipe), so that no port is opened, and it is started without a way to
any host: where the system allows it in a network namespace without interfaces, and everywhere without names and with a
proxy that is not there. What its pages ask for, we fetch in its place (`rendering`).
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from workstation.errors import BadInput

START_SECONDS = 20.0
_FLAGS = (
    "--headless=new --remote-debugging-pipe --no-first-run --no-default-browser-check --disable-gpu --mute-audio "
    "--disable-extensions --disable-background-networking --disable-component-update --disable-domain-reliability "
    "--disable-client-side-phishing-detection --disable-sync --disable-default-apps --disable-breakpad --no-pings "
    "--metrics-recording-only --disable-features=OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider,"
    "NetworkTimeServiceQuerying,AutofillServerCommunication,CertificateTransparencyComponentUpdater "
    "--blink-settings=imagesEnabled=false --deny-permission-prompts --disable-dev-shm-usage"
)
# No name can be looked up, and what needs none goes to a proxy that is not there, loopback too.
_CUT_OFF = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
)


class BrowserMissing(BadInput):
    title = "The browser cannot be started"
    hint = "Name a Chromium or Chrome with: flori config browser /usr/bin/chromium   or take it back with --unset"


class Browser:
    """Use as a context manager, from one thread. Raises BrowserMissing when it does not start."""

    def __init__(self, program: str) -> None:
        found = shutil.which(os.path.expanduser(program))  # noqa: PTH111  (which wants a text)
        if found is None:
            raise BrowserMissing(f"there is no program {program}")
        self._program = found
        self.heard: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._count = 0

    def __enter__(self) -> Self:
        self._profile = tempfile.mkdtemp(prefix="flori-browser-")
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()

        def pipes() -> None:  # what it reads is 3, what it writes is 4
            low_in, low_out = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(low_in, 3)
            os.dup2(low_out, 4)

        root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
        command = [
            *_without_network(),
            self._program,
            *_FLAGS.split(),
            *_CUT_OFF,
            *root,
            f"--user-data-dir={self._profile}",
            "about:blank",
        ]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                preexec_fn=pipes,
                close_fds=False,
                start_new_session=True,
                env={key: value for key, value in os.environ.items() if "proxy" not in key.lower()},
            )
        except OSError as error:
            raise BrowserMissing(f"{self._program}: {error.strerror}") from error
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        threading.Thread(target=self._read, name="browser", daemon=True).start()
        try:
            self.ask("Browser.getVersion", seconds=START_SECONDS)
        except TimeoutError as error:
            self.__exit__(None, None, None)
            raise BrowserMissing(f"{self._program} does not answer") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self.tell("Browser.close")
        with suppress(OSError):
            os.close(self._out)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)

    def tell(self, method: str, session: str = "", **parameters: Any) -> int:
        """Sends a command; its answer will be heard under the number that this returns."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters} | (
            {"sessionId": session} if session else {}
        )
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        return self._count

    def ask(self, method: str, session: str = "", *, seconds: float = 10.0, **parameters: Any) -> dict[str, Any]:
        """A command whose answer is waited for; what else is heard meanwhile is passed over. Raises TimeoutError."""
        number = self.tell(method, session, **parameters)
        while (message := self.listen(seconds)) is not None:
            if message.get("id") == number:
                return dict(message.get("result") or {})
        raise TimeoutError(method)

    def listen(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None when there is none in time, or the browser has gone."""
        try:
            return self.heard.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None

    def _read(self) -> None:
        """In a thread of its own: what the browser says, message by message."""
        left = b""
        with suppress(OSError), os.fdopen(self._in, "rb", buffering=0) as pipe:
            while data := pipe.read(1 << 16):
                *whole, left = (left + data).split(b"\0")
                for line in whole:
                    with suppress(ValueError):
                        self.heard.put(json.loads(line))
        self.heard.put(None)


def _without_network() -> tuple[str, ...]:
    """What to put before a command so that it finds no network interface; nothing where the system has no such way."""
    command = ("unshare", "--net", "--map-current-user")
    try:
        works = subprocess.run([*command, "true"], capture_output=True, timeout=5, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    return (*command, "--") if works else ()
