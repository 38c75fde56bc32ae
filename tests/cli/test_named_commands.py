"""Every command that a message names is understood by the command line (``tools/commands.py`` lists them)."""

import re
import sys
from pathlib import Path

import click

from kursk_pbem.cli import cli

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import commands

GLUED = {"proposal": " 0000.yaml", "days": " --days 7", "kept": "", "with_key": ""}
"""Text that follows a word without a blank; the default is the beginning of a game's id."""
WORDS = {
    "command": "status",
    "proposer": "german",
    "scenario.id": "battle-for-kursk/citadel",
    "rid": "battle-for-kursk",
    "page": "players",
    "said": "inbox",
    "verb": "confirm",
    "_VERBS[known]": "tournament",
    "known[0]": "status",
    "arguments[0]": "status",
    "board": "1",
    "given": "grant 7 7 7 --holiday",
    "verb.name": "attack",
    "verb.example": "attack 2015",
    "word": "attack",
    "words[0]": "attack",
    "listing": "attack",
}
NUMBERS = ("SEQ", "DAYS", "PRICE", "PORT")
"""Metavariables that stand for a number; other expressions stand for a game, a file or a number."""
VALUE = re.compile(r"(?<=\S)\{([^{}]*)\}|\{([^{}]*)\}")


def filled(text):
    """Return the command as a person types it, with a value for each field."""

    def value(match):
        glued, word = match.groups()
        if glued is not None and text[match.start() - 1] not in "-/":
            return GLUED.get(glued, " 97557cfa")
        return WORDS.get(word or glued, "7")

    return VALUE.sub(value, text)


def understand(arguments):
    """Parse a command line without running the command. Raises click.UsageError."""
    group, context = cli, cli.make_context("kursk", list(arguments))
    while isinstance(group, click.Group) and (left := [*context._protected_args, *context.args]):
        name, group, rest = group.resolve_command(context, left)
        context = group.make_context(name, rest, parent=context)


def find_fault(text):
    """Return what the command line does not understand of a command, or ''."""
    *words, last = filled(text).partition(" >")[0].split()[1:]
    whole = ["7" if word in NUMBERS else word for word in (*words, last) if word != "..."]
    try:
        understand(whole)
    except click.exceptions.Exit:  # --help, --version
        return ""
    except click.BadOptionUsage:  # the message names the option
        return "" if last.startswith("--") else " ".join(whole)
    except click.MissingParameter:
        return "" if last == "..." or all(re.fullmatch("[a-z-]+", word) for word in whole) else " ".join(whole)
    except click.UsageError as error:
        return error.message
    return ""


def test_every_command_of_a_message_is_understood():
    assert [(each, fault) for each in commands.list_commands() if (fault := find_fault(each.text))] == []
