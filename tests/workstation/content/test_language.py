from __future__ import annotations

import subprocess
import sys

import pytest

from workstation.content.language import detect

QUESTIONS = [
    ("Who wrote Hamlet?", "en"),
    ("capital of France", "en"),
    ("Wer hat Hamlet geschrieben?", "de"),
    ("Quelle est la capitale de la Pologne ?", "fr"),
    ("¿Quién escribió el Quijote?", "es"),
    ("Кто написал «Гамлета»?", "ru"),
    ("Хто написав «Гамлета»?", "uk"),
    ("من كتب هاملت؟", "ar"),
    ("هملت را چه کسی نوشته است؟", "fa"),
    ("हैमलेट किसने लिखा?", "hi"),
    ("谁写了哈姆雷特?", "zh"),
    ("NASUWT是什么?", "zh"),
    ("東京の人口は?", "ja"),
    ("햄릿은 누가 썼나요?", "ko"),
    ("Ai đã viết Hamlet?", "vi"),
    ("Hamlet'i kim yazdı?", "tr"),
    ("NFL", "und"),
    ("EBITDA 2021", "und"),
    ("", "und"),
]


@pytest.mark.parametrize(("text", "language"), QUESTIONS)
def test_short_questions_are_recognised(text: str, language: str) -> None:
    assert detect(text) == language


def test_a_page_may_say_its_language_but_not_against_its_script() -> None:
    assert detect("Hello", "en") == "en"
    assert detect("Привет, как дела?", "en") == "ru"


def test_a_language_without_a_list_is_left_to_the_classifier() -> None:
    text = (
        "La Universitat de Barcelona és una institució pública amb seu a la ciutat, fundada l'any 1450 pel rei Alfons."
    )
    assert detect(text * 3) == "ca"


def test_an_english_question_does_not_load_the_classifier() -> None:
    code = (
        "import sys; from workstation.content.language import detect; detect('Who was it?');"
        "print('py3langid' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
