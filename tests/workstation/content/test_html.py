from __future__ import annotations

import pytest

from tests.workstation.content.making import read
from workstation.content.errors import NothingToRead

PAGE = """<!doctype html><html lang="de-AT"><head><title>Der Leuchtturm - Zeitung</title>
<meta name="author" content="Anna Beispiel"><meta property="article:published_time" content="2020-05-06T08:00:00Z">
</head><body><nav><a href="/">Start</a> <a href="/abo">Abo</a></nav><article><h1>Der Leuchtturm</h1>
<p>Der Turm steht seit 1871 auf der Klippe und ist dreißig Meter hoch. Sein Licht ist
zwanzig Seemeilen weit zu sehen, und er gehört heute der Gemeinde.</p>
<h2>Technik</h2><p>Die Lampe wurde 1924 auf elektrischen Strom umgestellt; vorher brannte Petroleum darin,
das jeden Abend von Hand nachgefüllt werden musste.</p>
<ul><li>Höhe: 30 Meter</li><li>Kennung: <b>Blitz</b> alle 5 Sekunden</li></ul>
<table><tr><th>Jahr</th><th>Besucher</th></tr><tr><td>2018</td><td>1200</td></tr></table>
<p>Im Sommer kann der Turm besichtigt werden. Von oben sieht man bei klarem Wetter bis zu den Inseln.</p></article>
<footer>Impressum</footer></body></html>"""


def test_a_page_gives_its_article_with_headings_lists_and_tables() -> None:
    found = read("page.bin", PAGE.encode())
    assert found.kind == "html"
    assert (found.language, found.date, found.meta["author"]) == ("de", "2020-05-06", "Anna Beispiel")
    assert found.title.startswith("Der Leuchtturm")
    for part in ("## Technik\n", "- Kennung: Blitz alle 5 Sekunden\n", "| 2018 | 1200 |", "Sein Licht ist zwanzig"):
        assert part in found.text
    assert "Impressum" not in found.text
    assert "Abo" not in found.text


def test_a_page_without_an_article_gives_what_it_shows() -> None:
    found = read("index.html", b"<html><body><h1>Opening hours</h1><div>Monday 9 to 5</div></body></html>")
    assert "Monday 9 to 5" in found.text


def test_a_page_that_shows_nothing_is_refused() -> None:
    with pytest.raises(NothingToRead, match="no text"):
        read("app.html", b"<!doctype html><html><body><div id=root></div><script>run()</script></body></html>")


def test_a_date_in_the_prose_is_not_taken_for_the_page_s_own() -> None:
    page = (
        "<html><body><article><p>"
        + "In 2019-01-02 the tower was painted white again by the town. " * 8
        + "</p></article>"
    )
    assert read("x.html", page.encode()).date is None
