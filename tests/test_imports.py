"""The law of imports, and what code of the rules may not do: read from the syntax of every module."""

import ast

import pytest
from helpers import import_graph
from helpers.import_graph import PACKAGE, imports

SOURCES = import_graph.sources()

BELOW_GAME = {"rulesets", "trust", "kernel", "report", "formats"}  # formats: findings with lines, and hashes
VIEWS = {"desk", "audit", "game", "report"}
LAW = {
    "__main__": {"cli"},
    "cli": {"demo", "board", "post", "rulebook", "tournament", *VIEWS},
    "board": {"demo", "rulebook", "post", "tournament", *VIEWS},
    "post": {"rulebook", "tournament", *VIEWS, "trust", "kernel", "formats"},
    "tournament": {"audit", "desk", "game", "trust", "report", "kernel", "formats"},
    "demo": {"desk", "audit", "game", *BELOW_GAME},
    "library": {"game", "report", "trust"},
    "desk": {"game", *BELOW_GAME},
    "audit": {"game", *BELOW_GAME},
    "game": BELOW_GAME,
    "report": {"kernel", "formats"},
    "rulebook": {"rulesets", "kernel", "formats"},
    "rulesets": {"kernel"},
    "kernel": {"formats"},
    "trust": {"formats"},
    "formats": set(),
}
EVERYBODY = {"errors", "__version__"}


POST = (("wire",), ("mailbox",), ("round",), ("referee", "tournaments"))
"""The layers of the post, the lowest first; above all of them the modules of the folder itself, which commands call."""


def post_layer(words):
    """Return how high a module of the post stands; ``words``: its name below the post."""
    return next((height for height, layer in enumerate(POST) if words[:1] and words[0] in layer), len(POST))


def post_breaches(file, source):
    """Imports of a module of the post from a higher layer of the post (decision 82)."""
    layer, *rest = file.removesuffix(".py").split("/")
    for line, module, name in imports(source) if layer == "post" and len(rest) > 1 else ():
        package, target, *below = f"{module}.{name}".split(".")
        if [package, target] == [PACKAGE, "post"] and post_layer(below) > post_layer(rest):
            yield f"{file}:{line} imports post.{'.'.join(below).rstrip('.')}"


def breaches(file, source):
    """Imports of the module ``file`` that the law does not allow."""
    layer, *rest = file.removesuffix(".py").split("/")
    yield from post_breaches(file, source)
    for line, module, name in imports(source):
        words = f"{module}.{name}".split(".")
        if module.startswith("."):
            yield f"{file}:{line} imports {module}: imports say the whole name"
        elif words[0] == PACKAGE and words[1] and not allowed(layer, rest, words[1], words[2:]):
            yield f"{file}:{line} imports {'.'.join(words).rstrip('.')}"


def allowed(layer, rest, target, below):
    """Whether a module of a layer may import ``below`` a target; ``rest`` is where in its layer it stands."""
    if target == "kernel" and below[:1] == ["hexes"]:  # of systems with hexes only: another one does not load it
        return layer == "rulesets" or (layer == "kernel" and rest[:1] == ["hexes"])
    if target == "kernel" and below[:1] == ["plane"]:  # of systems on a table top only
        return layer == "rulesets"
    if target == layer == "rulesets":  # a system does not know another one, and no rule what people see of it
        looks = below[1:2] == ["seen"] and rest[1:2] not in (["seen"], ["__init__"])
        return len(rest) == 1 or (below[:1] in ([], [""], [rest[0]]) and not looks)
    if target == "desk" and below[:1] == ["seat"]:  # of the board alone, and of the command that opens it
        return layer == "board" or rest[:1] == ["seat"] or [layer, *rest] == ["cli", "views", "boarding"]
    return target == layer or target in EVERYBODY or target in LAW.get(layer, set())


def test_every_module_keeps_the_law_of_imports():
    """Section 2 of the architecture. All breaches at once."""
    found = [breach for file, source in SOURCES.items() for breach in breaches(file, source)]
    assert not found, "\n".join(["the law of imports is broken:", *found])


def test_there_is_no_circle_of_imports():
    """Imports in functions, and those for type checkers, count: they only hide a circle."""
    found = [" -> ".join(way) for way in import_graph.circles(SOURCES)]
    assert not found, "\n".join(["modules that import each other:", *found])


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
        ("desk/play.py", "from kursk_pbem.post import outbox"),
        ("post/mailbox/letter.py", "from kursk_pbem.rulesets import ruleset"),
        ("post/wire/imap.py", "from kursk_pbem.post.mailbox import letter"),
        ("post/mailbox/people.py", "from kursk_pbem.post.round.game_mail import GameMail"),
        ("post/round/game_mail.py", "from kursk_pbem.post.tournaments import acceptance"),
        ("post/referee/mail_commands.py", "import kursk_pbem.post.inbox_round"),
        ("post/tournaments/acceptance.py", "from kursk_pbem.post import board_mail"),
        ("formats/text.py", "from kursk_pbem.kernel import state"),
        ("errors.py", "from kursk_pbem.formats import text"),
        ("desk/play.py", "from kursk_pbem.tournament import boards"),
        ("tournament/boards.py", "from kursk_pbem.rulesets import ruleset"),
        ("kernel/state.py", "from .board import Board"),
        ("kernel/umpire.py", "from kursk_pbem.kernel.hexes import grid"),
        ("kernel/umpire.py", "from kursk_pbem.kernel import hexes"),
        ("kernel/umpire.py", "import kursk_pbem.kernel.hexes.grid"),
        ("rulesets/kursk_1971/raids.py", "from kursk_pbem.rulesets.kursk_1971.seen import wording"),
        ("rulesets/kursk_1971/raids.py", "from kursk_pbem.rulesets.kursk_1971.seen.wording import Wording"),
        ("desk/play.py", "from kursk_pbem.desk.seat.room import Room"),
        ("cli/play/turn.py", "from kursk_pbem.desk.seat import room"),
        ("game/games.py", "from kursk_pbem.rulebook import rulings"),
        ("report/textmap.py", "from kursk_pbem.kernel.hexes.grid import Grid"),
        ("kernel/picture.py", "from kursk_pbem.kernel import plane"),
        ("kernel/hexes/land.py", "from kursk_pbem.kernel.plane import Polygon"),
        ("report/textplane.py", "from kursk_pbem.kernel.plane import Polygon"),
    ):
        assert len(list(breaches(file, source))) == 1, source
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
        ("post/round/game_mail.py", "from kursk_pbem.post.mailbox import letter"),
        ("post/referee/mail_commands.py", "from kursk_pbem.post.tournaments import acceptance"),
        ("post/board_mail.py", "from kursk_pbem.post.round.digest import Digest"),
    ):
        assert list(breaches(file, source)) == [], source


