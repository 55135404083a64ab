"""Models that say what they are told to: for tests that need a particular answer, without any weights."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from local_models.errors import Cancelled, PromptTooLong
from local_models.protocols import CancelCheck, Floats, Generation, PassageInput, Prompt, TextEmbedding, never
from local_models.structured import parse

Answer = str | dict[str, Any] | list[Any] | Callable[[Prompt], str | dict[str, Any] | list[Any]]

_WORD = re.compile(r"\w+|[^\w\s]")


class ScriptedGenerator:
    """Gives the scripted answers one after the other; the last one stays. JSON answers may be given as values.

    prompts records what was asked. A word counts as one token; text streams word by word, asking the cancel check.
    """

    def __init__(self, answers: Iterable[Answer], context: int = 4096) -> None:
        self._answers = list(answers)
        self._context = context
        self.prompts: list[Prompt] = []

    @property
    def context(self) -> int:
        return self._context

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def generate(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        schema: dict[str, Any] | None = None,
        cancelled: CancelCheck = never,
        on_text: Callable[[str], None] | None = None,
    ) -> Generation:
        needed = self.count_tokens(prompt.system) + self.count_tokens(prompt.user)
        if needed + max_tokens > self._context:
            raise PromptTooLong(f"{needed} tokens of prompt and {max_tokens} of answer exceed {self._context}")
        self.prompts.append(prompt)
        words = re.findall(r"\s*\S+", self._next(prompt))
        said: list[str] = []
        finish = "stop"
        for word in words:
            if cancelled():
                finish = "cancelled"
                break
            if len(said) == max_tokens:
                finish = "length"
                break
            said.append(word)
            if on_text is not None:
                on_text(word)
        text = "".join(said)
        value = parse(text, schema) if schema is not None and finish != "cancelled" else None
        return Generation(text, value, needed, len(said), finish)

    def close(self) -> None:
        pass

    def _next(self, prompt: Prompt) -> str:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if callable(answer):
            answer = answer(prompt)
        return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


class HashingEmbedder:
    """Every word has a vector of its own, drawn from its hash; texts that share words are near each other.

    Deterministic on every machine. The pooled vector is the mean of the words' vectors, an empty text's the first axis.
    """

    def __init__(self, dimension: int = 64, window: int = 256) -> None:
        self._dimension = dimension
        self._window = window

    @property
    def fingerprint(self) -> str:
        return f"hashing-{self._dimension}-{self._window}"

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def window(self) -> int:
        return self._window

    def count_tokens(self, text: str) -> int:
        return len(_WORD.findall(text))

    def embed_query(self, text: str) -> TextEmbedding:
        return self._embed(text, "")

    def embed_passages(
        self, passages: Sequence[PassageInput], cancelled: CancelCheck = never
    ) -> Iterator[TextEmbedding]:
        for passage in passages:
            if cancelled():
                raise Cancelled
            yield self._embed(passage.text, passage.context)

    def close(self) -> None:
        pass

    def _embed(self, text: str, context: str) -> TextEmbedding:
        found = list(_WORD.finditer(text))[: self._window]
        tokens = self._vectors([match.group() for match in found])
        everything = np.concatenate([self._vectors(_WORD.findall(context)), tokens])
        total = everything.sum(axis=0) if len(everything) else np.eye(1, self._dimension, dtype=np.float32)[0]
        vector = np.asarray(total / np.linalg.norm(total), dtype=np.float32)
        ids = np.array([_number(match.group()) % 2**31 for match in found], dtype=np.int32)
        return TextEmbedding(vector, tokens, ids, np.array([match.start() for match in found], dtype=np.int32))

    def _vectors(self, words: Sequence[str]) -> Floats:
        rows = [np.random.default_rng(_number(word)).standard_normal(self._dimension) for word in words]
        return np.array(rows, dtype=np.float32).reshape(len(words), self._dimension)


def _number(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.casefold().encode(), digest_size=8).digest(), "little")
