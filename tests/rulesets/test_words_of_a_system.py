"""No word of a system is outside the system's folder: no word of a shipped system, and no name of a toy.

The words come from the systems: paragraphs, sides, stages, phases, options, marks, tracks, agenda, orders, units.
The checks read names and strings of the program, and the help of commands.
"""

import ast
import re
from functools import cache
from itertools import islice

import pytest
from helpers import import_graph, registry, sweeps

from kursk_pbem.formats import precheck
from kursk_pbem.game import scenarios
from kursk_pbem.rulebook import books
from rulesets import toys

WORD = re.compile(r"(?<![\w.-])[\w-]+(?:\.\w[\w-]*)*")
"""The pattern of a system's words, including paragraphs."""
DEMONSTRATION = (  # plays a game of the system named in the files, or shows one to a newcomer
    *("demo/", "cli/demo.py", "desk/seat/bothsides.py", "desk/seat/shelf.py"),
    *("cli/orders/hotseat.py", "cli/orders/prepare.py", "desk/turn/prepared.py"),
    *("cli/orders/practise.py", "practice/partner.py"),
)
TABLE = "rulesets/__init__.py"  # the table of systems
SHARED = {
    "6.2": "a section of docs/directors.md",
    "1.0": "of MIME-Version, which every mail says",
    "2.0": "the version of iCalendar (RFC 5545)",
    "2.1": "an example of a paragraph, in the errors of any rulebook",
    "2.3": "a section of docs/auditors.md",
    "accept": "a command, a type of message, the answer to an offer",
    "action": "of an agent, in PettingZoo's interface (arena/environment)",
    "advance": "the kernel goes on to the next stage",
    "air": "a branch whose symbol any picture may show (svgstyle.SYMBOLS)",
    "always": "English; of a stage that always comes (ruleset.Split)",
    "answer": "English; a kind of stages (ruleset.ANSWER)",
    "answered": "on the agenda of every system (state.ANSWERED)",
    "anti-tank": "a branch whose symbol any picture may show (svgstyle.SYMBOLS)",
    "armor": "a branch whose symbol any picture may show (svgstyle.SYMBOLS)",
    "artillery": "a branch whose symbol any picture may show (svgstyle.SYMBOLS)",
    "ask": "English; the umpire asks for a decision",
    "at": "English; a place, a time",
    "attack": "English; to attack, an attack",
    "attackers": "of an attack in systems with hexes (hexes/commands)",
    "base": "of a scenario that borrows files; a place on any map (picture.PLACES)",
    "battles": "a fight of any system has this name (events.Fought)",
    "cancel": "English; a worker's task is cancelled",
    "cavalry": "a branch whose symbol any picture may show (svgstyle.SYMBOLS)",
    "chain": "the messages of a game",
    "chip": "a key of an order that a question for programs leaves alone (arena/quiz)",
    "cities": "of a chart that systems with hexes share (land)",
    "control": "in 'zone of control', and of characters",
    "declaration": "English; a referee declares a forfeit",
    "declared": "on the agenda of every system (state.DECLARED)",
    "default": "English; of a decision, of an option of a command",
    "dice": "what is thrown in every game",
    "die": "dice",
    "disrupted": "a mark that any picture may have (svgstyle)",
    "e": "a side of a hex (grid.POINTY_NAMES)",
    "edition": "of a letter that is sent anew",
    "end": "English",
    "face": "of a die",
    "facing": "of a model on any table top (plane.find_arc)",
    "first": "English",
    "full": "of a hex in which a move may not end (ways.March)",
    "gain": "English; what a hint or an attack is worth",
    "hex": "systems with hexes share hexes; digits of a hash",
    "hexes": "systems with hexes share hexes",
    "how": "English; how a game ended, how a unit moved",
    "id": "English",
    "in": "English",
    "infantry": "a branch whose symbol any picture may show (svgstyle.SYMBOLS)",
    "lead": "English: to lead to",
    "lose": "English",
    "mechanized": "a branch whose symbol any picture may show (svgstyle.SYMBOLS)",
    "motorized": "a branch whose symbol any picture may show (svgstyle.SYMBOLS)",
    "movement": "in 'movement points'",
    "ne": "a side of a hex (grid)",
    "moves": "a command; what may be done in any game",
    "never": "English",
    "nw": "a side of a hex (grid)",
    "objective": "a mark that any picture may have (picture.MARKS)",
    "on": "English",
    "opening": "of a commitment (docs/auditors.md)",
    "over": "the last stage of every system (state.OVER)",
    "pairs": "English; of keys and values",
    "path": "of a file, of a move",
    "pause": "English; of a referee's terms, of what plays on a page",
    "place": "of a unit, of an order in its file",
    "placement": "English; the places of units that a search compares (hexes/potential)",
    "plans": "what is declared and may be sealed (hexes/plans)",
    "pressed": "a key of an order that a question for programs leaves alone (arena/quiz)",
    "print": "the function; what is printed",
    "ready": "English",
    "reduced": "of a piece that has lost steps (textmap)",
    "resumed": "English; of a message that is written again",
    "retreat": "a way of moving that has a look of its own (trails.KINDS)",
    "rounds": "of a tournament",
    "script": "of dice, in a tree of them (branches)",
    "se": "a side of a hex (grid)",
    "sealed": "of a value that is hidden in a message (docs/auditors.md)",
    "show": "English",
    "shown": "English",
    "side": "of a game",
    "skip": "English; what leaves a file out (game/things)",
    "stay": "English",
    "sw": "a side of a hex (grid)",
    "to": "English",
    "turn": "of a game; a type of message",
    "unit": "of a game",
    "units": "of a game",
    "unsupported": "English; an answer of a program to a case of the suite",
    "verdict": "where every position keeps how the game ended (state.VERDICT)",
    "victory": "how a resignation ends a game",
    "w": "a side of a hex (grid.POINTY_NAMES)",
    "withdraw": "a command of tournaments: to take no further part",
    "winner": "of every game that ended (state.VERDICT)",
}
"""Words of a system with another meaning in the program, with the meaning."""

