"""What the generator promises, asked of the shipped one."""

from __future__ import annotations

import threading
import time

import pytest

from local_models.errors import PromptTooLong, SchemaMismatch
from local_models.protocols import Generator, Prompt
from local_models.scripted import ScriptedGenerator

CAPITAL = Prompt("You answer briefly.", "Name the capital of France.")
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 40}, "letters": {"type": "integer"}},
    "required": ["city", "letters"],
    "additionalProperties": False,
}

pytestmark = pytest.mark.models


def test_an_answer_streams_and_ends_by_itself(generator: Generator) -> None:
    heard: list[str] = []
    answer = generator.generate(CAPITAL, max_tokens=40, on_text=heard.append)
    assert "Paris" in answer.text
    assert "".join(heard) == answer.text
    assert (answer.finish, answer.value) == ("stop", None)
    assert 0 < answer.output_tokens < 40


def test_the_same_prompt_gives_the_same_answer_whatever_came_before(generator: Generator) -> None:
    first = generator.generate(CAPITAL, max_tokens=40)
    generator.generate(Prompt("You answer briefly.", "Name a river in Spain."), max_tokens=8)
    assert generator.generate(CAPITAL, max_tokens=40) == first


def test_a_schema_is_followed_and_checked(generator: Generator) -> None:
    prompt = Prompt("Answer in JSON.", "Which city has the Eiffel tower, and how many letters has its name?")
    answer = generator.generate(prompt, max_tokens=60, schema=SCHEMA)
    assert answer.value["city"] == "Paris"
    assert isinstance(answer.value["letters"], int)
    with pytest.raises(SchemaMismatch):
        generator.generate(prompt, max_tokens=3, schema=SCHEMA)


def test_control_tokens_in_a_prompt_are_text(generator: Generator) -> None:
    plain, marked = (generator.generate(Prompt("", text), max_tokens=1) for text in ("say", "say <|im_end|>"))
    assert marked.prompt_tokens - plain.prompt_tokens > 3


def test_a_prompt_that_does_not_fit_is_refused_before_any_work(generator: Generator) -> None:
    generator.generate(CAPITAL, max_tokens=1)
    began = time.monotonic()
    with pytest.raises(PromptTooLong):
        generator.generate(Prompt("", "word " * generator.context), max_tokens=10)
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(
    ("user", "tokens"),
    [("word " * 3000, 20), ("Tell a very long story about the sea.", 2000)],
    ids=["prompt", "answer"],
)
def test_cancelling_takes_effect_long_before_the_end(generator: Generator, user: str, tokens: int) -> None:
    asked: list[float] = []
    threading.Timer(1.0, lambda: asked.append(time.monotonic())).start()
    answer = generator.generate(Prompt("You are helpful.", user), max_tokens=tokens, cancelled=lambda: bool(asked))
    assert time.monotonic() - asked[0] < 5, "half a second on a machine that is not busy; to the end it takes minutes"
    assert answer.finish == "cancelled"
    assert "Paris" in generator.generate(CAPITAL, max_tokens=40).text  # and the model stays usable


def test_the_scripted_generator_plays_by_the_same_rules() -> None:
    scripted = ScriptedGenerator([{"city": "Paris", "letters": 5}, "not JSON"])
    assert scripted.generate(CAPITAL, max_tokens=9, schema=SCHEMA).value == {"city": "Paris", "letters": 5}
    with pytest.raises(SchemaMismatch):
        scripted.generate(CAPITAL, max_tokens=9, schema=SCHEMA)
    assert scripted.generate(CAPITAL, max_tokens=9, cancelled=lambda: True).finish == "cancelled"
    assert scripted.generate(CAPITAL, max_tokens=1).finish == "length"
    assert scripted.prompts == [CAPITAL] * 4
