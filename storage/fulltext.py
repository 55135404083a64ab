"""The lexical lane: FTS5 and BM25, over words and, for scripts without spaces, over character bigrams.

Queries are built here and nowhere else. What a user typed reaches FTS5 only inside double quotes, so that its
operators, quotes and control characters are data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw

from storage import unspaced
from storage.database import scalar
from storage.filters import Filter, among

Hits = list[tuple[int, float]]

# Weight of a match in title and heading, beside 1 for one in the passage.
HEAD_WEIGHT = 1.0

# A word that more than half of the passages hold has no weight in BM25 (FTS5 gives it 0.000001), yet scoring those
# passages costs 2-3 us each, forty times what counting them does. From this many passages on such words are left out.
COUNT_FROM = 10_000

# Letters that the beginning of a word needs to be looked up as such: fewer begin half of all words.
LEAST_BEGINNING = 3

# Terms looked up at most. A question has ten; a pasted page would only make every passage a hit.
MAX_TERMS = 256

_ONE = {
    "passage_fts": """SELECT rowid, -rank FROM passage_fts WHERE passage_fts MATCH ? AND rank MATCH ?
                      ORDER BY rank LIMIT ?""",
    "gram_fts": "SELECT rowid, -rank FROM gram_fts WHERE gram_fts MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?",
}
_BOTH = """SELECT rowid, -rank FROM passage_fts WHERE passage_fts MATCH ? AND rank MATCH ?
           AND rowid IN (SELECT rowid FROM gram_fts WHERE gram_fts MATCH ?) ORDER BY rank LIMIT ?"""
_COUNT = {
    "passage_fts": "SELECT count(*) FROM passage_fts WHERE passage_fts MATCH ?",
    "gram_fts": "SELECT count(*) FROM gram_fts WHERE gram_fts MATCH ?",
}


def index(connection: apsw.Connection, rows: Iterable[tuple[int, str, str]]) -> None:
    """Make passages findable: (passage, head, body)."""
    for passage, head, body in rows:
        head, body = unspaced.normalise(head), unspaced.normalise(body)
        words = (passage, unspaced.spaced(head), unspaced.spaced(body))
        connection.execute("INSERT INTO passage_fts(rowid, head, body) VALUES (?, ?, ?)", words)
        grams = (passage, unspaced.grams(head), unspaced.grams(body))
        if any(grams[1:]):
            connection.execute("INSERT INTO gram_fts(rowid, head, body) VALUES (?, ?, ?)", grams)


def drop(connection: apsw.Connection, passages: Iterable[int]) -> None:
    """Take passages out; one that is not in is no error."""
    rows = [(passage,) for passage in passages]
    connection.executemany("DELETE FROM passage_fts WHERE rowid = ?", rows)
    connection.executemany("DELETE FROM gram_fts WHERE rowid = ?", rows)


def lexical(
    connection: apsw.Connection,
    terms: Sequence[str],
    k: int,
    head_weight: float,
    passages: int,
    where: Filter | None = None,
    beginning: str = "",
) -> Hits:
    """The k passages that match any of the words best: (passage, BM25), higher is better. A term of several words
    ("self-made") is looked up as a phrase. `passages`: how many there are. `where`: the only ones to rank.
    `beginning`: of a word that is still being typed, which every word that begins so matches."""
    words = [unspaced.spaced(unspaced.normalise(term)) for term in terms]
    found = _telling(connection, "passage_fts", [_quote(word) for word in words if _is_word(word)], passages)
    begun = unspaced.spaced(unspaced.normalise(beginning)).strip()
    if len(begun) >= LEAST_BEGINNING and _is_word(begun):
        found.append(_quote(begun) + " *")
    return _search(connection, "passage_fts", " OR ".join(found), k, head_weight, where=where)


def unspaced_terms(
    connection: apsw.Connection,
    terms: Sequence[str],
    k: int,
    head_weight: float,
    passages: int,
    where: Filter | None = None,
) -> Hits:
    """The same for the unspaced-script parts of the terms: any of their bigrams, so that a term may be a whole
    question."""
    found: list[str] = []
    for term in terms:
        for run in unspaced.runs(unspaced.normalise(term)):
            found += [_quote(gram) for gram in unspaced.bigrams(run)] or [_quote(run) + " *"]
    found = _telling(connection, "gram_fts", found, passages)
    return _search(connection, "gram_fts", " OR ".join(found), k, head_weight, where=where)


def phrase(connection: apsw.Connection, text: str, k: int, head_weight: float) -> Hits:
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


def _search(
    connection: apsw.Connection,
    table: str,
    match: str,
    k: int,
    head_weight: float,
    grams: str = "",
    where: Filter | None = None,
) -> Hits:
    if not match or k < 1:
        return []
    if grams:
        rows = connection.execute(_BOTH, (match, _rank(head_weight), grams, k))
    elif where:
        query, values = among(where)
        # the sign keeps SQLite from asking the index once for each passage of the filter
        narrowed = _ONE[table].replace("ORDER BY", f"AND +rowid IN ({query}) ORDER BY")
        rows = connection.execute(narrowed, (match, _rank(head_weight), *values, k))
    else:
        rows = connection.execute(_ONE[table], (match, _rank(head_weight), k))
    return [(int(passage), float(score)) for passage, score in rows]


def _rank(head_weight: float) -> str:
    """FTS5's own setting, so that it sorts by rank itself."""
    return f"bm25({head_weight:f}, 1.0)"


def _telling(connection: apsw.Connection, table: str, quoted: Iterable[str], passages: int) -> list[str]:
    """Each term once, without those that half of the passages hold, unless there are no others."""
    terms = list(dict.fromkeys(quoted))[:MAX_TERMS]
    if passages < COUNT_FROM:
        return terms
    rare = [term for term in terms if scalar(connection, _COUNT[table], (term,)) * 2 <= passages]
    return rare or terms


def _quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _is_word(text: str) -> bool:
    """Whether FTS5 finds anything to look up in it."""
    return any(character.isalnum() for character in text)
