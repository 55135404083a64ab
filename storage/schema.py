"""The tables of the library, as text. Nothing here opens a database.

    source 1--n version 1--n passage 1--1 token_record
                  |             |---- passage_fts, gram_fts   (contentless: the text is stored once, in text_part)
                  |             '---- passage_vector          (vec0, made when the embedder is known)
                  '-- text_part, page

A version is never deleted when its source changes, so that a citation to a former version still verifies. Its passages
are then `RETIRED`: the row stays (its id may stand in a run's log), everything that finds it is gone.
"""

from __future__ import annotations

# What finds a passage: everything; nothing and for good; nothing until its source is restored.
ACTIVE, RETIRED, ASIDE = 1, 0, 2

# Code points in a text_part row. A slice reads one or two parts, so that a passage out of a long book costs what a
# passage out of a page costs.
PART = 8192

# Marks (Mn, Mc) belong to words: without them unicode61 cuts Hindi at every vowel sign and Arabic at every vowel point.
_CATEGORIES = "categories 'L* N* Co Mn Mc'"

# Words: case and Latin diacritics do not matter. For English stemming put "porter " in front; a library keeps the
# tokenizer it was made with until Library.rebuild_fulltext().
WORD_TOKENIZER = f"unicode61 remove_diacritics 2 {_CATEGORIES}"

# Character bigrams, already cut and joined by spaces: kept as they are.
GRAM_TOKENIZER = f"unicode61 remove_diacritics 0 {_CATEGORIES}"

TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Counts the changes to what can be found; caches compare it.
CREATE TABLE generation(id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL) STRICT;
INSERT INTO generation VALUES (1, 0);

CREATE TABLE embedder(
    id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint TEXT NOT NULL, dimension INTEGER NOT NULL, codec BLOB NOT NULL
) STRICT;

-- path is TEXT, or BLOB where the file name is not valid Unicode.
CREATE TABLE source(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path ANY NOT NULL UNIQUE,
    current INTEGER REFERENCES version DEFERRABLE INITIALLY DEFERRED,
    added TEXT NOT NULL,
    seen TEXT NOT NULL,
    vanished INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- hash: of the original bytes. original: whether they were kept. name: the hash, and "#2" (and so on) behind it where
-- the same bytes were read again to another text.
CREATE TABLE version(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL REFERENCES source,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    language TEXT NOT NULL,
    status TEXT NOT NULL,
    date TEXT,
    origin TEXT,
    meta TEXT NOT NULL,
    passages INTEGER NOT NULL,
    pages TEXT NOT NULL,
    read TEXT NOT NULL,
    original INTEGER NOT NULL,
    UNIQUE(source, name)
) STRICT;
CREATE INDEX version_by_name ON version(name);
CREATE INDEX version_by_hash ON version(hash);

CREATE TABLE text_part(
    version INTEGER NOT NULL REFERENCES version, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(version, part)
) STRICT;

CREATE TABLE page(
    version INTEGER NOT NULL REFERENCES version,
    seq INTEGER NOT NULL,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    note TEXT NOT NULL,
    confidence REAL,
    PRIMARY KEY(version, seq)
) STRICT, WITHOUT ROWID;

-- Ids are never used twice: a log may name a passage that has been retired.
CREATE TABLE passage(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    version INTEGER NOT NULL REFERENCES version,
    state INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    page INTEGER,
    heading TEXT,
    t0 REAL,
    t1 REAL
) STRICT;
CREATE INDEX passage_by_version ON passage(version);
CREATE INDEX passage_active ON passage(state) WHERE state = 1;

CREATE TABLE token_record(
    passage INTEGER PRIMARY KEY REFERENCES passage, ids BLOB NOT NULL, starts BLOB NOT NULL, codes BLOB NOT NULL
) STRICT;
CREATE TABLE token_frequency(token INTEGER PRIMARY KEY, passages INTEGER NOT NULL) STRICT;

-- The vectors of removed sources, until they are restored.
CREATE TABLE vector_aside(passage INTEGER PRIMARY KEY REFERENCES passage, vector BLOB NOT NULL) STRICT;

CREATE TABLE problem(
    path ANY PRIMARY KEY, state TEXT NOT NULL, reason TEXT NOT NULL, hash TEXT, seen TEXT NOT NULL
) STRICT;
"""


def fulltext_tables() -> str:
    """The full-text tables: `head` is title and heading, `body` the passage."""
    return "\n".join(
        f"""CREATE VIRTUAL TABLE {name} USING fts5(
            head, body, content='', contentless_delete=1, tokenize="{tokenizer}");"""
        for name, tokenizer in (("passage_fts", WORD_TOKENIZER), ("gram_fts", GRAM_TOKENIZER))
    )


def vector_table(dimension: int) -> str:
    """The durable vectors, `dimension` float32 each. The vectors are unit vectors; distance is 1 - cosine."""
    return (
        "CREATE VIRTUAL TABLE passage_vector USING vec0("
        f"passage INTEGER PRIMARY KEY, embedding float[{int(dimension)}] distance_metric=cosine)"
    )
