"""The generated site that crawls are tested and measured on: articles on four subjects, and every trap."""

from __future__ import annotations

import random
import time
from http.server import BaseHTTPRequestHandler

from tests.workstation.discovery.site import HTML, SUBJECTS, Answer, Site, article, bomb, drip, endless, prose, redirect

PER_SUBJECT = 52
GOAL = "How did the lamp, the lens and the fog signal of a lighthouse tower work?"


def build(site: Site, outside: str = "http://127.0.0.1:9") -> int:
    """Fills the site; returns how many honest pages it has. `outside`: an address on this machine that is not
    allowed."""
    rng = random.Random(7)
    for subject in SUBJECTS:
        names = [f"/{subject}/{number}.html" for number in range(PER_SUBJECT)]
        for number, path in enumerate(names):
            others = [(names[k], _title(subject, k)) for k in {(number + 1) % PER_SUBJECT, rng.randrange(PER_SUBJECT)}]
            stray = rng.choice(list(SUBJECTS))
            others.append((f"/{stray}/{rng.randrange(PER_SUBJECT)}.html", _title(stray, 0)))
            if number % 5 == 0:
                others += traps(number, outside)
            site.add(path, article(_title(subject, number), prose(subject, number), others))
        site.add(
            f"/{subject}/",
            article(
                f"All about {subject}", prose(subject, 999), [(n, _title(subject, i)) for i, n in enumerate(names)]
            ),
        )
    enticing = [trap for number in range(12) for trap in traps(number, outside)]
    site.add("/traps", article("lighthouse lamp lens", prose("lighthouse", 998), list(dict.fromkeys(enticing))[:38]))
    site.add("/", article("Reading room", "<p>Four subjects.</p>", [(f"/{s}/", f"All about {s}") for s in SUBJECTS]))
    _set_traps(site, outside)
    return len(SUBJECTS) * (PER_SUBJECT + 1) + 1


def _title(subject: str, number: int) -> str:
    words = SUBJECTS[subject].split()
    return f"{subject} {words[number % len(words)]} {words[(number * 5 + 3) % len(words)]}"


def traps(number: int, outside: str) -> list[tuple[str, str]]:
    """Links that promise what is looked for."""
    lamp = "lighthouse lamp lens signal tower"
    return [
        (f"/calendar/{1900 + number}/01", f"{lamp} events"),
        (f"/loop/{number}", f"{lamp} more"),
        ("/private/lamp.html", f"{lamp} plans"),
        ("/drip", f"{lamp} slowly"),
        ("/huge", f"{lamp} archive"),
        ("/endless", f"{lamp} stream"),
        ("/bomb", f"{lamp} picture"),
        ("/to-loopback", f"{lamp} here"),
        ("/to-metadata", f"{lamp} there"),
        (f"{outside}/", f"{lamp} inside"),
        ("http://169.254.169.254/latest/", f"{lamp} data"),
        (f"/missing/{number}", f"{lamp} lost"),
        (f"/failing/{number}", f"{lamp} down"),
        (f"/charset/{number % 3}", f"{lamp} abroad"),
        ("/soft-404", f"{lamp} gone"),
        (f"/lighthouse/{number}.html?PHPSESSID={number}", f"{lamp} session"),
    ]


def _set_traps(site: Site, outside: str) -> None:
    site.pages["/robots.txt"] = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private/\n")
    site.add("/private/lamp.html", article("Secret", prose("lighthouse", 500)))
    site.pages["/calendar/*"] = _calendar
    site.pages["/loop/*"] = _loop
    site.pages["/drip"] = drip
    site.pages["/huge"] = (200, HTML | {"Content-Length": str(500 << 20)}, b"x")
    site.pages["/endless"] = endless
    site.pages["/bomb"] = (200, HTML | {"Content-Encoding": "gzip"}, bomb())
    site.pages["/to-loopback"] = redirect(f"{outside}/admin")
    site.pages["/to-metadata"] = redirect("http://169.254.169.254/latest/meta-data/")
    site.pages["/missing/*"] = (404, HTML, b"<html><body>no</body></html>")
    site.pages["/failing/*"] = (500, HTML, b"<html><body>no</body></html>")
    abroad = (("shift_jis", "灯台の光"), ("windows-1251", "Свет маяка"), ("utf-16", "Φως του φάρου"))
    for number, (encoding, words) in enumerate(abroad):
        said = f"{words} lighthouse lamp lens {number * 111}. "
        page = article(f"lighthouse abroad {number}", f"<p>{said * 20}</p>")
        raw = page.encode({"windows-1251": "cp1251"}.get(encoding, encoding))
        site.pages[f"/charset/{number}"] = (200, {"Content-Type": f"text/html; charset={encoding}"}, raw)
    site.add("/soft-404", article("Page not found", "<p>The page you are looking for does not exist.</p>"))


def _calendar(handler: BaseHTTPRequestHandler) -> Answer:
    _, _, year, month = handler.path.split("/")
    following = f"/calendar/{int(year) + int(month) // 12}/{int(month) % 12 + 1:02}"
    text = f"<p>No events of the lighthouse in month {month} of {year}. Choose another month or year.</p>" * 3
    return 200, HTML, article(f"Calendar {year} {month}", text, [(following, "lighthouse lamp next month")]).encode()


def _loop(handler: BaseHTTPRequestHandler) -> Answer:
    text = "<p>You are in a maze of little passages, all alike, and each leads on into the same maze again.</p>" * 3
    return 200, HTML, article("Maze", text, [(f"{handler.path}/again", "lighthouse lamp deeper")]).encode()


def slow(seconds: float, html: str):  # type: ignore[no-untyped-def]
    """A page that takes its time."""

    def page(handler: BaseHTTPRequestHandler) -> Answer:
        time.sleep(seconds)
        return 200, HTML, html.encode()

    return page
