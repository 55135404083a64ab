"""Where an input goes: a table of what people type in eleven languages, and what holds for any text at all."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workstation.planning.classify import Place, Route, classify
from workstation.retrieval.stop_words import stop_words  # noqa: F401