def test_a_circle_would_be_noticed():
    line = {"a/x.py": "from kursk_pbem.a.y import f", "a/y.py": "from kursk_pbem.b import z", "b/z.py": ""}
    assert import_graph.circles(line) == []
    for back in (
        "import kursk_pbem.a.x",
        "def f():\n    from kursk_pbem.a import x",
        "if TYPE_CHECKING:\n    from kursk_pbem.a.x import T",
    ):
        assert import_graph.circles({**line, "b/z.py": back}) == [["a/x.py", "a/y.py", "b/z.py", "a/x.py"]]
    assert import_graph.circles({"a/__init__.py": "from kursk_pbem.a import x", "a/x.py": "from kursk_pbem import a"})
    assert not import_graph.circles({"a/__init__.py": "from kursk_pbem.a import x", "a/x.py": "", "a/y.py": ""})


FORBIDDEN_MODULES = {"random", "time", "datetime", "os", "secrets", "uuid", "threading", "subprocess"}
FORBIDDEN_CALLS = {"print", "float", "input", "open", "hash", "id"}
ORDER_FREE = {"sorted", "set", "frozenset", "sum", "min", "max", "any", "all", "len"}


def trespasses(source):
    """What code of the rules may not do: clocks, files, chance, output, floats, orders that are not fixed."""
    tree = ast.parse(source)
    free = set()  # comprehensions that are handed to something for which order does not count
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ORDER_FREE:
            free |= {id(argument) for argument in node.args}
    for node in ast.walk(tree):
        yield from (f"{getattr(node, 'lineno', 0)}: {what}" for what in trespass(node, free))


def trespass(node, free):
    """What one node does wrong."""
    called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    iterated = []
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        yield from (f"imports {name}" for name in names if name.split(".")[0] in FORBIDDEN_MODULES)
    elif called in FORBIDDEN_CALLS:
        yield f"calls {called}"
    elif isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
        yield f"the float {node.value}"
    elif isinstance(node, ast.For):
        iterated = [node.iter]
    elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp) and id(node) not in free:
        iterated = [each.iter for each in node.generators]
    elif isinstance(node, ast.List | ast.Tuple):
        iterated = [each.value for each in node.elts if isinstance(each, ast.Starred)]
    elif called in ("list", "tuple"):
        iterated = node.args
    yield from ("takes a set in no fixed order" for each in iterated if is_set(each))


def is_set(node):
    """A set that can be seen to be one: a display, a comprehension, ``set(...)``, or such sets joined."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return is_set(node.left) or is_set(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("set", "frozenset")
    return isinstance(node, ast.Set | ast.SetComp)


def test_there_is_one_door_to_the_clock():
    """desk/clock.py, for a referee. Others measure: disk.py how old a leftover file is, a board how long nobody came.

    times.py only counts days; some files of the post read and write times and days as mails do, and ask for none.
    """
    doors = {"desk/clock.py", "game/disk.py", "formats/times.py", "board/door.py", "board/serve.py"}
    doors.add("audit/cluster.py")  # how long a cluster says nothing
    mails = {
        f"post/{name}.py"
        for name in ("mailbox/arrival", "mailbox/letter", "round/fetch", "mail_session", "wire/fetching")
    }
    assert not any("now(" in SOURCES[file].replace("clock.now(", "") or "today(" in SOURCES[file] for file in mails)
    doors |= mails
    for file, source in SOURCES.items():
        found = {module.split(".")[0] for _line, module, _name in imports(source)}
        assert file in doors or not found & {"time", "datetime"}, file
    assert "now" not in SOURCES["formats/times.py"]
    users = {file for file, source in SOURCES.items() if "clock.now" in source}
    users = {file for file in users if not file.startswith("post/")}  # dates of letters, which no game depends on
    director = {
        "cli/jsonlines.py",  # times of a log
        "tournament/entrant/desk.py",  # when a paper was signed, which nothing follows from
        "tournament/director/desk.py",
        "tournament/director/setup.py",
        "cli/tournament/common.py",
        "board/home.py",
    }
    users.remove("desk/elsewhere.py")  # when an own message was seen in a mail, for its owner
    assert users == {f"desk/referee/{name}.py" for name in ("grants", "timekeeper")} | director


def test_rules_have_no_clock_no_chance_no_floats_and_a_fixed_order():
    """Of every system, and of the kernel. All trespasses at once."""
    rules = {file: source for file, source in SOURCES.items() if file.startswith(("rulesets/", "kernel/"))}
    assert len(rules) > 20
    found = [f"{file}:{each}" for file, source in rules.items() for each in trespasses(source)]
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
    assert len(list(trespasses(source))) == 1


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
    assert list(trespasses(source)) == []
