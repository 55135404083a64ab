"""A prompt in a model's own chat format, as token ids.

The template is rendered with markers where the texts go, and each part is tokenized by itself: the template's parts
with control tokens, the texts without. So "<|im_end|>" in a quoted page stays plain text and cannot close the turn.
"""

from __future__ import annotations

import re
from typing import Any

from local_models.errors import ModelRefused
from local_models.llama_model import LlamaModel
from local_models.protocols import Prompt

_SYSTEM, _USER = "\ue000system\ue001", "\ue000user\ue001"
_MARKERS = re.compile(f"({_SYSTEM}|{_USER})")


class ChatFormat:
    """The chat template of one model, rendered once: the parts before, between and after the two texts."""

    def __init__(self, model: LlamaModel) -> None:
        template = model.template()
        if template is None:
            raise ModelRefused(f"{model.path} has no chat template: it is not an instruction model")
        self._model = model
        self._with_system = self._render(template, [("system", _SYSTEM), ("user", _USER)])
        self._user_only = self._render(template, [("user", _USER)])
        if self._user_only is None:
            raise ModelRefused(f"the chat template of {model.path} does not take a user's message")

    def tokens(self, prompt: Prompt) -> list[int]:
        """The whole prompt, ready for the answer. Where a model knows no system message, it leads the user's."""
        if prompt.system and self._with_system is not None:
            parts, texts = self._with_system, {_SYSTEM: prompt.system, _USER: prompt.user}
        else:
            joined = f"{prompt.system}\n\n{prompt.user}" if prompt.system else prompt.user
            parts, texts = self._user_only or [], {_USER: joined}
        ids: list[int] = []
        for part in parts:
            text = texts.get(part)
            ids += self._model.tokenize(part if text is None else text, parse_special=text is None)
        return self._with_bos(ids)

    def _with_bos(self, ids: list[int]) -> list[int]:
        lib, vocab = self._model.lib, self._model.vocab
        bos = lib.llama_vocab_bos(vocab)
        if lib.llama_vocab_get_add_bos(vocab) and bos >= 0 and ids[:1] != [bos]:
            return [bos, *ids]
        return ids

    def _render(self, template: str, messages: list[tuple[str, str]]) -> list[str] | None:
        """The template's parts, or None when it refuses these roles or drops a text."""
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        bos, eos = self._special("llama_vocab_bos"), self._special("llama_vocab_eos")
        turns: Any = [{"role": role, "content": content} for role, content in messages]
        try:
            text = Jinja2ChatFormatter(template, eos, bos)(messages=turns, enable_thinking=False).prompt
        except Exception:  # a template is a program: it may raise anything, and says so when a role is unknown to it
            return None
        parts = [part for part in _MARKERS.split(text) if part]
        expected = [content for _, content in messages]
        return parts if [part for part in parts if part in (_SYSTEM, _USER)] == expected else None

    def _special(self, getter: str) -> str:
        token = getattr(self._model.lib, getter)(self._model.vocab)
        return self._model.piece(token, special=True).decode("utf-8", "replace") if token >= 0 else ""
