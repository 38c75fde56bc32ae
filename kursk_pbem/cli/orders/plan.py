"""moves, odds, hint: possible moves, the chances of battles, ideas that a draft leaves out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, jsonlines
from kursk_pbem.cli.common import desk_at, home, in_json, json_option, map_columns, say, say_json, say_wrapped
from kursk_pbem.cli.games import AHEAD, completion_of, game_and_more, pick_path
from kursk_pbem.desk.draft import ordering, prospects, wants
from kursk_pbem.errors import UsageError
from kursk_pbem.report import moves as of_moves
from kursk_pbem.report import odds as of_odds
from kursk_pbem.report import textmap

if TYPE_CHECKING:
    from kursk_pbem.desk.draft.prospects import Prospect
    from kursk_pbem.desk.draft.wording import DraftFile


OVER = "The game is over; no more orders are possible."
ENDS = "Your dice end the game; no more orders are possible."
STANDS = "From the present positions the rules would allow:"
NAMED = "Name a unit to see the possible moves."


@cli.command()
@game_and_more("[GAME] [BATTLE]", want=AHEAD)
@click.option("--plan", default="", help=f"The chances of a plan with all battles: {wants.HEXES}; {wants.TABLE}.")
@click.option("--with", "other", default="", metavar="GAME", help="With --plan: compare with another game.")
@json_option
def odds_command(path: Path, more: tuple[str, ...], plan: str, other: str) -> None:
    """Print the exact chances of every result of each declared battle or shot.

    The command uses the legal declarations in your draft of GAME. Without a draft, or for a signed message, it uses
    the declarations that wait for dice. BATTLE, an id or a hex, shows one battle. --plan shows how likely your goals
    are after all battles together, such as 'take 2113 and lose at most 2 steps'; --with adds the chances of the same
    goals in another game, for example in a what-if game.
    """
    seen = prospects.open_prospect(path, home(), ahead=False)
    if other and not plan:
        raise click.UsageError("--with compares the chances of one plan in two games: add --plan with the plan")
    if plan:
        _say_plan(seen, plan, prospects.open_prospect(pick_path(other, AHEAD), home(), ahead=False) if other else None)
        return
    battles = of_odds.find_battles(prospects.compute_odds(seen), " ".join(more))
    if in_json():
        say_json("odds", {**_head_facts(seen), "declared": of_odds.to_json(battles)})
        return
    say_wrapped(seen.left_out, quiet=not seen.left_out)
    if not battles:
        end = "; the game is over" * seen.game.over
        hint = "To see a battle that was fought, type the message that ordered the battle, as in NAME/2."
        say(f"No battle or shot is declared ({seen.what}){end}. {hint}")
        return
    what = "Battles declared" if all(chances.fought for chances in battles) else "Declared"
    title = f"{what}, turn {seen.state.turn}, {seen.what}"
    say(of_odds.render_odds(title, battles, seen.game.ruleset.seen.words(seen.game.setting)).rstrip("\n"))


def _say_plan(seen: Prospect, text: str, other: Prospect | None = None) -> None:
    """Print the chances of a plan; with ``other``, next to the chances in another line of play."""
    if in_json():
        there = {"with": wants.to_json(other, text)} if other else {}
        say_json("odds", {**_head_facts(seen), "declared": [], "plan": wants.to_json(seen, text), **there})
        return
    say_wrapped(seen.left_out, quiet=not seen.left_out)
    say("\n".join(wants.compare_plans(seen, other, text) if other else wants.describe_plan(seen, text)))


@cli.command()
@game_and_more("[GAME] [take N]", fixed=("take",))
@json_option
def hint_command(path: Path, more: tuple[str, ...]) -> int:
    """Print up to three ideas that your draft of GAME leaves out: attacks, other orders, or a whole plan.

    The command prints each idea with the exact odds and the program's estimate of the victory points gained one message
    ahead. In some systems it also prints a fear: the likely gain of the enemy's next attacks. A hint rests only on what
    you may know: the position, your own seals and your own dice.

    'hint take N' writes the orders of hint N into your draft; 'kursk order undo' takes them back. A whole plan takes
    the place of your orders.
    """
    from kursk_pbem.practice import hints

    desk = desk_at(path)
    if more:
        return _take_hint(ordering.open_draft(desk), more)
    sheet = hints.open_sheet(desk)
    found = hints.find_hints(sheet)
    if in_json():
        plain = [hints.to_plain(advice) for advice in found]
        say_json("hint", {"game": sheet.desk.game.chain.game, "seq": sheet.desk.seq, "hints": plain})
        return 0
    for line in hints.describe_hints(sheet, found):
        text = line.lstrip()
        say_wrapped(text, line[: len(line) - len(text)], "   ")
    say_wrapped("'kursk hint take 1' writes the orders of hint 1 into your draft.", quiet=not found)
    return 0


def _take_hint(sheet: DraftFile, words: tuple[str, ...]) -> int:
    """Write a hint into the draft, and print it as 'kursk order' prints orders. Raises UsageError."""
    from kursk_pbem.cli.orders import order
    from kursk_pbem.practice import hints

    if words[0] != "take" or len(words) != 2 or not (words[1].isascii() and words[1].isdigit()):
        raise UsageError("type 'kursk hint' to list the hints, or 'kursk hint take N' to write hint N into your draft")
    done = hints.take_hint(sheet, hints.find_hints(sheet), int(words[1][:9]))
    jsonlines.current_results().command = "order"  # the record of a written draft
    return order.print_written(sheet, done)


@cli.command()
@game_and_more("[GAME] [UNIT]", want=AHEAD, complete=completion_of("games and units"))
@click.option(
    "--to",
    default="",
    shell_complete=completion_of("pieces"),
    help="Only how units can reach this place: paths, or obstacles.",
)
@json_option
def moves_command(path: Path, more: tuple[str, ...], to: str) -> None:
    """Print the possible moves with costs, and the possible attacks with odds.

    The command shows the side that writes next, or one UNIT, by id or part of the name; the first word is a GAME if it
    names a game. The moves of your draft count as made. Illegal parts of the draft are named and left out.
    """
    seen, unit, place = _find_asked(path, " ".join(more), to)
    ruleset, setting = seen.game.ruleset, seen.game.setting
    picture = ruleset.seen.picture(setting, seen.state)
    outlook = prospects.compute_outlook(seen, unit)
    reasons = prospects.explain(seen, unit, place) if unit and place else ()
    everybody = [mover.unit for phase in outlook.phases for mover in phase.movers]
    barred = {uid: prospects.explain(seen, uid, place) for uid in everybody if place and picture.form == "plane"}
    if in_json():
        shown = of_moves.to_json(
            of_moves.select_able(outlook, barred)
            if barred
            else of_moves.select_towards(outlook, place)
            if place
            else outlook
        )
        say_json("moves", {**_head_facts(seen), **shown, **({"to": place, "why": list(reasons)} if place else {})})
        return
    words = ruleset.seen.words(setting)
    say_wrapped(seen.left_out, quiet=not seen.left_out)
    say(f"{OVER if seen.game.over else ENDS} {STANDS if unit or place else NAMED}", quiet=not seen.over)
    name = f"{words.unit(unit)} ({unit})"
    when = f"turn {seen.state.turn}, {seen.what}"
    if place and unit:
        text = of_moves.describe_way(f"{name} to {words.place(place)}, {when}", outlook, words, place, reasons)
    elif place:
        title = f"Ways of the {words.side(outlook.side)} side to {words.place(place)}, {when}"
        text = (
            of_moves.describe_spot(title, outlook, words, barred)
            if barred
            else of_moves.describe_place(
                title, outlook, words, picture, place, prospects.explain_unreached(seen, outlook, picture, place)
            )
        )
    elif unit:
        text = of_moves.list_unit_moves(f"Moves and attacks of {name}, {when}", outlook, words, picture, map_columns())
    else:
        title = f"Moves and attacks of the {words.side(outlook.side)} side, {when}"
        text = of_moves.list_side_moves(title, outlook, words, picture)
    say(text.rstrip("\n"), quiet=seen.over and not (unit or place))


def _find_asked(path: Path, said: str, to: str) -> tuple[Prospect, str, str]:
    """Return the position, the unit and the place. Read the place first, because its second word is no unit's name."""
    seen = prospects.open_prospect(path, home(), ahead=True, without=said)
    place = textmap.find_spot(seen.game.ruleset.seen.picture(seen.game.setting, seen.state), to) if to else ""
    try:
        unit = prospects.find_unit(seen, said)
    except UsageError as error:
        raise UsageError(f"{error.message}; for a place, '--to PLACE' lists the ways") from None
    return seen if unit == said else prospects.open_prospect(path, home(), ahead=True, without=unit), unit, place


def _head_facts(seen: Prospect) -> dict[str, str]:
    left = {"left-out": seen.left_out} if seen.left_out else {}
    return {"game": seen.game.chain.game, "turn": seen.state.turn, **left}
