"""What can go wrong with the library.

StorageError
  LibraryMissing       no library in that folder yet
  LibraryBusy          another process is writing
  LibraryCorrupt       SQLite or a check says so
  LibraryNewer         a newer version of the program has written to it
  NotWritable          it was opened for reading only
  DiskFull             no room for what was to be written
  EmbedderMismatch     the vectors were made with another embedder
  NotFound             no such source, version or passage
  OriginalChanged      the original is not what was read: its hash differs
"""

from __future__ import annotations


class StorageError(Exception):
    title = "The library could not be used"
    hint = "Run: flori doctor"


class LibraryMissing(StorageError):
    title = "There is no library here yet"
    hint = "Run: flori ingest FOLDER"


class LibraryBusy(StorageError):
    title = "The library is busy: another process is writing to it"
    hint = "Wait until it has finished, or stop it, and try again"


class LibraryCorrupt(StorageError):
    title = "The library is damaged"
    hint = "Run: flori doctor"


class LibraryNewer(StorageError):
    title = "The library was written by a newer version of this program"
    hint = "Update florilegium, or choose another library (--library DIR)"


class NotWritable(StorageError):
    title = "The library was opened for reading only"
    hint = "Check that you may write in its folder"


class DiskFull(StorageError):
    title = "There is no room left on the disk"
    hint = "Free some space and try again; what was stored before is safe"


class EmbedderMismatch(StorageError):
    title = "The library was made with another embedder"
    hint = "Choose that embedder again (flori config embedder ...), or make a library in another folder (--library DIR)"


class NotFound(StorageError):
    title = "There is no such source"
    hint = "Run: flori sources"


class OriginalChanged(StorageError):
    title = "The file changed while it was being read"
    hint = "Ingest it again"
