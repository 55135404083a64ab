"""Files as people save them, made by the libraries' own writers or by the standard library."""

from __future__ import annotations

import datetime
import io
import json
import zipfile
from collections.abc import Mapping
from email.message import EmailMessage
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

SENTENCE = "The keeper trimmed the wick every four hours."
OTHER = "Nobody else was allowed into the lantern room."
ZIM = Path(__file__).resolve().parents[2] / "data" / "saved" / "lights.zim"
PAGE = f"""<!DOCTYPE html><html lang="en"><head><title>Lamp rules</title></head><body><article><h1>Lamp rules</h1>
<h2>The lantern</h2><p>{SENTENCE} {OTHER} {"The oil was measured each evening and written into the book. " * 6}</p>
</article></body></html>"""


def packed(parts: Mapping[str, str | bytes], first: tuple[str, str] | None = None) -> bytes:
    """A ZIP package; `first` is stored as it is, at its beginning."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        if first:
            package.writestr(*first, compress_type=zipfile.ZIP_STORED)
        for name, data in parts.items():
            package.writestr(name, data)
    return out.getvalue()


def docx() -> bytes:
    from docx import Document

    word = Document()
    word.core_properties.title, word.core_properties.author = "Lamp rules", "Ann Keeper"
    word.core_properties.modified = datetime.datetime(2021, 3, 4)  # noqa: DTZ001  (the library wants it without a zone)
    word.add_heading("The lantern", 1)
    word.add_paragraph(SENTENCE)
    word.add_paragraph("Clean glass.", style="List Bullet")
    table = word.add_table(1, 2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Oil", "40 gallons"
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()


def docx_with_changes() -> bytes:
    """Insertions and deletions that are tracked, a form field, and a foot note."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = (
        "<w:p><w:r><w:t>The fee is </w:t></w:r><w:del><w:r><w:delText>ten</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>twenty</w:t></w:r></w:ins><w:r><w:t> pounds.</w:t></w:r></w:p>"
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>Signed by the keeper.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    document = f'<?xml version="1.0"?><w:document {space}><w:body>{body}</w:body></w:document>'
    parts = unpacked(docx())
    parts["word/document.xml"] = document.encode()
    return packed(parts)


def pptx() -> bytes:
    from pptx import Presentation

    show = Presentation()
    show.core_properties.title, show.core_properties.author = "Lamp rules", "Ann Keeper"
    for title, points in (("Welcome", ["About lamps"]), ("The lantern", [SENTENCE, OTHER])):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(points)
    show.slides[1].notes_slide.notes_text_frame.text = "Say it slowly."
    out = io.BytesIO()
    show.save(out)
    return out.getvalue()


def xlsx() -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.properties.title, book.properties.creator = "Lamp rules", "Ann Keeper"
    sheet = book.active
    sheet.title = "The lantern"
    sheet.append(["Year", "Rule", "Share"])
    for year in range(1801, 1861):
        sheet.append([year, SENTENCE if year == 1850 else f"Rule of the year {year}", 0.25])
        sheet.cell(sheet.max_row, 3).number_format = "0.0%"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def odt() -> bytes:
    from odfdo import Document, Header, Paragraph

    odf = Document("text")
    odf.body.clear()
    odf.meta.title, odf.meta.creator = "Lamp rules", "Ann Keeper"
    odf.body.append(Header(1, "The lantern"))
    odf.body.append(Paragraph(SENTENCE))
    out = io.BytesIO()
    odf.save(out)
    return out.getvalue()


RTF = (
    r"{\rtf1\ansi\ansicpg1252{\info{\title Lamp rules}{\author Ann Keeper}{\creatim\yr2021\mo3\dy4}}"
    r"{\fonttbl{\f0 Arial;}}\f0 The Lantern\par\par " + SENTENCE + r" Gr\'fc\'dfe.\par " + OTHER + r"\par}"
)


def epub() -> bytes:
    container = (
        '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
        "</container>"
    )
    opf = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Lamp rules</dc:title><dc:creator>Ann Keeper</dc:creator>'
        "<dc:language>en-GB</dc:language><dc:date>2021-03-04</dc:date></metadata><manifest>"
        '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c"/><itemref idref="a"/></spine></package>'
    )
    head = '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>'
    return packed(
        {
            "META-INF/container.xml": container,
            "OPS/book.opf": opf,
            "OPS/nav.xhtml": f'{head}<nav><ol><li><a href="a%20b.xhtml#x">The lantern</a></li></ol></nav></body>',
            "OPS/c.xhtml": f"{head}<h1>Before</h1><p>Some&nbsp;words.</p><ol><li>One</li><li>Two</li></ol></body>",
            "OPS/a b.xhtml": f"{head}<p>{SENTENCE}</p><table><tr><td>Oil</td><td>40</td></tr></table></body></html>",
        },
        first=("mimetype", "application/epub+zip"),
    )


def message(subject: str = "Lamp rules", text: str = SENTENCE, **attached: bytes) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = subject, "Ann Keeper <ann@example.org>", "Bob <bob@example.org>"
    mail["Date"], mail["Message-ID"] = "Thu, 04 Mar 2021 10:00:00 +0100", f"<{subject.replace(' ', '.')}@example.org>"
    mail.set_content(f"{text}\n")
    mail.add_alternative(f"<p>{text}</p>", subtype="html")
    for name, data in attached.items():
        stem, _, suffix = name.rpartition("_")
        mail.add_attachment(data, "application", "octet-stream", filename=f"{stem}.{suffix}")
    return mail


