"""Links between notes, [[Page]] and [[Page|shown]], as the words that a reader sees."""

from __future__ import annotations

import re

# Not in code: `[[ -f file ]]` is a test of the shell, and a[[1]] an index.
_LINK = re.compile(r"(?<![\w\]])(!?)\[\[(?![\s\[])([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")
_CODE = re.compile(r"(`+)[^`\n]*\1")
_FENCE = re.compile(r" {0,3}(```|~~~)")


def readable(text: str) -> tuple[str, int]:
    """The text with links as words, and how many there were. Code stays as it is."""
    if "[[" not in text:
        return text, 0
    count = 0
    fence = ""
    lines = text.split("\n")
    for n, line in enumerate(lines):
        if mark := _FENCE.match(line):
            fence = "" if mark.group(1) == fence else fence or mark.group(1)
        elif not fence and "[[" in line:
            lines[n], found = _line(line)
            count += found
    return "\n".join(lines), count


def _line(line: str) -> tuple[str, int]:
    code = [found.span() for found in _CODE.finditer(line)]
    count = 0

    def shown(found: re.Match[str]) -> str:
        nonlocal count
        if any(start <= found.start() < end for start, end in code):
            return found.group()
        count += 1
        page, _, part = found.group(2).partition("#")
        words = " > ".join(filter(None, (page.strip(), part.strip(" ^#").replace("#", " > "))))
        return (found.group(3) or words).strip()

    return _LINK.sub(shown, line), count
