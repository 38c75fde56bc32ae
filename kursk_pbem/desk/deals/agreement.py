"""Terms of a proposal for its reader: rules, options, keys, the referee's part, the scenario's data."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from contextlib import suppress

from kursk_pbem.desk.ground import machine
from kursk_pbem.errors import KurskError
from kursk_pbem.formats import packages, times
from kursk_pbem.game import keyring, scenarios
from kursk_pbem.game.games import Game
from kursk_pbem.kernel import given
from kursk_pbem.kernel.ruleset import PLAYERS
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.words import party, plural
from kursk_pbem.rulesets import ruleset as find_ruleset

NAME, NOTE = 60, 200
"""Maximum number of characters that the terms show of a stranger's name and of a stranger's note."""
ROLLED = (
    "The referee rolls the dice, and commits to every roll before your message arrives. The referee therefore cannot "
    "choose the dice, but knows the dice earlier than you do and could tell your opponent."
)
RELAYED = (
    "A referee relays, and gets a copy of every mail. Compare the referee's fingerprint too.",
    "  The referee may sign the arrival and the deadline of a message, and may declare the game lost after a missed",
    "  deadline. You accept the times on the referee's word: no file can prove a time.",
    "  The referee may not order, roll, choose or see hidden choices; no file of the referee can change a move or die.",
)


def cut(text: str, most: int = NAME) -> str:
    """Return a text by a stranger as one line of at most ``most`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def tell_day(time: str) -> str:
    """Return a time for pages, with the day in words."""
    return times.tell_day(time)


def describe_game(loaded: Scenario, options: Mapping[str, str], side: str) -> dict[str, str]:
    """Return a sentence about a game for the player of a side: title, length, both sides, victory points given."""
    ruleset = find_ruleset(loaded.ruleset)
    words = ruleset.seen.words(scenarios.make_setting(ruleset, loaded, options, PLAYERS))
    turns = len(loaded.data["scenario"].get("turns", ()))
    each = -(-turns * ruleset.messages // 2)
    length = [plural(turns, "turn")] * bool(turns) + [f"about {each} messages each way"] * bool(each)
    sides = [(words.side(who), party(who, words.side(who))) for who in (side, ruleset.other(side))]
    you, them = (f"the {name}s" if name.endswith(("an", "et")) else told for name, told in sides)
    title = scenarios.full_title(ruleset, loaded.title)
    short = scenarios.remove_system(ruleset, loaded.title).partition(",")[0]
    given_to = [(who, number) for who, number in given.read_points(options, ruleset.sides).items() if number]
    points = "".join(
        f"The {words.side(who)} side gets {plural(number, 'victory point')} at the end; a tie goes to the other side."
        for who, number in given_to
    )
    return {"title": title, "short": short, "length": ", ".join(length), "you": you, "them": them, "points": points}


def describe_terms(game: Game, side: str) -> list[str]:
    """Return the lines that tell a player the terms of a game."""
    scenario, options = game.setting.scenario, game.chain.head["options"]
    lines = [
        f"You are invited to play {game.title} as the {side} side.",
        f"rules: {game.ruleset.id}, adjudication version {game.version}",
        *textwrap.wrap(describe_outdated(game), 78, initial_indent="  ", subsequent_indent="  "),
        *_describe_package(game),
        f"scenario: {scenario.id}, data {scenario.sha256[:32]}",
        *_describe_old_data(scenario),
        "options: " + (", ".join(f"{k}={v}" for k, v in options.items()) or "none"),
        *(f"  {option.key} {option.text}" for option in game.ruleset.options if option.key in options),
    ]
    if (tournament := game.chain.head.get("tournament")) is not None:
        lines.append(f"tournament: {tournament['id'][:16]}, board {tournament['board']}")
        lines += [
            f"  {who} gives away {price} victory points for the side, at the tournament's count"
            for who, price in sorted(tournament.get("handicap", {}).items())
        ]
    lines += [f"key of {who}: {fingerprint}" for who, fingerprint in keyring.make_fingerprints(game.chain.keys).items()]
    if game.chain.refereed:
        lines += textwrap.wrap(f"{ROLLED} {game.ruleset.seen.refereed}")
    lines.append("Compare the opponent's fingerprint by telephone or on a page you trust.")
    if "referee" in game.chain.keys and game.chain.head["dice-from"] == "players":
        lines += RELAYED
    return lines + describe_changed_data(game)


def _describe_package(game: Game) -> list[str]:
    """Return a line about the package that brings the rules; no lines for our rulesets."""
    pin = game.chain.head["ruleset"].get("package")
    return [f"code: package {packages.describe(pin)}, as installed here"] if pin else []


def describe_outdated(game: Game) -> str:
    """Return a warning if a game has an earlier version of the adjudication (decision 44), otherwise ''."""
    if game.over or game.version == game.ruleset.version:
        return ""
    return (
        f"the game pins adjudication {game.version} of {game.ruleset.id}, but this program decides by "
        f"{game.ruleset.version} and may stop at a repaired rule. The newest release with adjudication {game.version} "
        "plays the game to its end"
    )


def _describe_old_data(scenario: Scenario) -> list[str]:
    """Return a warning about scenario data of another version; no lines for current data."""
    with suppress(KurskError):
        if scenarios.load(scenario.id).sha256 == scenario.sha256:
            return []
    why = "This program has newer or changed data of the scenario. The proposal's data may lack corrections."
    return textwrap.wrap(why, 78, initial_indent="  ", subsequent_indent="  ")


def describe_changed_data(game: Game) -> list[str]:
    """Return lines about the parts of a scenario that differ from the printed game."""
    ours = scenarios.describe_unattested(game.setting.scenario)
    also = " (also in 'kursk scenario --data')" if machine.get_machine().programs else ""
    lines = [f"Differences from the printed game{also}:"] if ours else []
    for word, parts in ours.items():
        told = f"{word} ({scenarios.MEANINGS[word]}): {parts}"
        lines += textwrap.wrap(told, 78, initial_indent="  ", subsequent_indent="    ")
    return lines
