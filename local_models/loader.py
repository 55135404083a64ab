"""One instance a role, made when it is first asked for, all within one memory budget.

    loader = Loader(models_dir, memory_budget_bytes=2 * 2**30, choices={"embedder": "all-minilm-l6-v2"})
    loader.embedder().embed_query("...")

Asking for a role checks that its files are there and whole; its native part opens at the first use, and closes again
when another model needs the memory. What is returned stays valid through that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from local_models.errors import ModelMissing, ModelRefused
from local_models.manifest import ModelEntry
from local_models.registry import Registry

if TYPE_CHECKING:
    from local_models.protocols import Embedder, Generator, PageReader, Reranker, Transcriber
    from local_models.residency import Residency

Maker = Callable[[ModelEntry, dict[str, Path], "Residency"], Any]


class Loader:
    """The models of one folder. `choices` maps a role to the id that the configuration prefers."""

    def __init__(
        self,
        models_dir: Path,
        memory_budget_bytes: int | None = None,
        choices: Mapping[str, str] | None = None,
    ) -> None:
        self.registry = Registry(models_dir, choices)
        self._budget = memory_budget_bytes
        self._made: dict[str, Any] = {}
        self._memory: Residency | None = None
        self._making = Lock()

    def embedder(self) -> Embedder:
        """The embedder. Raises ModelMissing when none is installed, ModelFileCorrupt when its files are damaged."""
        embedder: Embedder | None = self._get("embedder")
        if embedder is None:
            raise ModelMissing(f"no embedder is installed in {self.registry.models_dir}")
        return embedder

    def reranker(self) -> Reranker | None:
        """The cross-encoder, or None when none is installed."""
        reranker: Reranker | None = self._get("reranker")
        return reranker

    def generator(self) -> Generator | None:
        """The writing model, or None when none is installed."""
        generator: Generator | None = self._get("generator")
        return generator

    def transcriber(self, language: str | None = None) -> Transcriber | None:
        """The model that hears `language`, or None when none is installed: the one in use if it speaks that language,
        else another that does. Without a language it is one that can tell which is spoken."""
        chosen = self.registry.pick("transcriber")
        others = self.registry.entries("transcriber") if chosen else ()
        for entry in (chosen, *others):
            if entry is not None and entry.speaks(language):
                transcriber: Transcriber = self._make(f"transcriber {entry.id}", entry)
                return transcriber
        return None

    def page_reader(self) -> PageReader | None:
        """The reader of page images, or None without the extra `ocr`. Its models come with its package."""
        with self._making:
            if "page reader" not in self._made:
                from local_models.page_reader import RapidOcr, installed

                if not installed():
                    return None
                self._made["page reader"] = RapidOcr()
            reader: PageReader = self._made["page reader"]
            return reader

    def entry(self, role: str) -> ModelEntry | None:
        """What is known about the model that the role would use."""
        return self.registry.pick(role)

    def close(self) -> None:
        """Free all models."""
        for model in self._made.values():
            model.close()
        self._made.clear()

    def _get(self, role: str) -> Any:
        if role in self._made:
            return self._made[role]
        entry = self.registry.pick(role)
        return None if entry is None else self._make(role, entry)

    def _make(self, name: str, entry: ModelEntry) -> Any:
        with self._making:
            if name not in self._made:
                self._made[name] = _maker(entry)(entry, self.registry.paths(entry), self._residency())
            return self._made[name]

    def _residency(self) -> Residency:
        if self._memory is None:
            from local_models.residency import Residency

            self._memory = Residency(self._budget)
        return self._memory


def _maker(entry: ModelEntry) -> Maker:
    """The class for a role and a backend. Each import brings numpy at most; native libraries wait for the first use."""
    match entry.role, entry.backend:
        case "embedder", "gguf" | "llama-layers":
            from local_models.gguf_embedder import GgufEmbedder

            return GgufEmbedder
        case "embedder", "sbert":
            from local_models.sbert import SbertEmbedder

            return SbertEmbedder
        case "reranker", "gguf":
            from local_models.gguf_reranker import GgufReranker

            return GgufReranker
        case "reranker", "sbert":
            from local_models.sbert import SbertReranker

            return SbertReranker
        case "generator", "gguf":
            from local_models.gguf_generator import GgufGenerator

            return GgufGenerator
        case "transcriber", "whisper-ggml":
            from local_models.whisper import WhisperTranscriber

            return WhisperTranscriber
    raise ModelRefused(f"{entry.id}: no backend {entry.backend!r} for the role {entry.role!r}")
