"""The words of a language that say nothing by themselves."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=64)
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language (ISO 639-1), none for one that the list does not know."""
    import stopwordsiso

    return frozenset(stopwordsiso.stopwords(language)) if stopwordsiso.has_lang(language) else frozenset()
