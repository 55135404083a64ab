"""The library and the models of one invocation, each opened when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from storage.errors import EmbedderMismatch, LibraryMissing
from storage.library import Library
from workstation.options import Options

if TYPE_CHECKING:
    from local_models.loader import Loader
    from local_models.protocols import Embedder
    from workstation.content.adapters import PageReader


class Services:
    """Use as a context manager: everything that was opened is closed at its end.

    write: the library is opened for writing; create: it is made when there is none.
    """

    def __init__(self, options: Options, *, write: bool = False, create: bool = False) -> None:
        self.options = options
        self._write, self._create = write, create

    @cached_property
    def library(self) -> Library:
        """Raises LibraryMissing, or LibraryBusy when it is to be written and another process does."""
        return Library.open(self.options.library, write=self._write, create=self._create)

    @cached_property
    def loader(self) -> Loader:
        """The models, with the embedder that the library is bound to. Raises EmbedderMismatch when none of the
        installed embedders is that one."""
        bound = self._bound()
        return self._loader_for(bound) if bound else self._loader()

    @property
    def embedder(self) -> Embedder:
        """The library's embedder; the configured one for a library that has no vectors yet."""
        return self.loader.embedder()

    @property
    def page_reader(self) -> PageReader | None:
        """Reads images of pages into the library; None without the extra `ocr`."""
        model = self.loader.page_reader()
        if model is None:
            return None
        from workstation.content.page_images import RememberedPages

        return RememberedPages(model, self.options.library)

    def _bound(self) -> str | None:
        """The fingerprint of the library's embedder. A library that is to be made is not made for this question: when
        a model is missing, none is left behind."""
        if self._create and "library" not in vars(self):
            try:
                with Library.open(self.options.library) as library:
                    bound = library.embedder()
            except LibraryMissing:
                return None
        else:
            bound = self.library.embedder()
        return bound[0] if bound else None

    def _loader(self, embedder: str | None = None) -> Loader:
        from local_models.loader import Loader

        config = self.options.config
        choices = config.choices() | ({"embedder": embedder} if embedder else {})
        return Loader(self.options.models, memory_budget_bytes=config.memory_budget(), choices=choices)

    def _loader_for(self, fingerprint: str) -> Loader:
        """The models with the installed embedder of that fingerprint, whatever the configuration prefers: the vectors
        of one library are all by one model."""
        from local_models.errors import ModelError

        default = self._loader()
        installed = default.registry.entries("embedder")
        fault: ModelError | None = None
        for entry in sorted(installed, key=lambda entry: not entry.default):  # most libraries are made with the default
            loader = self._loader(entry.id)
            try:
                if loader.embedder().fingerprint == fingerprint:
                    return loader
            except ModelError as error:
                fault = fault or error
        if fault:
            raise fault
        default.embedder()  # says so when no embedder is installed at all
        names = ", ".join(entry.id for entry in installed)
        raise EmbedderMismatch(f"{self.options.library} was made with {fingerprint}; installed: {names}")

    def close(self) -> None:
        opened = vars(self)
        for name in ("loader", "library"):
            if name in opened:
                opened.pop(name).close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
