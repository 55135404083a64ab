"""How much is taken out of one file. Honest files stay far below; what does not ends in a stated status."""

from __future__ import annotations

MEGABYTE = 1 << 20

# Characters of one text: four Bibles, an hour of embedding. What is longer is cut there, and the status says so.
TEXT = 16 * MEGABYTE
# Bytes of one part of a container: it is held in memory.
MEMBER = 128 * MEGABYTE
# Parts of one container. At 10 passages a second a larger one takes days; it is better split.
MEMBERS = 100_000
# Containers around a document: a report in a zip, attached to a message of a mailbox that lies in another zip.
DEPTH = 4
# Text shrinks about tenfold, a sheet of equal cells a hundredfold; 1,000 is what zeros reach.
RATIO = 200
# All that one file may unpack to, in bytes: this much, and RATIO times its own size above it.
UNPACKED = 256 * MEGABYTE
# Bytes of one XML part of an office document, and of one stretch of it without a tag (a cell, a paragraph).
PART = 512 * MEGABYTE
STRETCH = 4 * MEGABYTE
