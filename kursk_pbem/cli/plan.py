"""moves, odds: what may be done, and what it can lead to."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import home, json_option, say, say_json
from kursk_pbem.cli.games import AHEAD, game_and_more, game_argument, only


@cli.command()
@game_argument(want=AHEAD)
@json_option
def odds(path: Path, as_json: bool) -> None:
    """Exact chances of every way in which each declared battle or shot can end.

    PATH is a draft (what it declares), or a game folder or signed message in which what is declared waits for dice.
    """
    from kursk_pbem.desk import outlook
    from kursk_pbem.report import odds as report

    seen = outlook.look(path, home(), ahead=False)
    found = outlook.odds(seen)
    if as_json:
        say_json({"game": seen.game.chain.game, "turn": seen.state.turn, "declared": report.to_json(found)})
        return
    if not found:
        say(f"Nothing is declared and waiting, {seen.what}. Name a draft to see the odds of what it declares.")
        return
    what = "Battles declared" if all(each.fought for each in found) else "Declared"
    title = f"{what}, turn {seen.state.turn}, {seen.what}"
    say(report.render(title, found, seen.game.ruleset.seen.words(seen.game.setting)).rstrip("\n"))


@cli.command()
@game_and_more("[GAME] [UNIT]", want=AHEAD, most=1)
@json_option
def moves(path: Path, more: tuple[str, ...], as_json: bool) -> None:
    """Where units may go and at what cost, whom they can attack at which odds.

    PATH is a game folder, a signed message or a draft; shown is the side that writes next, or the one UNIT by its id.
    """
    from kursk_pbem.desk import outlook
    from kursk_pbem.report import moves as report

    unit = only(more)
    seen = outlook.look(path, home(), ahead=True)
    found = outlook.outlook(seen, unit)
    if as_json:
        say_json({"game": seen.game.chain.game, "turn": seen.state.turn, **report.to_json(found)})
        return
    ruleset, setting = seen.game.ruleset, seen.game.setting
    words = ruleset.seen.words(setting)
    if not unit:
        title = f"What the {words.side(found.side)} side may do, turn {seen.state.turn}, {seen.what}"
        say(report.of_side(title, found, words).rstrip("\n"))
        return
    title = f"What {words.unit(unit)} ({unit}) may do, turn {seen.state.turn}, {seen.what}"
    picture = ruleset.seen.picture(setting, seen.state)
    say(report.of_unit(title, found, words, picture).rstrip("\n"))
