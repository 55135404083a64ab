"""SearXNG, a search engine that the user runs or names: its JSON API (https://docs.searxng.org/dev/search_api.html)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from workstation.discovery.results import FetchFailed

MOST = 30  # results of one query; further down they are seldom about it
_TEXT = 400  # characters of a snippet


@dataclass(frozen=True, slots=True)
class Found:
    """A result. Title and snippet are the engine's words: they order the queue and are quoted nowhere."""

    url: str
    title: str
    snippet: str


def query_url(instance: str, query: str, language: str) -> str:
    """The address of a query at an instance ("https://searx.example" or ".../search")."""
    base = instance.strip().rstrip("/")
    base = base if urlsplit(base).scheme else f"http://{base}"
    base = base if base.endswith("/search") else f"{base}/search"
    asked = {"q": query, "format": "json", "safesearch": "0"} | ({"language": language} if len(language) == 2 else {})
    return f"{base}?{urlencode(asked)}"


def results(body: bytes) -> list[Found]:
    """The results of an answer, best first. Raises FetchFailed for an answer that is none."""
    try:
        answer = json.loads(body)
        rows = answer["results"]
    except (ValueError, KeyError, TypeError) as error:
        raise FetchFailed("encoding", "the search engine did not answer in JSON") from error
    return list(_found(rows))[:MOST]


def explained(failure: FetchFailed) -> str:
    """What was in the way of a query, and what helps."""
    if failure.status == 403:
        return "the SearXNG instance gives no JSON: add json to search.formats in its settings.yml"
    return f"the search engine could not be asked: {failure.reason}"


def _found(rows: object) -> Iterator[Found]:
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(url := row.get("url"), str) and url.startswith(("http://", "https://")):
            title, content = (str(row.get(name) or "") for name in ("title", "content"))
            yield Found(url, " ".join(title.split())[:_TEXT], " ".join(content.split())[:_TEXT])
