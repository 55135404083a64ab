"""`flori sample`: a small library to try the program with, in a folder of its own."""

from __future__ import annotations

from dataclasses import replace

from workstation.commands import ingest
from workstation.errors import Exit
from workstation.options import Options
from workstation.output import say
from workstation.paths import sample_dir, sample_library


def run(options: Options) -> int:
    """Puts the sample into its own library, which never mixes with the user's; done again, it has nothing to do."""
    library = sample_library()
    status = ingest.run(replace(options, library=library), [str(sample_dir() / "library")], None)
    if status == Exit.DONE and not options.json:
        question = (sample_dir() / "questions.txt").read_text(encoding="utf-8").splitlines()[0]
        say(f'\nAsk it:   flori --library {library} ask "{question}"\nOr open:  flori --library {library}')
    return status
