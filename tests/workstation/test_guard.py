"""Promise 4, proven: nothing but the fetcher gets through, and whoever else tries is listed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Flori

ROGUE = "Attempts of a library that calls home. 192.0.2.7 is an address of no network (RFC 5737)."
INET = re.compile(r"AF_INET6?\b|AF_PACKET|sin_addr|sin6_addr")


def guarded(code: str, tmp_path: Path, *, offline: bool = False) -> tuple[str, list[dict[str, Any]]]:
    """What a process prints that starts as ours do, and what the outbound log holds then."""
    go = "guard.go_offline()" if offline else "pass"
    script = f"from workstation.bootstrap import prepare; prepare()\nfrom workstation import guard; {go}\n"
    env = os.environ | {
        "XDG_STATE_HOME": str(tmp_path),
        "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', ROOT)}",
    }
    done = subprocess.run(
        [sys.executable, "-c", script + textwrap.dedent(code)],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    log = tmp_path / "florilegium" / "outbound.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return done.stdout, lines


def test_a_library_that_calls_home_is_refused_and_listed(tmp_path: Path) -> None:
    (tmp_path / "telemetry_kit.py").write_text(
        textwrap.dedent(f'''
        """{ROGUE}"""
        import socket, urllib.request, asyncio

        def tries():
            def udp():
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.7", 53))
            def listen():
                socket.socket().bind(("0.0.0.0", 0))
            async def open_it():
                await asyncio.open_connection("192.0.2.7", 80)
            yield lambda: socket.create_connection(("192.0.2.7", 443), 1)
            yield lambda: socket.getaddrinfo("telemetry.example", 443)
            yield lambda: urllib.request.urlopen("http://telemetry.example/ping", timeout=1)
            yield lambda: asyncio.run(open_it())
            yield udp
            yield listen
        ''')
    )
    said, lines = guarded(
        """
        import telemetry_kit
        for attempt in telemetry_kit.tries():
            try:
                attempt()
            except OSError as error:
                print("refused" if "florilegium refuses" in str(error) else repr(error))
            else:
                print("went through")
        """,
        tmp_path,
    )
    assert said.split("\n")[:-1] == ["refused"] * 6
    assert {line["outcome"] for line in lines} == {"refused"}
    assert {line["by"] for line in lines} == {"telemetry_kit"}
    assert {line["host"] for line in lines} == {"192.0.2.7", "telemetry.example", "0.0.0.0"}
    assert len(lines) == 6


def test_local_sockets_and_event_loops_work_as_ever(tmp_path: Path) -> None:
    said, lines = guarded(
        f"""
        import asyncio, socket
        a, b = socket.socketpair()
        a.send(b"x")
        server = socket.socket(socket.AF_UNIX)
        server.bind({str(tmp_path / "s")!r})
        asyncio.run(asyncio.sleep(0))
        print(b.recv(1))
        """,
        tmp_path,
    )
    assert (said, lines) == ("b'x'\n", [])


@pytest.mark.parametrize("offline", [False, True])
def test_the_fetcher_gets_through_unless_offline(offline: bool, tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    try:
        assert server.stdout is not None
        host = server.stdout.readline().strip()
        said, lines = guarded(
            f"""
            from workstation.discovery.fetcher import Fetcher, Settings
            from workstation.discovery.results import FetchFailed
            with Fetcher(Settings(({host!r},))) as fetcher:
                try:
                    print(fetcher.fetch("http://{host}/", "test").media_type)
                except FetchFailed as failure:
                    print(failure.trouble)
            """,
            tmp_path,
            offline=offline,
        )
    finally:
        server.kill()
        server.communicate()
    assert said.strip() == ("offline" if offline else "text/html")
    assert {line["outcome"] for line in lines} == ({"refused"} if offline else {"ok"})


SERVER = """
from tests.workstation.discovery.site import Site
import time
with Site().running() as site:
    site.add("/", "<html><body>page</body></html>")
    print(site.host, flush=True)
    time.sleep(60)
"""


def test_the_log_is_shown_and_filtered(flori: Flori) -> None:
    log = flori.home / "state" / "florilegium" / "outbound.jsonl"
    assert "Nothing has left" in flori("outbound").out
    log.parent.mkdir(parents=True)
    lines = [
        {"time": "2026-01-01T00:00:00", "outcome": "ok", "host": "a.example", "url": "http://a.example/", "bytes": 10},
        {"time": "2026-01-02T00:00:00", "outcome": "refused", "host": "192.0.2.7", "why": "connect", "by": "kit"},
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"torn')
    found = flori("--json", "outbound").json
    assert found["totals"] == {"ok": 1, "failed": 0, "refused": 1, "bytes": 10}
    assert [line["host"] for line in flori("--json", "outbound", "--refused").json["requests"]] == ["192.0.2.7"]
    assert "kit" in flori("outbound").out


def test_asking_makes_no_system_call_for_the_network(sample_flori: Flori, tmp_path: Path) -> None:
    """Native code too: strace sees what Python does not."""
    question = "When was the Bell Rock lit for the first time?"
    command = [sys.executable, "-m", "workstation", "ask", question]
    if shutil.which("strace"):
        trace = tmp_path / "trace"
        watched = ["strace", "-f", "-qq", "-e", "trace=network", "-o", str(trace), *command]
        done = subprocess.run(watched, env=sample_flori.env, capture_output=True, text=True, timeout=240)
        if "ptrace" not in done.stderr:
            assert done.returncode == 0, done.stderr
            assert not [line for line in trace.read_text().splitlines() if INET.search(line)]
            return
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rn", "true"], check=False).returncode:
        pytest.skip("neither strace nor unshare works here")
    done = subprocess.run(
        ["unshare", "-rn", *command], env=sample_flori.env, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
