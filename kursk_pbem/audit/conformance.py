"""Our runner of the conformance suite (``conformance/runner.md``): one question in, one answer out."""

from __future__ import annotations

from typing import Any

from kursk_pbem import __version__, library
from kursk_pbem.errors import KurskError
from kursk_pbem.game.questions import LEVELS
from kursk_pbem.rulesets import MODULES

PROTOCOL = 1
"""Version of the form of questions and answers."""


def greet() -> dict[str, Any]:
    """Return the greeting, which is the first line that the conformance runner prints."""
    about = {"name": "kursk-pbem", "version": __version__}
    return {"conformance": PROTOCOL, **about, "systems": sorted(MODULES), "levels": list(LEVELS)}


def answer_question(question: Any) -> dict[str, Any]:
    """Answer a conformance question with ``answer``, ``unsupported`` or ``error``. Raise no exception."""
    if not isinstance(question, dict):
        return {"error": "the question is no JSON object"}
    if str(question.get("system")) not in MODULES or question.get("level") not in LEVELS:
        return {"unsupported": "unknown system or level"}
    try:
        return {"answer": library.decide(question)}
    except KurskError as error:
        return {"error": error.message}
