"""Forms offer all orders: a player who knows only forms plays every system, and the forms agree with the schemas."""

import os
from collections import Counter
from dataclasses import replace
from fnmatch import fnmatch

import pytest
from helpers import registry, signed_play

from kursk_pbem import testing
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import precheck
from kursk_pbem.kernel.forms import LEGAL, NOT_UNDERSTOOD, REFUSED
from kursk_pbem.kernel.verbs import CHOICE, edit_draft
from kursk_pbem.testing import make_form_player

IDS = [*registry.TOYS, *registry.KITS]
GAMES = 20
WHOLE = pytest.mark.skipif("KURSK_FORMS" not in os.environ, reason="takes half an hour: make forms")
PARTS = ("orders", "policy", "choice")
"""The parts of a schema with the content of orders."""
SEEDS = {"battle-for-kursk": (0, 6, 13), "kursk-1971": (0, 7, 14), "juggernauts": (6, 7), "armor-commander": (0, 1)}
"""Seeds of games in which nearly everything is offered, with and without options; eight games of a toy."""
TYPED = "a form offers the end of a move; only typed words give a path"
UNOFFERED = {
    "armor-commander": {},
    "battle-for-kursk": {
        "orders/armor-and-rail/path": TYPED,
        "orders/movement/path": TYPED,
        "orders/battles/offensive*": "a leader and its supporters are needed together, which a form cannot say",
        "orders/returns*": "only after a retreat over the own edge of the map, which is rare",
        "policy/hexes*": "typed: a form offers answers for all units and for each battle",
        "policy/units*": "typed: a form offers answers for all units and for each battle",
        "policy/battles/[*]/stand-fast*": "only for a defender in a Major City",
        "policy/battles/[*]/exchange-dr*": "only for a defender in a fortification or city",
    },
    "juggernauts": {
        "orders/battles/pressed=no": "a part left out means no",
        "orders/movement/path": TYPED,
        "orders/replacements/*": "only with saved factors for a lost tank unit",
    },
    "kursk-1971": {"orders/movement/path": TYPED, "orders/motorized/path": TYPED},
    "hex-toy": {
        "orders/march/path": TYPED,
        "policy/hexes*": "only in the file of a draft",
        "policy/assaults*": "only in the file of a draft",
    },
    "plane-toy": {},
    "ridge-toy": {"orders/movement/path": TYPED, "policy/hexes*": "only with a referee, when units are adjacent"},
}
"""System -> lists, keys and words of its schema that no form offers in these games, with the reason."""
UNORDERED = {"battle-for-kursk": {"decide", "return"}}
"""Words for rare dice: an open choice of a defender, and units that left the map."""
SEALS = {
    "armor-commander": {"deployment": ("orders", "deployment"), "orders/": ("orders", "units")},
    "battle-for-kursk": {"posture/": ("choice", "")},
    "juggernauts": {"deployment/": ("orders", "placement")},
    "plane-toy": {"plot/": ("orders", "models")},
}
"""System -> beginning of the label of a seal -> the part of the schema for its content."""


@pytest.fixture(autouse=True)
def _plugged(plugged):
    """Plug in the toys."""


def play(kit, seed, refereed, ruleset=None):
    """Play a game by forms alone; return the counts of its orders."""
    players, ruleset = [], ruleset or kit.ruleset

    def make(setting, rng):
        players.append(make_form_player(ruleset)(setting, rng))
        return players[0]

    scenario, options = kit.of_seed(seed)
    for _message in testing.play_game(kit.ruleset, make, kit.setting(scenario, options, refereed=refereed), seed):
        pass
    return players[0].told


def check_share(told):
    """Check that under a quarter of the orders is refused."""
    wrong = told[REFUSED] + told[NOT_UNDERSTOOD]
    assert told[LEGAL], told
    assert 4 * wrong < told[LEGAL] + wrong, told


def list_words(kit, seed=0):
    scenario, options = kit.of_seed(seed)
    return kit.ruleset.seen.verbs(kit.setting(scenario, options))


# The schema


def follow(node, file):
    """Return the schema behind a reference, with its file."""
    while "$ref" in node:
        name, _, inner = node["$ref"].partition("#/$defs/")
        file = name or file
        node = precheck.load(file)["$defs"][inner]
    return node, file


def list_spots(node, file, path):
    """Yield every list, key and word of a schema as a path; '*' stands for any key."""
    node, file = follow(node, file)
    yield path
    yield from (f"{path}={word}" for word in node.get("enum", ()))
    for name, inner in node.get("properties", {}).items():
        yield from list_spots(inner, file, f"{path}/{name}")
    if isinstance(others := node.get("additionalProperties"), dict):
        yield from list_spots(others, file, f"{path}/*")
    if "items" in node:
        yield from list_spots(node["items"], file, path)


