"""The lexical lane: FTS5 and BM25, over words and, for scripts without spaces, over character bigrams.

Queries are built here and nowhere else. What a user typed reaches FTS5 only inside double quotes, so that its
operators, quotes and control characters are data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw

from storage import unspaced

Hits = list[tuple[int, float]]

# Weight of a match in title and heading, beside 1 for one in the passage.
HEAD_WEIGHT = 1.0

# Terms looked up at most. A question has ten; a pasted page would only make every passage a hit.
MAX_TERMS = 256


def index(connection: apsw.Connection, rows: Iterable[tuple[int, str, str]]) -> None:
    """Make passages findable: (passage, head, body)."""
    words, grams = [], []
    for passage, head, body in rows:
        head, body = unspaced.normalise(head), unspaced.normalise(body)
        words.append((passage, unspaced.spaced(head), unspaced.spaced(body)))
        head, body = unspaced.grams(head), unspaced.grams(body)
        if head or body:
            grams.append((passage, head, body))
    connection.executemany("INSERT INTO passage_fts(rowid, head, body) VALUES (?, ?, ?)", words)
    connection.executemany("INSERT INTO gram_fts(rowid, head, body) VALUES (?, ?, ?)", grams)


def drop(connection: apsw.Connection, passages: Iterable[int]) -> None:
    """Take passages out; one that is not in is no error."""
    rows = [(passage,) for passage in passages]
    connection.executemany("DELETE FROM passage_fts WHERE rowid = ?", rows)
    connection.executemany("DELETE FROM gram_fts WHERE rowid = ?", rows)


def lexical(connection: apsw.Connection, terms: Sequence[str], k: int, head_weight: float = HEAD_WEIGHT) -> Hits:
    """The k passages that match any of the words best: (passage, BM25), higher is better. A term of several words
    ("self-made") is looked up as a phrase."""
    words = [unspaced.spaced(unspaced.normalise(term)) for term in terms]
    return _search(connection, "passage_fts", _any(_quote(word) for word in words if _is_word(word)), k, head_weight)


def unspaced_terms(connection: apsw.Connection, terms: Sequence[str], k: int, head_weight: float = HEAD_WEIGHT) -> Hits:
    """The same for the unspaced-script parts of the terms: any of their bigrams, so that a term may be a whole
    question."""
    found: list[str] = []
    for term in terms:
        for run in unspaced.runs(unspaced.normalise(term)):
            found += [_quote(gram) for gram in unspaced.bigrams(run)] or [_quote(run) + " *"]
    return _search(connection, "gram_fts", _any(found), k, head_weight)


def phrase(connection: apsw.Connection, text: str, k: int, head_weight: float = HEAD_WEIGHT) -> Hits:
    """The k best passages that contain the words of the text in this order, whatever the case and punctuation."""
    text = unspaced.normalise(text)
    words, runs = unspaced.spaced(text), unspaced.runs(text)
    grams = ""
    if runs:
        before = [unspaced.grams(run) for run in runs[:-1]]
        last = unspaced.bigrams(runs[-1])
        grams = _quote(" ".join([*before, *(last or [runs[-1]])])) + ("" if last else " *")
    if not _is_word(words):
        return _search(connection, "gram_fts", grams, k, head_weight)
    return _search(connection, "passage_fts", _quote(words), k, head_weight, grams)


def _search(connection: apsw.Connection, table: str, match: str, k: int, head_weight: float, grams: str = "") -> Hits:
    if not match or k < 1:
        return []
    also = "AND rowid IN (SELECT rowid FROM gram_fts WHERE gram_fts MATCH ?)" if grams else ""
    query = f"SELECT rowid, -rank FROM {table} WHERE {table} MATCH ? AND rank MATCH ? {also} ORDER BY rank LIMIT ?"
    values = [match, f"bm25({head_weight:f}, 1.0)", *([grams] if grams else []), k]
    return [(int(passage), float(score)) for passage, score in connection.execute(query, values)]


def _any(quoted: Iterable[str]) -> str:
    return " OR ".join(list(dict.fromkeys(quoted))[:MAX_TERMS])


def _quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _is_word(text: str) -> bool:
    """Whether FTS5 finds anything to look up in it."""
    return any(character.isalnum() for character in text)
