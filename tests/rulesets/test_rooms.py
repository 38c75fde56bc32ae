"""Every system has its public functions in files with equal names, under equal names."""

import ast
import inspect
from dataclasses import fields
from importlib import import_module
from typing import get_args

from helpers import registry

from kursk_pbem.kernel import ruleset

OWN = {"seen.story", "seen.turn"}  # long ones have a separate file


def rooms(kit):
    """Return file and name of each function in a ruleset, without functions from other places."""
    found, package = {}, kit.ruleset.data.setup.__module__.rpartition(".")[0]
    for group in ("data", "play", "seen"):
        value = getattr(kit.ruleset, group)
        for field in fields(value):
            function = getattr(value, field.name)
            module = getattr(function, "__module__", None) or ""
            if module.startswith(package + "."):
                found[f"{group}.{field.name}"] = (module.removeprefix(package + "."), function.__qualname__)
    return found


def test_each_field_of_a_ruleset_has_the_same_file_and_name_in_every_system():
    """Rooms of equal work have equal names, so that a reader of one system finds them in another."""
    files, names = {}, {}
    for kit in registry.kits():
        for field, (file, name) in rooms(kit).items():
            files.setdefault(field, set()).add(file)
            names.setdefault(field, set()).add(name)
    assert {field: found for field, found in files.items() if len(found) > 1 and field not in OWN} == {}
    assert {field: found for field, found in names.items() if len(found) > 1} == {}
    assert {"play.seals", "play.invariants", "data.resume", "seen.words"} <= files.keys()


def count_declared(text):
    """Return the number of parameters in the declared type of a view."""
    declared = ast.parse(text, mode="eval").body
    named = isinstance(declared, ast.Name)
    return len(get_args(getattr(ruleset, text))[0] if named else declared.slice.elts[0].elts)


def test_every_view_takes_the_parameters_that_seen_declares():
    """Views load late, so mypy compares no view with ``Seen``."""
    taken = {}
    for kit in registry.kits():
        for field in [field for field in fields(kit.ruleset.seen) if field.name != "refereed"]:
            view = getattr(kit.ruleset.seen, field.name)
            view = getattr(import_module(view.__module__), view.__name__, view)
            names = [name.strip("_") for name in inspect.signature(view).parameters]
            assert len(names) == count_declared(field.type), (kit.id, field.name)
            taken.setdefault(field.name, set()).add(tuple(names))
    assert {name: found for name, found in taken.items() if len(found) > 1} == {}


def test_the_arithmetic_of_a_battle_is_told_beside_its_dice():
    """``fought`` is in combat.py; in raids.py for an attack from the air."""
    for kit in registry.kits():
        for path in kit.code.rglob("*.py"):
            names = {node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}
            assert "fought" not in names or path.name in ("combat.py", "raids.py"), path
            assert "filed" not in names, path  # kernel/hexes/policies.py


def test_no_stage_that_may_be_the_last_one_promises_something_of_the_next_turn():
    """Bug: the last message of a game owed 'initiative and sealed orders of the next turn'."""
    for kit in registry.kits():
        for refereed in (False, True):
            for stage in kit.ruleset.play.stages(kit.setting(kit.scenarios[0], refereed=refereed)).values():
                told = (stage.brings, *((stage.split.brings, stage.split.left) if stage.split else ()))
                assert not [text for text in told if "next turn" in text], stage.key
