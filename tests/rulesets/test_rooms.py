"""Every system has its public functions in files with equal names."""

import ast
from dataclasses import fields

from helpers import registry

OWN = {"seen.story", "seen.turn"}  # long ones have a separate file


def rooms(kit):
    """Return the file of each function in a ruleset, without functions from other places."""
    found, package = {}, kit.ruleset.data.setup.__module__.rpartition(".")[0]
    for group in ("data", "play", "seen"):
        value = getattr(kit.ruleset, group)
        for field in fields(value):
            module = getattr(getattr(value, field.name), "__module__", None) or ""
            if module.startswith(package + "."):
                found[f"{group}.{field.name}"] = module.removeprefix(package + ".")
    return found


def test_each_field_of_a_ruleset_is_in_the_same_file_in_every_system():
    seen = {}
    for kit in registry.kits():
        for field, file in rooms(kit).items():
            seen.setdefault(field, set()).add(file)
    assert {field: files for field, files in seen.items() if len(files) > 1 and field not in OWN} == {}
    assert {"play.seals", "play.invariants", "data.resume", "seen.words"} <= seen.keys()


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
