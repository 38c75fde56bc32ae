"""The law of imports, and the limits of rules code: read from the syntax of every module."""

import re

import pytest
from helpers import import_graph
from helpers.import_graph import PACKAGE, list_imports

from kursk_pbem.testing import find_trespasses

SOURCES = import_graph.read_sources()

PAGE = (import_graph.ROOT.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("## The law of imports")[2].partition("```text\n")[2].partition("```")[0]
LAW = {name: set(allowed.split()) for name, allowed in re.findall(r"^(\w+) +->(.*)$", TABLE, re.MULTILINE)}
LAW["__main__"] = {"cli"}
EVERYBODY = {"errors", "frozen", "__version__"}


def find_breaches(file, source):
    """Yield the forbidden imports of the module ``file``."""
    layer, *rest = file.removesuffix(".py").split("/")
    for line, module, name in list_imports(source):
        words = f"{module}.{name}".split(".")
        if module.startswith("."):
            yield f"{file}:{line} imports {module}: imports say the whole name"
        elif words[0] == PACKAGE and words[1] and not is_allowed(layer, rest, words[1], words[2:]):
            yield f"{file}:{line} imports {'.'.join(words).rstrip('.')}"


def is_allowed(layer, rest, target, below):
    """Return whether a module of a layer may import ``below`` a target; ``rest``: its name in the layer."""
    if target == "kernel" and below[:1] == ["hexes"]:  # only for systems with hexes, and who plays them
        return layer in ("rulesets", "practice") or (layer == "kernel" and rest[:1] == ["hexes"])
    if target == "kernel" and below[:1] == ["plane"]:  # only for systems on a table top, and who plays them
        return layer in ("rulesets", "practice")
    if target == layer == "rulesets":  # systems do not import each other, and rules do not import "seen"
        looks = below[1:2] == ["seen"] and rest[1:2] not in (["seen"], ["__init__"])
        return len(rest) == 1 or (below[:1] in ([], [""], [rest[0]]) and not looks)
    if [layer, *rest, target] == ["rulesets", "__init__", "formats"]:  # the registry looks for packages (decision 96)
        return below[:1] == ["packages"]
    if target == "desk" and below[:1] == ["seat"]:  # only for the board, its command, and the hot seat at a terminal
        commands = (["cli", "views", "boarding"], ["cli", "orders", "hotseat"], ["cli", "orders", "practise"])
        return layer == "board" or rest[:1] == ["seat"] or [layer, *rest] in commands
    return target == layer or target in EVERYBODY or target in LAW.get(layer, set())


def test_every_module_keeps_the_law_of_imports():
    """See section 2 of the architecture."""
    found = [breach for file, source in SOURCES.items() for breach in find_breaches(file, source)]
    assert not found, "\n".join(["the law of imports is broken:", *found])


def test_there_is_no_circle_of_imports():
    """Imports in functions and for type checkers count, because they only hide a circle."""
    found = [" -> ".join(way) for way in import_graph.find_circles(SOURCES)]
    assert not found, "\n".join(["modules that import each other:", *found])


def test_no_import_runs_up_inside_a_room():
    """The parts of a folder, its folders and modules, form layers: a reader climbs down only."""
    found = [" -> ".join(way) for way in import_graph.find_turns(SOURCES)]
    assert not found, "\n".join(["parts of a folder that import each other:", *found])


def test_an_import_that_runs_up_inside_a_room_would_be_noticed():
    line = {
        "a/__init__.py": "",
        "a/low/x.py": "",
        "a/low/y.py": "from kursk_pbem.a.low import x",
        "a/high/z.py": "from kursk_pbem.a.low import y",
        "a/top.py": "from kursk_pbem.a.high import z",
    }
    assert import_graph.find_turns(line) == []
    for file, way in (("a/high/w.py", ["a/high", "a/low", "a/high"]), ("a/top.py", ["a/high", "a/low", "a/top.py"])):
        module = file.removesuffix(".py").replace("/", ".")
        turned = {"a/high/w.py": "", **line, "a/low/x.py": f"import kursk_pbem.{module}"}
        assert import_graph.find_circles(turned) == [] or file == "a/top.py"
        assert [set(found) for found in import_graph.find_turns(turned)] == [set(way)]


def test_the_law_would_notice():
    for file, source in (
        ("kernel/board.py", "from kursk_pbem.trust import chain"),
        ("trust/chains.py", "def f():\n    from kursk_pbem import kernel"),
        ("rulesets/battle_for_kursk/odds.py", "import kursk_pbem.rulesets.kursk_1971.odds"),
        ("rulesets/battle_for_kursk/odds.py", "from kursk_pbem.rulesets import kursk_1971"),
        ("report/text.py", "from kursk_pbem.game.games import Game"),
        ("cli/play/turn.py", "if x:\n    from kursk_pbem.trust.keys import load"),
        ("cli/play/turn.py", "if TYPE_CHECKING:\n    from kursk_pbem.trust.keys import Signer"),
        ("board/views.py", "from kursk_pbem.kernel import state"),
        ("desk/turn/play.py", "from kursk_pbem.post import outbox"),
        ("desk/turn/play.py", "from kursk_pbem.practice import levels"),
        ("post/mailbox/letter.py", "from kursk_pbem.rulesets import ruleset"),
        ("formats/text.py", "from kursk_pbem.kernel import state"),
        ("errors.py", "from kursk_pbem.formats import text"),
        ("desk/turn/play.py", "from kursk_pbem.tournament import boards"),
        ("tournament/boards.py", "from kursk_pbem.rulesets import ruleset"),
        ("kernel/state.py", "from .board import Board"),
        ("kernel/umpire.py", "from kursk_pbem.kernel.hexes import grid"),
        ("kernel/umpire.py", "from kursk_pbem.kernel import hexes"),
        ("kernel/umpire.py", "import kursk_pbem.kernel.hexes.grid"),
        ("rulesets/kursk_1971/raids.py", "from kursk_pbem.rulesets.kursk_1971.seen import wording"),
        ("rulesets/kursk_1971/raids.py", "from kursk_pbem.rulesets.kursk_1971.seen.wording import Wording"),
        ("desk/turn/play.py", "from kursk_pbem.desk.seat.room import Room"),
        ("cli/play/turn.py", "from kursk_pbem.desk.seat import room"),
        ("game/games.py", "from kursk_pbem.rulebook import rulings"),
        ("rulesets/kursk_1971/raids.py", "from kursk_pbem.practice.kursk_1971 import tactics"),
        ("report/textmap.py", "from kursk_pbem.kernel.hexes.grid import Grid"),
        ("kernel/picture.py", "from kursk_pbem.kernel import plane"),
        ("kernel/hexes/land.py", "from kursk_pbem.kernel.plane import Polygon"),
        ("report/textplane.py", "from kursk_pbem.kernel.plane import Polygon"),
    ):
        assert len(list(find_breaches(file, source))) == 1, source
    for file, source in (
        ("cli/play/turn.py", "from kursk_pbem.errors import UsageError"),
        ("cli/play/turn.py", "from kursk_pbem import __version__"),
        ("rulesets/battle_for_kursk/odds.py", "from kursk_pbem.rulesets.battle_for_kursk import entry"),
        ("rulesets/battle_for_kursk/odds.py", "from kursk_pbem.kernel.hexes import grid"),
        ("rulesets/__init__.py", "from kursk_pbem.rulesets import battle_for_kursk"),
        ("rulesets/kursk_1971/__init__.py", "from kursk_pbem.rulesets.kursk_1971.seen import wording"),
        ("rulesets/kursk_1971/seen/unused.py", "from kursk_pbem.rulesets.kursk_1971.seen import wording"),
        ("rulesets/kursk_1971/seen/unused.py", "from kursk_pbem.rulesets.kursk_1971 import raids"),
        ("board/app.py", "from kursk_pbem.desk.seat.room import Room"),
        ("desk/seat/scene.py", "from kursk_pbem.desk.seat.room import Room"),
        ("kernel/hexes/land.py", "from kursk_pbem.kernel.hexes import grid"),
        ("kernel/hexes/land.py", "from kursk_pbem.kernel.state import State"),
        ("practice/kursk_1971/tactics.py", "from kursk_pbem.kernel.hexes.potential import Potential"),
    ):
        assert list(find_breaches(file, source)) == [], source


def test_a_circle_would_be_noticed():
    line = {"a/x.py": "from kursk_pbem.a.y import f", "a/y.py": "from kursk_pbem.b import z", "b/z.py": ""}
    assert import_graph.find_circles(line) == []
    for back in (
        "import kursk_pbem.a.x",
        "def f():\n    from kursk_pbem.a import x",
        "if TYPE_CHECKING:\n    from kursk_pbem.a.x import T",
    ):
        assert import_graph.find_circles({**line, "b/z.py": back}) == [["a/x.py", "a/y.py", "b/z.py", "a/x.py"]]
    assert import_graph.find_circles(
        {"a/__init__.py": "from kursk_pbem.a import x", "a/x.py": "from kursk_pbem import a"}
    )
    assert not import_graph.find_circles({"a/__init__.py": "from kursk_pbem.a import x", "a/x.py": "", "a/y.py": ""})


def test_only_one_module_reads_the_clock():
    """Only desk/ground/clock.py reads the clock, for a referee. Other modules measure durations.

    For example, disk.py measures the age of leftover files, and the board its idle time. times.py only counts days;
    some files of the post convert times of mails.
    """
    readers = {"desk/ground/clock.py", "game/disk.py", "formats/times.py", "board/access.py", "board/serve.py"}
    readers.add("audit/cluster.py")  # the silence of a cluster
    mails = {
        f"post/{name}.py"
        for name in ("mailbox/arrival", "mailbox/letter", "round/fetch", "mail_session", "wire/fetching")
    }
    assert not any("now(" in SOURCES[file].replace("clock.now(", "") or "today(" in SOURCES[file] for file in mails)
    readers |= mails
    for file, source in SOURCES.items():
        found = {module.split(".")[0] for _line, module, _name in list_imports(source)}
        assert file in readers or not found & {"time", "datetime"}, file
    assert "now" not in SOURCES["formats/times.py"]
    users = {file for file, source in SOURCES.items() if "clock.now" in source}
    users = {file for file in users if not file.startswith("post/")}  # dates of letters: no game depends on them
    director = {
        "cli/jsonlines.py",  # times of a log
        "tournament/entrant/desk.py",  # the time of a signature: no effect
        "tournament/director/asking.py",  # days of waiting for answers
        "tournament/director/desk.py",
        "tournament/director/setup.py",
        "tournament/sights.py",  # first sights of log papers: no verdict depends on them
        "cli/tournament/auditing.py",  # log papers ahead of this clock: a note
        "cli/tournament/common.py",
        "board/home.py",
    }
    # times of mails, saved folders, invitations, own signatures and cards, for people: no game depends on them
    users -= {f"desk/{name}.py" for name in ("rescue/moving", "deals/invitations", "own/desks", "seat/frontpage")}
    assert users == {f"desk/referee/{name}.py" for name in ("grants", "timekeeper")} | director


def test_rules_have_no_clock_no_chance_no_floats_and_a_fixed_order():
    """The test lists all faults at once."""
    rules = {file: source for file, source in SOURCES.items() if file.startswith(("rulesets/", "kernel/"))}
    assert len(rules) > 20
    found = [f"{file}:{each}" for file, source in rules.items() for each in find_trespasses(source)]
    assert not found, "\n".join(["code of the rules does what it may not:", *found])


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from time import time",
        "def f():\n    import os.path",
        "print(1)",
        "x = float('1')",
        "x = 0.5",
        "for x in {1, 2}: pass",
        "y = [x for x in {1, 2}]",
        "for x in set(y): pass",
        "for x in {1} | y: pass",
        "y = {x: 1 for x in frozenset(z)}",
        "y = [*{1, 2}]",
        "y = tuple(set(x))",
        "open('x')",
    ],
)
def test_a_trespass_would_be_noticed(source):
    assert len(list(find_trespasses(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "for x in sorted({1, 2}): pass",
        "x = Fraction(3) / 2",
        "y = {x for x in {1, 2}}",
        "y = sum(x for x in {1, 2})",
        "for x in (1, 2): pass",
        "x = 2 in {1, 2}",
        "'a.0.5'",
    ],
)
def test_what_is_allowed_is_not_noticed(source):
    assert list(find_trespasses(source)) == []