ENVELOPE = ("choice", "decisions", "orders", "policy", "reveal", "seal", "waive")
"""Fields of every message in the protocol (schemas/message.schema.json); the systems define the contents."""


@cache
def own(rid):
    """Return the words of a system in small letters."""
    kit = registry.kit(rid)
    ruleset, words = kit.ruleset, {kit.id, *kit.sides}
    words |= {word for option in ruleset.options if not option.many for word in (option.key, *option.values)}
    words |= set(books.load(ruleset.rulebook).paragraphs)
    for refereed in (False, True):
        setting = kit.setting(kit.scenarios[0], refereed=refereed)
        for stage in ruleset.play.stages(setting).values():
            words |= {stage.key, *(phase.key for phase in (*stage.duties, *stage.phases))}
        for _before, result in islice(toys.play(kit, setting, 1), 40):
            for state in (result.middle, result.after):
                words |= {*state.tracks, *state.marks, *(key for marks in state.marks.values() for key in marks)}
                words |= {re.split("[/-]", key)[0] for key in state.agenda}
    words |= set(of_schema(precheck.load(f"{ruleset.schema}.schema.json")))
    for scenario in kit.scenarios:
        for name, entries in scenarios.load(scenario).data["units"].items():
            if name != "provenance":
                words |= {*entries, *(entry["type"] for entry in entries.values() if "type" in entry)}
    return {word.lower() for word in words if re.search("[a-z.]", word.lower())}


