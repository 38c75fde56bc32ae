"""The law of imports, and what code of the rules may not do: read from the syntax of every module."""

import ast
from pathlib import Path

import pytest

import kursk_pbem

ROOT = Path(kursk_pbem.__file__).resolve().parent
MODULES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))

BELOW_GAME = {"rulesets", "trust", "kernel", "report", "formats"}  # formats: findings with lines, and hashes
LAW = {
    "cli": {"demo", "desk", "audit", "game", "report"},
    "demo": {"desk", "audit", "game", *BELOW_GAME},
    "desk": {"game", *BELOW_GAME},
    "audit": {"game", *BELOW_GAME},
    "game": BELOW_GAME,
    "report": {"kernel"},
    "rulesets": {"kernel"},
    "kernel": {"formats"},
    "trust": {"formats"},
    "formats": set(),
}
EVERYBODY = {"errors", "__version__"}


def imports(source):
    """(line, module) of every import of the package, in functions too; not what is only there for type checkers."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "imports say the whole name"
            if node.module == "kursk_pbem":
                yield from ((node.lineno, f"kursk_pbem.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, node.module
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)


def breaches(name, source):
    """Imports of the module ``name`` that the law does not allow."""
    layer, *rest = name.removesuffix(".py").split("/")
    for line, module in imports(source):
        package, _, below = module.partition(".")
        if package != "kursk_pbem" or not below:
            continue
        target, _, inner = below.partition(".")
        if target in EVERYBODY or target in LAW.get(layer, set()):
            continue
        another_ruleset = layer == "rulesets" and len(rest) > 1 and inner.split(".")[0] not in ("", rest[0])
        if target == layer and not another_ruleset:
            continue
        yield f"{name}:{line} imports {module}"


@pytest.mark.parametrize("name", MODULES)
def test_every_module_keeps_the_law_of_imports(name):
    assert list(breaches(name, (ROOT / name).read_text(encoding="utf-8"))) == []


def test_the_law_would_notice():
    for name, source in (
        ("kernel/hexes/board.py", "from kursk_pbem.trust import chain"),
        ("trust/chain.py", "def f():\n    from kursk_pbem import kernel"),
        ("rulesets/battle_for_kursk/odds.py", "import kursk_pbem.rulesets.kursk_1971.odds"),
        ("report/text.py", "from kursk_pbem.game.game import Game"),
        ("cli/turn.py", "if x:\n    from kursk_pbem.trust.keys import load"),
        ("formats/text.py", "from kursk_pbem.kernel import state"),
        ("errors.py", "from kursk_pbem.formats import text"),
    ):
        assert len(list(breaches(name, source))) == 1, name
    for name, source in (
        ("cli/turn.py", "from kursk_pbem.errors import UsageError"),
        ("cli/turn.py", "if TYPE_CHECKING:\n    from kursk_pbem.trust.keys import Signer"),
        ("rulesets/battle_for_kursk/odds.py", "from kursk_pbem.rulesets.battle_for_kursk import entry"),
        ("rulesets/__init__.py", "from kursk_pbem.rulesets import battle_for_kursk"),
    ):
        assert list(breaches(name, source)) == [], name


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
    """desk/clock.py, for a referee; disk.py only asks how old a leftover file is, times.py only counts days."""
    doors = {"desk/clock.py", "game/disk.py", "formats/times.py"}
    for name in MODULES:
        found = {module.split(".")[0] for _line, module in imports((ROOT / name).read_text(encoding="utf-8"))}
        assert name in doors or not found & {"time", "datetime"}, name
    assert "now" not in (ROOT / "formats/times.py").read_text(encoding="utf-8")
    users = {name for name in MODULES if "clock.now" in (ROOT / name).read_text(encoding="utf-8")}
    assert users == {"desk/timekeeper.py"}


RULES = [name for name in MODULES if name.startswith(("rulesets/", "kernel/"))]


@pytest.mark.parametrize("name", RULES)
def test_rules_have_no_clock_no_chance_no_floats_and_a_fixed_order(name):
    assert list(trespasses((ROOT / name).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "import random", "from time import time", "def f():\n    import os.path", "print(1)", "x = float('1')",
        "x = 0.5", "for x in {1, 2}: pass", "y = [x for x in {1, 2}]", "for x in set(y): pass",
        "for x in {1} | y: pass", "y = {x: 1 for x in frozenset(z)}", "y = [*{1, 2}]", "y = tuple(set(x))", "open('x')",
    ],
)  # fmt: skip
def test_a_trespass_would_be_noticed(source):
    assert len(list(trespasses(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "for x in sorted({1, 2}): pass", "x = Fraction(3) / 2", "y = {x for x in {1, 2}}", "y = sum(x for x in {1, 2})",
        "for x in (1, 2): pass", "x = 2 in {1, 2}", "'a.0.5'",
    ],
)  # fmt: skip
def test_what_is_allowed_is_not_noticed(source):
    assert list(trespasses(source)) == []
