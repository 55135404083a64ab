"""Pages that show something else than their content, and pages that only speak of it."""

from __future__ import annotations

import pytest

from workstation.content.adapters import Adapters, Extraction
from workstation.content.errors import NothingToRead
from workstation.content.web import WebDocument
from workstation.core.cancel import CancelToken

PROSE = "The tower was built of Aberdeen granite in 1811, and its lamp was turned by a falling weight. " * 12


def page(title: str, body: str, head: str = "") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body><main>{body}</main></body></html>"


def fetched(html: str | bytes, encoding: str | None = None, url: str = "https://a.example/tower") -> Extraction:
    data = html.encode() if isinstance(html, str) else html
    return Adapters().extract(WebDocument(url, data, media_type="text/html", encoding=encoding), CancelToken())


CONSENT = "<h1>Before you continue</h1><p>We and our partners store cookies on your device. {}</p>".format(
    "With your consent we process personal data for personalised ads. You can accept all or reject all. "
    "Some partners rely on legitimate interest. Read our privacy policy or manage preferences."
)
CONSENT_DE = (
    "<h1>Ihre Privatsphäre</h1><p>Wir und unsere Partner setzen Cookies. Mit Ihrer Einwilligung verarbeiten wir "
    "personenbezogene Daten. Sie können alle akzeptieren oder alle ablehnen.</p>"
)
WALLED = {
    "consent": (page("Before you continue", CONSENT), "consent"),
    "consent in German": (page("Zeitung", CONSENT_DE), "consent"),
    "soft 404": (
        page("Page not found - Site", "<h1>Oops</h1><p>The page you are looking for is gone.</p>"),
        "not exist",
    ),
    "soft 404 in French": (page("Page introuvable", "<p>Cette page n'existe pas.</p>"), "not exist"),
    "robot check": (page("Just a moment...", "<p>Enable JavaScript and cookies to continue</p>"), "robots"),
    "failure": (
        page("503 Service Unavailable", "<h1>Service Unavailable</h1><p>Please try again later.</p>"),
        "failure",
    ),
    "paywall by its words": (
        page("The tower", f"<h1>The tower</h1><p>{PROSE[:600]}</p><p>Already a subscriber? Subscribe to read on.</p>"),
        "paywall",
    ),
    "paywall by its data": (
        page(
            "The tower",
            f"<h1>The tower</h1><p>{PROSE[:900]}</p>",
            '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>',
        ),
        "paywall",
    ),
}


@pytest.mark.parametrize("kind", WALLED)
def test_a_page_without_its_content_is_no_source(kind: str) -> None:
    html, reason = WALLED[kind]
    with pytest.raises(NothingToRead, match=reason):
        fetched(html)


SPEAKING = {
    "an article about 404": page("What a 404 error means", f"<h1>404, page not found</h1><p>{PROSE}{PROSE}</p>"),
    "an article about cookies": page(
        "Consent after ten years",
        f"<h1>Consent</h1><p>A cookie is personal data. {PROSE}</p><p>{PROSE} Accept all?</p>",
    ),
    "a room with that number": page("Room 4041", f"<h1>Room 4041</h1><p>{PROSE[:400]}</p>"),
    "an article with a banner below": page("The tower", f"<p>{PROSE}</p><p>We use cookies. Accept all.</p>"),
    "a free article of a paper": page(
        "The tower", f"<p>{PROSE * 4}</p>", '<script type="application/ld+json">{"isAccessibleForFree":false}</script>'
    ),
}


@pytest.mark.parametrize("kind", SPEAKING)
def test_a_page_that_speaks_of_such_things_is_a_source(kind: str) -> None:
    assert "Aberdeen granite" in fetched(SPEAKING[kind]).text


@pytest.mark.parametrize(
    ("written", "header", "meta"),
    [
        ("utf-8", "iso-8859-1", ""),  # a server's default that is wrong
        ("cp1251", "windows-1251", ""),
        ("cp1251", None, '<meta charset="windows-1251">'),
        ("shift_jis", "no-such-encoding", '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">'),
        ("utf-16", None, ""),
    ],
)
def test_a_page_is_read_in_the_encoding_that_its_bytes_bear_out(written: str, header: str | None, meta: str) -> None:
    said = "灯台は一八一一年に建てられた。" if written == "shift_jis" else "Маяк был построен в 1811 году."
    html = page("Tower", f"<p>{said * 12}</p>", meta)
    assert said in fetched(html.encode(written), header).text


def test_where_a_page_wants_to_be_known_by_another_address_that_is_noted() -> None:
    head = '<link rel="canonical" href="/the-tower"><meta name="author" content="Ann Example">'
    found = fetched(page("The tower", f"<p>{PROSE}</p>", head), url="https://a.example/tower?from=mail")
    assert (found.meta["canonical"], found.meta["author"]) == ("https://a.example/the-tower", "Ann Example")