def mbox(*messages: EmailMessage) -> bytes:
    return b"".join(b"From ann@example.org Thu Mar  4 10:00:00 2021\n" + bytes(each) + b"\n" for each in messages)


def mhtml() -> bytes:
    whole = MIMEMultipart("related", type="text/html")
    whole["From"], whole["Snapshot-Content-Location"] = "<Saved by Blink>", "https://example.org/lamps"
    whole["Subject"], whole["Date"] = "Lamp rules", "Thu, 4 Mar 2021 10:00:00 -0000"
    page = MIMEText(PAGE, "html", "utf-8")
    page["Content-Location"] = "https://example.org/lamps"
    picture = MIMEBase("image", "png")
    picture.set_payload("iVBORw0KGgo=")
    whole.attach(page)
    whole.attach(picture)
    return bytes(whole)


def singlefile() -> bytes:
    picture = "data:image/png;base64," + "iVBORw0KGgo" * 400_000
    comment = "<!--\n Page saved with SingleFile \n url: https://example.org/lamps \n saved date: Thu Mar 04 2021\n-->"
    return (
        PAGE.replace("<head>", f"{comment}<head><style>a{{background:url({picture})}}</style>")
        .replace("<article>", f'<article><img src="{picture}">')
        .encode()
    )


def notebook() -> bytes:
    cells = [
        {
            "cell_type": "markdown",
            "metadata": {},
            "source": ["# Lamp rules\n", "\n", "## The lantern\n", "\n", SENTENCE],
        },
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": "print(6 * 7)",
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["42\n"]}],
        },
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


BOOKMARKS = f"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><H1>Lamp rules</H1>
<DL><p>
    <DT><H3>The lantern</H3>
    <DL><p>
        <DT><A HREF="https://example.org/wick" ADD_DATE="1614850000" TAGS="light,oil">{SENTENCE}</A>
        <DD>The page on wicks
        <DT><A HREF="javascript:alert(1)">Not a page</A>
    </DL><p>
</DL><p>"""

CSV = "Year;Rule;Oil\n" + "".join(
    f'{year};"{SENTENCE if year == 1850 else f"Rule of the year {year}"}";{year - 1800},5\n'
    for year in range(1801, 1861)
)

BIBTEX = r"""@article{keeper2021, title={Lamp {R}ules of M{\"u}ller}, author={Keeper, Ann and M{\"u}ller, J{\"o}rg},
  year=2021, month=mar, day=4, journal={Lights}, doi={10.1/lamps}, abstract={SENTENCE}, file={Full Text
  PDF:files/12/paper.pdf:application/pdf;Elsewhere:/etc/passwd:text/plain;Gone:files/13/no.pdf:application/pdf}}
""".replace("SENTENCE", SENTENCE)

CSL = json.dumps(
    [
        {
            "id": "keeper2021",
            "type": "article-journal",
            "title": "Lamp <i>rules</i>",
            "author": [{"family": "Keeper", "given": "Ann"}],
            "issued": {"date-parts": [[2021, 3, 4]]},
            "abstract": SENTENCE,
        }
    ]
)

NOTE = f"""---
title: Lamp rules: the first draft
date: 2021-03-04
tags:
  - light
  - oil
---

# The lantern

{SENTENCE} See [[Wicks and oil|the other note]], [[Glass#Cleaning]].

```
if [[ -f lamp ]]; then
```
"""


def warc(*pages: tuple[str, str, bytes], gzipped: bool = True) -> bytes:
    """Pages as (address, media type, body)."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    out = io.BytesIO()
    writer = WARCWriter(out, gzip=gzipped)
    for n, (address, media_type, body) in enumerate(pages):
        http = StatusAndHeaders("200 OK", [("Content-Type", media_type)], protocol="HTTP/1.1")
        writer.write_record(
            writer.create_warc_record(
                address,
                "response",
                payload=io.BytesIO(body),
                http_headers=http,
                warc_headers_dict={"WARC-Date": f"2021-03-04T10:00:{n:02}Z"},
            )
        )
    return out.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def bomb() -> bytes:
    """A gigabyte of zeros, deflated."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package, package.open("zeros.txt", "w") as part:
        for _ in range(64):
            part.write(bytes(1 << 20))
    return out.getvalue()


def nested(levels: int) -> bytes:
    data = packed({"end.txt": SENTENCE})
    for _ in range(levels):
        data = packed({"inner.zip": data})
    return data


def entity_bomb() -> bytes:
    """A Word document whose XML defines an entity by ten of another, nine times over."""
    entities = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    parts = unpacked(docx())
    text = parts["word/document.xml"].decode()
    declaration, _, rest = text.partition("?>")
    parts["word/document.xml"] = f"{declaration}?><!DOCTYPE x [{entities}]>{rest}".replace("Clean", "&i;").encode()
    return packed(parts)


def huge_cell() -> bytes:
    parts = unpacked(xlsx())
    sheet = parts["xl/worksheets/sheet1.xml"].decode()
    text = "".join(f"oil {n} " for n in range(500_000))
    cell = f'<c r="A1" t="inlineStr"><is><t>{text}</t></is></c>'
    parts["xl/worksheets/sheet1.xml"] = sheet.replace("<sheetData>", f'<sheetData><row r="0">{cell}</row>').encode()
    return packed(parts)


def truncated_gzip() -> bytes:
    data = warc(
        ("https://example.org/a", "text/html", PAGE.encode()), ("https://example.org/b", "text/html", b"x" * 9000)
    )
    return data[:-60]
