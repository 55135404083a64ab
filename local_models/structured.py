"""JSON that fits a schema: the grammar that steers decoding, and the check of what came out.

The grammar alone is not trusted: an answer that runs into the token limit is cut, and a grammar says less than a schema
(ranges, uniqueness, formats).
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from local_models.errors import SchemaMismatch


def grammar_for(schema: dict[str, Any]) -> str:
    """llama.cpp's grammar (GBNF) for a JSON schema. Raises SchemaMismatch when it has no equivalent."""
    return _grammar(json.dumps(schema))


@lru_cache(maxsize=64)
def _grammar(schema: str) -> str:
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    try:
        return str(json_schema_to_gbnf(schema))
    except Exception as error:  # the converter raises whatever its walk runs into
        raise SchemaMismatch(f"the schema has no grammar: {error}") from error


def parse(text: str, schema: dict[str, Any]) -> Any:
    """The value in `text`, validated. Raises SchemaMismatch saying where it does not fit."""
    import jsonschema

    try:
        value = json.loads(text)
    except ValueError as error:
        raise SchemaMismatch(f"not JSON: {error}") from error
    try:
        jsonschema.Draft202012Validator(schema).validate(value)
    except jsonschema.ValidationError as error:
        raise SchemaMismatch(f"{error.json_path}: {error.message[:200]}") from error
    return value