def of_schema(schema):
    """Yield the names of fields and values in a schema."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        yield from schema.get("enum", ())
        for inner in schema.values():
            yield from of_schema(inner)


@cache
def said(file, source):
    """Return (line, small word) of strings and names in a module; docstrings only as help for players, cached."""
    return [(line, word) for line, text in _texts(file, source) for word in WORD.findall(text.lower())]


def _texts(file, source):
    nodes = list(ast.walk(ast.parse(source)))
    silent = (
        set()
        if file.startswith("cli/")
        else {
            id(node.body[0].value)
            for node in nodes
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and isinstance(node.body[0], ast.Expr)
        }
    )
    silent |= {id(node.value) for node in nodes if isinstance(node, ast.Expr) and not file.startswith("cli/")}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.lineno, node.value
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id.replace("_", "-")
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr.replace("_", "-")
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.lineno, node.name.replace("_", "-")
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg.replace("_", "-")


def found(words, sources):
    """Yield every place of the words."""
    assert all(map(WORD.fullmatch, words))
    for file, source in sources.items():
        if not file.startswith((*DEMONSTRATION, TABLE)):
            for line, word in said(file, source):
                if word in words:
                    yield word, f"{file}:{line}"


each_kit = pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)


def outside():
    """Return the sources outside the folders of systems: rules, and opponents. Systems share words, but no module."""
    sources = import_graph.read_sources()
    return {file: source for file, source in sources.items() if not re.match("(rulesets|practice)/.+/", file)}


@cache
def places(rid):
    """Return the places of a system's words outside the systems."""
    there = {}
    for word, at in found(own(rid), outside()):
        there.setdefault(word, []).append(at)
    return there


@pytest.mark.long
@pytest.mark.parametrize("kit", sweeps.some(registry.kits(), 4), ids=lambda kit: kit.id)
def test_no_word_of_a_system_stands_outside_its_folder(kit):
    """Exceptions are single words of English or of the kernel."""
    strange = {word: at[:5] for word, at in places(kit.id).items() if word not in (*SHARED, *ENVELOPE)}
    assert not strange, strange
    assert set(ENVELOPE) <= precheck.load("message.schema.json")["properties"].keys()


@pytest.mark.long
def test_no_exception_is_made_longer_than_it_is_needed():
    needed = {word for kit in registry.kits() for word in places(kit.id)}
    assert [word for word in (*SHARED, *ENVELOPE) if word not in needed] == []


def test_the_words_are_those_of_the_system():
    """The list contains a word of every kind."""
    words = own("battle-for-kursk")
    assert len(words) > 300
    assert {
        "9.3-stand-fast",
        "german",
        "russian-rolls",
        "housekeeping",
        "uncovered",
        "posture",
        "engaged-german",
        "mud",
        "offensives-russian",
        "give-ups",
        "exchange-drl",
        "weather",
        "doomed",
        "g-48-pz",
        "r-1-tc",
        "panzer",
        "guards",
    } <= words


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("report/text.py", "x = 'the posture is engage'"),
        ("report/text.py", "def mud(): pass"),
        ("report/text.py", "x = event.stand_fast"),
        ("report/text.py", "x = f'no attack takes place [9.1]'"),
        ("kernel/state.py", "umpire.refuse('9.3-stand-fast', why)"),
        ("kernel/state.py", "def f(german): pass"),
        ("cli/orders/policy.py", "def f():\n    'It is what your defenders do (exchange-dr).'"),
        ("desk/turn/play.py", "if 'g-48-pz' in units: pass"),
        ("game/games.py", "stage == 'russian-dice'"),
    ],
)
def test_a_word_would_be_found(file, source):
    words = own("battle-for-kursk") - {*SHARED, *ENVELOPE}
    assert list(found(words, {file: source}))
    assert not list(found(words, {"demo/players.py": source}))
    assert not list(found(words, {"kernel/x.py": 'def f():\n    """As in 9.3-stand-fast of the posture."""'}))


def test_nothing_outside_the_tests_knows_the_toys():
    """One toy is the template of new rulesets; its module replaces the name of the toy."""
    names = [name for rid, folder in toys.FOLDERS.items() for name in (rid, folder.name)]
    sources = {file: text for file, text in import_graph.read_sources().items() if file != "game/new_ruleset.py"}
    shipped = [*(registry.ROOT / "schemas").iterdir(), *(registry.ROOT / "scenarios").rglob("*.yaml")]
    sources |= {str(path): path.read_text(encoding="utf-8") for path in shipped}
    sources |= {path.name: path.read_text(encoding="utf-8") for path in (registry.ROOT / "tools").glob("*.py")}
    assert not [(file, name) for file, source in sources.items() for name in names if name in source]
