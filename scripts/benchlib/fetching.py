"""How fast pages are fetched, beside bare httpx: the same pages of a loopback site, in turns, each in its own process's
client with the same number of requests at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchlib.figures import Figure
from benchlib.here import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlib.material import Material

TURNS = 3
PAGES = 208
AT_ONCE = 16

SERVER = """
import time
from tests.workstation.discovery.site import Site
from tests.workstation.discovery.world import build
with Site().running() as site:
    build(site)
    print(site.host, flush=True)
    time.sleep(600)
"""
BARE = """
import asyncio, sys, time, json, httpx
urls = json.load(sys.stdin)
async def main():
    free = asyncio.Semaphore(16)
    async with httpx.AsyncClient(trust_env=False, limits=httpx.Limits(max_connections=16)) as client:
        async def one(url):
            async with free:
                (await client.get(url)).raise_for_status()
        await one(urls[0])
        start = time.perf_counter()
        await asyncio.gather(*map(one, urls))
        print(time.perf_counter() - start)
asyncio.run(main())
"""


def measure(material: Material) -> list[Figure]:
    """Pages a second of the fetcher (robots.txt, checks, log) and of httpx alone."""
    ours, bare = [], []
    with _server() as host:
        urls = [f"http://{host}/{subject}/{n}.html" for subject in _subjects() for n in range(PAGES // 4)]
        for _ in range(TURNS):
            bare.append(_bare(urls))
            ours.append(_ours(urls, host, material))
    note = f"{len(urls)} pages of a loopback site, {AT_ONCE} at once, best of {TURNS} turns each"
    return [
        Figure("fetching, of bare httpx's speed", min(bare) / min(ours), "", note=note),
        Figure("  fetcher", len(urls) / min(ours), "pages/s"),
        Figure("  bare httpx", len(urls) / min(bare), "pages/s"),
    ]


def _ours(urls: list[str], host: str, material: Material) -> float:
    from workstation.discovery.fetcher import Fetcher, Settings

    settings = Settings((host,), log=material.home / "outbound.jsonl", run="bench")
    with Fetcher(settings) as fetcher:
        fetcher.fetch(urls[0], "bench")
        start = time.perf_counter()
        for future in [fetcher.submit(url, "bench") for url in urls]:
            future.result()
        return time.perf_counter() - start


def _bare(urls: list[str]) -> float:
    done = subprocess.run(
        [sys.executable, "-c", BARE], input=json.dumps(urls), capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def _subjects() -> list[str]:
    from tests.workstation.discovery.site import SUBJECTS

    return list(SUBJECTS)


@contextmanager
def _server() -> Iterator[str]:
    env = os.environ | {"PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}"}
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True, env=env, cwd=ROOT)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.communicate()
