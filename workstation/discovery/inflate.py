"""Decompressing an answer without ever holding more than it may have."""

from __future__ import annotations

import zlib

from workstation.discovery.results import FetchFailed

ACCEPTED = "gzip, deflate"
_GZIP, _ZLIB, _RAW = zlib.MAX_WBITS | 16, zlib.MAX_WBITS, -zlib.MAX_WBITS


class Inflate:
    """Takes the bytes of a body as they come, and counts what they become. `coding` is the Content-Encoding.

    Raises FetchFailed: size as soon as more than `most` bytes have come out (a bomb has no time to go off), encoding
    for a coding that was not asked for (several layers too) and for damaged data.
    """

    def __init__(self, coding: str, most: int) -> None:
        self.coding = coding.strip().lower()
        if self.coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise FetchFailed("encoding", f"the page comes packed as {self.coding[:40]!r}, which was not asked for")
        self.most = most
        self.taken = self.given = self._used = 0
        self._packed = self.coding not in ("", "identity")
        self._stream: zlib._Decompress | None = None

    def feed(self, data: bytes) -> bytes:
        self.taken += len(data)
        out = self._unpacked(data) if self._packed else data
        self.given += len(out)
        if self.given > self.most:
            raise FetchFailed("size", self._too_much())
        return out

    def end(self) -> None:
        """Raises FetchFailed when the packed data broke off in the middle."""
        if self._packed and self.taken and (self._stream is None or not self._stream.eof):
            raise FetchFailed("connection", "the page broke off in the middle", transient=True)

    def _unpacked(self, data: bytes) -> bytes:
        parts: list[bytes] = []
        room = self.most - self.given + 1
        try:
            while data and room > 0:
                if self._stream is None:
                    self._stream = zlib.decompressobj(self._bits(data))
                if self._stream.eof:  # another member follows, or rubbish that servers leave behind the end
                    if self.coding == "deflate" or not data.startswith(b"\x1f\x8b"):
                        break
                    self._stream = zlib.decompressobj(_GZIP)
                parts.append(self._stream.decompress(data, room))
                room -= len(parts[-1])
                left = self._stream.unused_data or self._stream.unconsumed_tail
                self._used += len(data) - len(left)
                data = left
        except zlib.error as error:
            raise FetchFailed("encoding", f"the page cannot be unpacked ({error})") from error
        return b"".join(parts)

    def _bits(self, data: bytes) -> int:
        """Servers send "deflate" with zlib's header or, against the standard, without it."""
        if self.coding != "deflate":
            return _GZIP
        return _ZLIB if data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] << 8 | data[1]) % 31 == 0) else _RAW

    def _too_much(self) -> str:
        if self.given > 50 * self._used > 0:
            return f"{self._used:,} packed bytes became more than {self.most >> 20} MB: a decompression bomb"
        return f"larger than {self.most >> 20} MB"