def list_written(value, node, file, path):
    """Yield the lists, keys and words of a schema that a value has."""
    node, file = follow(node, file)
    yield path
    if "enum" in node:
        yield f"{path}={value}"
    if isinstance(value, dict):
        for key, inner in value.items():
            known = key in node.get("properties", {})
            then = node["properties"][key] if known else node["additionalProperties"]
            yield from list_written(inner, then, file, f"{path}/{key if known else '*'}")
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from list_written(inner, node["items"], file, path)


def open_seals(rid, draft):
    """Return a draft with the content of its seals in the clear; the schemas do not know sealed content."""
    draft = dict(draft)
    for label, value in draft.get("seal", {}).items():
        for start, (part, name) in SEALS.get(rid, {}).items():
            if label.startswith(start):
                draft[part] = {**draft.get(part, {}), name or label: value}
    return draft


def watch_forms(ruleset, written):
    """Return a ruleset that lists all drafts after its orders, also after each single choice of a form."""

    def watch(verb):
        def write(ask, words):
            edits = verb.write(ask, words)
            written.append((verb.name, words, edit_draft(ask.draft, edits)))
            return edits

        def clauses(ask, words):
            found = verb.clauses(ask, words)
            for chosen in found:
                for word, _text in chosen.among if chosen.kind == CHOICE else chosen.among[:1]:
                    try:
                        write(ask, [*words, *_fill(found, chosen, word)])
                    except UsageError:
                        continue
            return found

        return replace(verb, write=write, clauses=verb.clauses and clauses)

    verbs = ruleset.seen.verbs
    return replace(ruleset, seen=replace(ruleset.seen, verbs=lambda setting: tuple(map(watch, verbs(setting)))))


def _fill(clauses, chosen, word):
    """Yield the words of an order with this choice, and the first choices of needed parts."""
    for clause in clauses:
        said = word if clause is chosen else clause.among[0][0] if clause.needed and clause.among else ""
        said = said or (clause.among[0][0] if not clause.word and clause.among else "")
        yield from [*([clause.word] if said and clause.word else []), *said.split()]


# Tests


@pytest.mark.parametrize("rid", IDS)
def test_a_word_with_arguments_has_a_form(rid):
    kit = registry.kit(rid)
    words = [word for seed in range(8) for word in list_words(kit, seed)]
    assert words
    assert [word.name for word in words if word.usage and not word.clauses] == []


@pytest.mark.parametrize("rid", [pytest.param(rid, marks=WHOLE) if rid in registry.KITS else rid for rid in IDS])
def test_forms_offer_exactly_the_words_of_the_schema(rid):
    """No order from a form is strange to the schema, and no part of the schema is missing without a reason."""
    kit, written = registry.kit(rid), []
    file = f"{kit.ruleset.schema}.schema.json"
    schema = precheck.load(file)["properties"]
    known = {spot for part in PARTS if part in schema for spot in list_spots(schema[part], file, part)}
    met = set()
    watched = watch_forms(kit.ruleset, written)
    for seed in SEEDS.get(rid, range(4)):
        for refereed in (False, True):
            play(kit, seed, refereed, watched)
            for name, words, bare in written:
                draft = open_seals(rid, bare)
                assert precheck.is_accepted(draft, kit.ruleset.schema), (name, words, draft)
                for part in {*PARTS} & draft.keys():
                    met.update(list_written(draft[part], schema[part], file, part))
            written.clear()
    missing = {spot for spot in known - met if not any(fnmatch(spot, each) for each in UNOFFERED[rid])}
    assert sorted(missing) == []
    assert met <= known


@pytest.mark.some(7)
@pytest.mark.parametrize(("rid", "refereed"), [(rid, rid == "juggernauts" or rid in registry.TOYS) for rid in IDS])
def test_a_player_of_forms_ends_a_game(rid, refereed):
    """In Juggernauts every word that is made of what a form offers is understood."""
    told = play(registry.kit(rid), 1, refereed)
    check_share(told)
    assert rid != "juggernauts" or not told[NOT_UNDERSTOOD]


@WHOLE
@pytest.mark.parametrize("rid", IDS)
def test_a_player_of_forms_orders_every_word(rid):
    """Twenty games in each dice mode end without violations; few orders are refused."""
    kit, told = registry.kit(rid), Counter()
    for seed in range(GAMES):
        for refereed in (False, True):
            told += play(kit, seed, refereed)
    check_share(told)
    words = {word.name for seed in range(GAMES) for word in list_words(kit, seed)}
    assert words - told.keys() <= UNORDERED.get(rid, set())


@WHOLE
@pytest.mark.parametrize("rid", [*registry.KITS, "ridge-toy"])
@pytest.mark.parametrize("seed", [3, 4])
def test_signed_games_of_forms_verify(rid, seed, tmp_path):
    """The desks compare each message; every second game has a referee."""
    kit = registry.kit(rid)
    played = signed_play.play_game(replace(kit, chooser=make_form_player(kit.ruleset)), tmp_path, seed)
    assert played.end != "unfinished"
    assert played.refereed == (seed == 4)
