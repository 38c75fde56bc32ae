"""What each command loads, because modules and packages take most of a command's time.

If a test fails, import at the place of use, or add a word to the table if the command needs the room every time.
``python -X importtime -m kursk_pbem WORDS`` shows which module loads which.
"""

import os
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
from helpers import finished_games, registry

from kursk_pbem.cli import COMMANDS

ROOT = Path(__file__).parents[2]
START = "cli desk.ground errors formats.text formats.times frozen report.layout click"
FILES = f"{START} desk.own formats game kernel.state trust"
RULES = f"{FILES} desk.draft kernel report.draft report.luck rulesets"
TEXT = f"{RULES} desk.deals desk.turn report.battle report.lines report.text"
MAP = f"{RULES} desk.games report.canvas report.smallmap report.textmap report.textplane"
MAIL = f"{TEXT} audit.played desk.games desk.referee post.mailbox post.round post.wire tournament email sqlite3 ssl"
MODULES = {
    "demo": START,
    "helping": f"{FILES} desk.draft kernel rulebook rulesets",
    "mail.inbox": f"{TEXT} desk.games desk.referee post.mailbox email sqlite3",
    "mail.outbox": MAIL,
    "mail.people": MAIL,
    "mail.posting": f"{MAIL} {MAP} desk.rescue post report.tables rulebook",
    "moving": RULES,
    "orders.hotseat": START,
    "orders.order": RULES,
    "orders.plan": f"{MAP} report.battle report.lines report.moves report.odds",
    "orders.policy": RULES,
    "orders.practise": START,
    "orders.prepare": TEXT,
    "play.begin": f"{TEXT} desk.referee rulebook",
    "play.invite": f"{TEXT} desk.referee rulebook",
    "play.offers": TEXT,
    "play.restoring": f"{TEXT} desk.rescue post.mailbox",
    "play.status": f"{TEXT} desk.games tournament",
    "play.turn": f"{TEXT} {MAP} report.odds",
    "proof.adjudicating": TEXT,
    "proof.audit": f"{FILES} audit.batch audit.one_file audit.units",
    "proof.conforming": f"{TEXT} audit.conformance audit.suite library report.odds",
    "proof.proving": f"{RULES} audit",
    "proof.rating": f"{TEXT} audit tournament",
    "referee": START,
    "serving": START,
    "settings": START,
    "tournament": START,
    "views.boarding": START,
    "views.charts": f"{MAP} report.tables",
    "views.lab": FILES,
    "views.look": f"{TEXT} desk.games",
    "views.maps": MAP,
    "views.picture": RULES,
    "views.rules": f"{RULES} desk.games rulebook",
    "views.rulesets": f"{FILES} kernel rulesets",
    "views.scenarios": RULES,
    "views.study": START,
}
"""Module of a command -> the rooms, parts of rooms and packages that may be loaded before the command runs."""
APART = ("audit.vassal", "kernel.hexes", "kernel.plane", "report.replay", "report.pictures", "rulesets.*")
"""Costly parts of rooms. A word for the whole room does not include them."""
COSTLY = {"asyncio", "concurrent", "difflib", "email", "http", "multiprocessing", "sqlite3", "ssl", "xml"}
"""Packages of Python that count as other packages."""
SIGNED = "yaml cython_runtime cryptography"
"""What reads a signed file. Compiled parts of packages have names of their own."""
ACTS = {
    "--help": START,
    "mcp --help": START,
    "rule SYSTEM 9.1": f"{MODULES['views.rules']} PLAYED yaml cython_runtime",
    "verify FILE": f"{MODULES['proof.audit']} audit.laid kernel.events kernel.words {SIGNED}",
    "check DRAFT": f"{MODULES['play.turn']} PLAYED {SIGNED}",
    "order GAME": f"{MODULES['orders.order']} desk.games PLAYED {SIGNED}",
    "order GAME posture engage": f"{MODULES['orders.order']} desk.games PLAYED {SIGNED}",
    "status GAME": f"{MODULES['play.status']} PLAYED {SIGNED}",
    "adjudicate FILE": f"{MODULES['proof.adjudicating']} PLAYED {SIGNED}",
}
"""Typed words -> what the whole command may load. PLAYED: the rules of the game, no other rules."""


def find_excess(what, allowed):
    """Run a line of Python in a new process; return the loaded modules of rooms and packages without a word."""
    code = f"import sys; before = {{*sys.modules}}; {what}; print(*sys.modules.keys() - before, file=sys.stderr)"
    words, environment = [sys.executable, "-P", "-c", code], {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(words, env=environment, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    names = {*map(name_room, ran.stderr.splitlines()[-1].split())} - {""}
    return sorted(name for name in names if not is_allowed(name, allowed.split()))


def name_room(module):
    """Return the room of a module and its part, or another package, or '' for a part of Python."""
    package, _dot, rest = module.partition(".")
    ignored = package.startswith("_") or package in sys.stdlib_module_names - COSTLY
    return ".".join(rest.split(".")[:2]) if package == "kursk_pbem" else "" if ignored else package


def is_allowed(name, words):
    if any(fnmatch(name, part) for part in APART):
        words = [word for word in words if "." in word]
    return any(f"{name}.".startswith(f"{word}.") or word.startswith(f"{name}.") for word in words)


def test_the_table_names_the_module_of_every_command():
    assert sorted(MODULES) == sorted({module for module, _line in COMMANDS.values()})


@pytest.mark.some(12)
@pytest.mark.parametrize("module", MODULES)
def test_a_command_loads_nothing_that_its_words_do_not_allow(module):
    excess = find_excess(f"import kursk_pbem.cli.{module}", MODULES[module])
    assert not excess, f"cli.{module} may not load {', '.join(excess)}"


def find_excess_of_act(words, kit, **places):
    places |= {"SYSTEM": kit.id, "FILE": finished_games.folder_of(kit, next(iter(kit.plots))) / "0004.yaml"}
    typed = [str(places.get(word, word)) for word in words.split()]
    ground = "plane" if kit.id == "armor-commander" else "hexes"
    played = f"rulesets.{kit.id.replace('-', '_')} kernel.{ground}"
    what = f"from kursk_pbem.cli import run; run({typed}) and sys.exit('refused')"
    return find_excess(what, ACTS[words].replace("PLAYED", played))


@pytest.mark.some(4)
@pytest.mark.parametrize("act", ACTS)
def test_a_plain_act_loads_nothing_that_its_words_do_not_allow(german, game, draft, act):
    """The desk has no mails, so no command needs sqlite3."""
    (german / "private/post/post.sqlite").unlink()
    excess = find_excess_of_act(act, registry.kit(registry.SAMPLE), GAME=game, DRAFT=draft)
    assert not excess, f"'kursk {act}' may not load {', '.join(excess)}"


@pytest.mark.some(4)
@pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)
def test_adjudication_loads_the_rules_of_the_game_alone(kit):
    excess = find_excess_of_act("adjudicate FILE", kit)
    assert not excess, f"'kursk adjudicate' of {kit.id} may not load {', '.join(excess)}"
