"""Addresses of pages: one form for each page, and the shape that the pages of one generator share."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urljoin, urlsplit, urlunsplit

LONGEST = 2000  # characters; no page that a person reads needs more
# What sites add to tell who sent a reader; the page is the same without it.
_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|dclid|msclkid|yclid|igshid|mc_[ce]id|_hs(?:enc|mi)|ref_src|twclid", re.I)
_SESSION = re.compile(r"phpsessid|jsessionid|sid|sessionid|aspsessionid\w*", re.I)
_DEFAULT_PORT = {"http": 80, "https": 443}
_PATH_SAFE = "/:@!$&'()*+,;=~-._%"
_NUMBER = re.compile(r"\d+|(?<=[/=-])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?=[/&-]|$)", re.I)


class BadUrl(ValueError):
    """Not the address of a page; the message says why."""


def normal(url: str, base: str | None = None) -> str:
    """The one form of a page's address: absolute, host in lower case, without fragment, default port, tracking and
    session parameters. Raises BadUrl."""
    try:
        parts = urlsplit(urljoin(base or "", url.strip()))
        port = parts.port
    except ValueError as error:
        raise BadUrl(str(error)) from error
    if parts.scheme not in _DEFAULT_PORT:
        raise BadUrl("only http and https are fetched")
    if parts.username or parts.password:
        raise BadUrl("an address with a user name or password in it is not fetched")
    host = _host(parts)
    if port is not None and port != _DEFAULT_PORT[parts.scheme]:
        if port < 1024 and port not in _DEFAULT_PORT.values():
            raise BadUrl(f"port {port} is no place for pages")
        host = f"{host}:{port}"
    path = quote(parts.path or "/", safe=_PATH_SAFE)
    found = urlunsplit((parts.scheme, host, _without_dots(path), _query(parts.query), ""))
    if len(found) > LONGEST:
        raise BadUrl("the address is longer than 2,000 characters")
    return found


def host_of(url: str) -> str:
    """Host, with the port where it is not the usual one."""
    return urlsplit(url).netloc


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def shape(url: str) -> str:
    """The address with its numbers, dates and values taken out: what all days of a calendar have in common."""
    parts = urlsplit(url)
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return f"{parts.netloc}{_NUMBER.sub('N', parts.path)}?{'&'.join(names)}"


def loops(url: str) -> bool:
    """True for an address that a link loop has made: one part of the path stands in it three times, or more than a
    dozen parts, or many parameters."""
    parts = urlsplit(url)
    steps = [step for step in parts.path.split("/") if step]
    return (
        len(steps) > 12 or any(steps.count(step) > 2 for step in set(steps) if not step.isdigit())
    ) or parts.query.count("=") > 6


def words(url: str) -> str:
    """The words of an address, for a link that says nothing else: "/the-bell-rock.html" -> "the bell rock"."""
    path = re.sub(r"\.\w{1,5}$", "", urlsplit(url).path)
    return " ".join(re.findall(r"[^\W\d_]{2,}", path))


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if not host or any(c.isspace() or c in "<>\"'\\^`{|}" for c in host):
        raise BadUrl("there is no host in it")
    if ":" in host:
        return f"[{host}]"
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise BadUrl("the host's name is not valid") from error


def _without_dots(path: str) -> str:
    """Without the "." and ".." that a hand-written link leaves in a path."""
    kept: list[str] = []
    for step in path.split("/"):
        if step == "..":
            del kept[max(1, len(kept) - 1) :]
        elif step != ".":
            kept.append(step)
    tail = "/" if path.endswith(("/.", "/..")) and (not kept or kept[-1]) else ""
    return "/".join(kept) + tail or "/"


def _query(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(name, value) for name, value in pairs if not (_TRACKING.fullmatch(name) or _SESSION.fullmatch(name))]
    if len(kept) == len(pairs):
        return quote(query, safe=_PATH_SAFE + "?")
    return urlencode(kept)
