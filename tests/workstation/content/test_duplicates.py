"""Two copies of a text are recognised, two texts on one subject are not taken for copies."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

from storage.library import Library
from tests.workstation.content.making import HashingEmbedder, read
from workstation.content.duplicates import THRESHOLD, resemblance
from workstation.content.ingest import ingest
from workstation.core.cancel import CancelToken
from workstation.paths import sample_dir


def texts() -> list[str]:
    files = [path for path in sorted((sample_dir() / "library").iterdir()) if path.suffix != ".pdf"]
    return [read(path.name, path.read_bytes()).text for path in files]


def test_texts_on_one_subject_are_far_from_the_threshold() -> None:
    assert max(resemblance(a, b) for a, b in itertools.combinations(texts(), 2)) < THRESHOLD / 5


def test_copies_are_recognised_when_badly_read_laid_out_anew_or_framed() -> None:
    chance = random.Random(1)
    for text, other in itertools.pairwise(texts()):
        misread = "".join("e" if chance.random() < 0.02 and c.isalpha() else c for c in text)
        laid_out = re.sub(r"[*#|_-]", " ", text).upper().replace("\n\n", "\n")
        framed = other[: len(text) // 3] + "\n\n" + text
        assert min(resemblance(text, copy) for copy in (misread, laid_out, framed)) > THRESHOLD


def test_a_near_copy_says_what_it_is_a_copy_of_and_an_answer_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    story = (sample_dir() / "library" / "bell-rock.md").read_text(encoding="utf-8")
    (folder / "a.md").write_text(story, encoding="utf-8")
    (folder / "b.txt").write_text("As printed in the Journal of Lights.\n\n" + story.replace("#", ""), encoding="utf-8")
    quoted = re.sub("^", "> ", story, flags=re.M)
    (folder / "c.txt").write_text(quoted + "\n\n" + "I do not believe a word of this story of the tower. " * 9)
    with Library.open(tmp_path / "library", write=True, create=True) as library:
        result = ingest([folder], library, HashingEmbedder(), cancel=CancelToken())
        assert [entry.duplicate_of for entry in result.sources] == [None, str(folder / "a.md"), None]
        assert float(library.source_meta(result.sources[1].source)["resemblance"]) > 0.9
