"""The text of PDF pages by PDFium, as a program of its own: requests on stdin, pages on stdout, one JSON object a line.

    {"path": "/a/file.pdf", "first": 1}  ->  {"page": 1, "text": "..."}  {"page": 2, "text": null}  ...  {"end": true}

PDFium is native code that reads hostile files. Some send it into an endless loop or make it ask for gigabytes; here
that ends one small process, and the page is read another way. Run by path, and imports nothing of this package.
"""

import json
import sys
from typing import Any

MEMORY = 2 << 30  # bytes of address space; honest files need under 200 MB


def main() -> int:
    sys.addaudithook(_no_network)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):  # not every system has it
        pass
    try:
        import pypdfium2
    except ImportError:
        return 3
    for line in sys.stdin:
        request = json.loads(line)
        try:
            pdf = pypdfium2.PdfDocument(request["path"])
            for index in range(request["first"] - 1, len(pdf)):
                _say(page=index + 1, text=_text(pdf, index))
            pdf.close()
        except (pypdfium2.PdfiumError, OSError, MemoryError):
            pass
        _say(end=True)
    return 0


def _text(pdf: Any, index: int) -> str | None:
    import pypdfium2

    try:
        page = pdf[index]
        text = str(page.get_textpage().get_text_range())
        page.close()
    except (pypdfium2.PdfiumError, MemoryError, UnicodeError):
        return None
    return text


def _no_network(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith("socket."):
        raise PermissionError(1, "this program reads PDFs and has no use for a network")


def _say(**message: object) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    sys.exit(main())
