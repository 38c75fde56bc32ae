"""The output of commands with --json, checked against its published schema ``schemas/output.schema.json``."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import click
from jsonschema import Draft202012Validator

from kursk_pbem.cli import cli, common, jsonlines, run
from kursk_pbem.formats import data

OF_A_GAME = frozenset(
    {
        *("keygen", "propose", "accept", "status", "order", "setup draft", "moves", "odds", "hint", "policy", "check"),
        *("setup pass", "prepare", "save", "open", "invite"),
        *("study new", "study comment", "study branch", "lab"),
        *(
            "sign",
            "offer",
            "reply",
            "resign",
            "inbox",
            "outbox",
            "people",
            "people add",
            "people card",
            "people forget",
        ),
        *("referee receipt", "referee extend", "referee forfeit", "restore", "verify", "prove", "export", "report"),
        *("map", "tables", "adjudicate"),
        *(
            "replay",
            "picture",
            "ruleset list",
            "scenario list",
            "scenario copy",
            "scenario check",
            "rule",
            "people forget",
        ),
    }
)
OF_POST = frozenset(
    {
        *("post", "post setup", "post fetch", "post send", "post watch", "post backup"),
        *("post rebuild", "people confirm", "practice"),
        *("referee", "referee setup", "referee run", "referee pass", "referee pause"),
    }
)
OF_TOURNAMENTS = frozenset(
    f"tournament {name}"
    for name in (
        *("new", "enter", "close", "inbox", "pair", "letters", "end", "status", "standings", "times", "grant"),
        *("judge", "forfeit", "withdraw", "substitute", "key", "refuse", "correct", "propose", "plays", "bid"),
        *(
            "agree",
            "absent",
            "claim",
            "stand-in",
            "new-key",
            "rule-on",
            "verify",
            "prove",
            "export",
            "publish",
            "restore",
        ),
    )
) | {"rating"}
"""The commands that the tests in tests/cli, tests/post and tests/tournament must run with --json."""


def list_commands(group: click.Group = cli, before: str = "") -> dict[str, click.Command]:
    """Return every command by its words, including commands in groups; a group with its own action is a command."""
    found: dict[str, click.Command] = {}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        words = f"{before} {name}".strip()
        if not isinstance(command, click.Group) or command.invoke_without_command:
            found[words] = command
        if isinstance(command, click.Group):
            found |= list_commands(command, words)
    return found


def takes_json(command: click.Command) -> bool:
    return any(jsonlines.FLAG in parameter.opts for parameter in command.params)


def told(capsys: Any, status: int, *words: object) -> list[dict[str, Any]]:
    """Run a command with --json and check its records; a problem may only be the last record. Return the records."""
    capsys.readouterr()
    assert run([*map(str, words), jsonlines.FLAG]) == status, (words, capsys.readouterr())
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for record in found:
        check(record)
    assert [record for record in found if record["format"] == PROBLEMS] == (
        found[-1:] if found and found[-1]["format"] == PROBLEMS else []
    )
    return found


@cache
def load_schema() -> dict[str, Any]:
    return json.loads(data.schema_file("output.schema.json").read_text(encoding="ascii"))


@cache
def make_validator(kind: str) -> Draft202012Validator:
    assert kind in load_schema()["$defs"], f"nothing says what {kind} prints"
    return Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": load_schema()["$defs"]})


_checked: set[str] = set()


def check(record: dict[str, Any]) -> None:
    """Check a record against its schema; equal records once."""
    text = json.dumps(record)
    if text in _checked:
        return
    name, _blank, version = record["format"].removeprefix("kursk ").rpartition(" ")
    assert int(version) == jsonlines.VERSION
    found = list(make_validator(name.replace(" ", "-")).iter_errors(json.loads(text)))
    faults = [f"{error.json_path}: {error.message[-300:]}" for one in found for error in (one.context or [one])]
    assert not faults, (name, faults)
    _checked.add(text)


PROBLEMS = jsonlines.record_format(jsonlines.PROBLEMS)


def watch(patch: Any) -> None:
    """Check every record of every command from now on, even without --json."""
    records, hold = jsonlines.take_records, common._hold_record
    wrong: list[AssertionError] = []

    def held(record: dict[str, Any]) -> None:
        try:
            check(record)
        except AssertionError as error:  # a command would report the error as its own fault
            wrong.append(error)
        hold(record)

    def told(status: int) -> list[dict[str, Any]]:
        found = records(status)
        for record in found:
            check(record)
        if wrong:
            raise wrong.pop()
        return found

    patch.setattr(common, "_hold_record", held)
    patch.setattr(jsonlines, "take_records", told)
