"""status: all games of a player, or the state of one game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import (
    ask,
    complain,
    home,
    home_in_words,
    in_json,
    json_option,
    on_terminal,
    page_columns,
    print_advice,
    say,
    say_json,
    wrap_words,
    yes_option,
)
from kursk_pbem.cli.games import complete_games, pick_path
from kursk_pbem.desk.deals.agreement import describe_outdated
from kursk_pbem.desk.games import overview
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks, lookup
from kursk_pbem.errors import KurskError, LostError, TrustError, UsageError
from kursk_pbem.game import journal, reports, verified
from kursk_pbem.tournament import any_here

if TYPE_CHECKING:
    from kursk_pbem.desk.games.overview import Log, Stand
    from kursk_pbem.game.games import Game

INDENT = "    "
_NO_YEAR = re.compile("^[0-9]{4}-")


@cli.command()
@click.argument("game", metavar="[GAME]", default="", shell_complete=complete_games)
@click.option("--forget", is_flag=True, help="Hide a GAME with a deleted folder from the list.")
@yes_option
@json_option
def status_command(game: str, forget: bool, yes: bool) -> int:
    """Show all your games in a list, or the state of one GAME.

    For one GAME the command shows the last event, your next step, your draft and whether you have edited it, how many
    mails are still to come, and who is ahead.
    """
    if forget:
        return _forget_game(game, yes=yes)
    if not game:
        return _print_all()
    path = pick_path(game)
    if path.is_dir():
        _print_game(path)
    else:
        _print_after(path)
    return 0


def _forget_game(game: str, *, yes: bool) -> int:
    """Hide a game from the list if its folder is gone. Its private record does not change."""
    if not game:
        raise UsageError("type the GAME to hide from the list; 'kursk status' lists the games whose folder is missing")
    known = lookup.find_missing(game, home(), Path())
    ask(f"Leave {known} out of the list of your games? The list shows the game again when the folder is back.", yes=yes)
    if known.own is not None:
        known.own.forget()
    if in_json():
        say_json("status", {"forgot": known.game})
    else:
        say(f"{known} is hidden from the list; your private folder keeps the data")
    return 0


def _print_all() -> int:
    unread = _tournament_faults()
    try:
        stands, faults = overview.list_stands(home(), Path(), _tournament_log())
    except lookup.NoGameError as error:
        for fault in unread:
            complain(fault)
        from kursk_pbem.post.round import early_turns

        begins = f"{error.message}; {home_in_words()}"
        if any(early_turns.list_proposals(home())):
            begins += "; a proposal from a mail waits: accept with 'kursk accept --key FILE'"
        taking_part = "; 'kursk tournament status' shows your tournament" if any_here(home()) else ""
        raise UsageError(begins + taking_part) from None
    if in_json():
        say_json("status", {"games": [_plain_game(stand) for stand in stands]})
    else:
        say("\n".join(_game_table(stands)))
        for line in _list_mail_trouble():
            say(line)
    wrong = [*(stand.fault for stand in stands if stand.fault is not None), *faults, *unread]
    for fault in wrong:
        complain(fault)
        print_advice(fault)
    return max((fault.exit_status for fault in wrong), default=0)


def _list_mail_trouble() -> Iterator[str]:
    """Yield lines on an address that others do not know, and on letters that a server has put off."""
    from kursk_pbem.post.mailbox import outbox
    from kursk_pbem.post.round import new_address
    from kursk_pbem.post.wire import account

    if not account.account_path(home()).exists():
        return
    with suppress(UsageError):  # 'kursk post' names the fault of an account file
        yield from filter(None, [new_address.describe_difference(home(), account.load_account(home()))])
    yield from filter(None, [outbox.describe_put_off(home())])


def _tournament_log() -> Log:
    """Return how tournament logs see a game. Import the tournament code only for tournaments."""
    if not any_here(home()):
        return overview.read_papers
    from kursk_pbem.post.tournaments import directing

    return directing.by_log


def _tournament_faults() -> list[KurskError]:
    """Return the errors of unreadable tournaments. Import the tournament code only for tournaments."""
    if not any_here(home()):
        return []
    from kursk_pbem.post.mailbox import events

    return events.list_faults(home())


def _game_table(stands: list[Stand]) -> list[str]:
    """Return the games in columns, each with a line of the next step and a line of the last event."""
    head = ("game", "opponent", "scenario", "turn", "to write", "since", "draft")
    rows = [head, *(_game_row(stand) for stand in stands)]
    most = page_columns() if on_terminal() else _table_width(rows)
    if _table_width(rows) > most:  # ruleset and year are the least useful columns
        rows = [(*row[:2], row[2].rpartition("/")[2], *row[3:5], _NO_YEAR.sub("", row[5]), row[6]) for row in rows]
    if (more := _table_width(rows) - most) > 0:
        rows = [(row[0], _shorten_line(row[1], max(8, 24 - more)), *row[2:]) for row in rows]
    width = [max(len(row[at]) for row in rows) for at in range(len(head))]
    lines = []
    for row, stand in zip(rows, [None, *stands], strict=True):
        lines.append("  ".join(cell.ljust(size) for cell, size in zip(row, width, strict=True)).rstrip())
        if stand is not None and stand.desk is not None:
            due = f"{stand.due}: " if stand.due else ""
            lines += wrap_words(stand.last, f"{INDENT}last: ", INDENT * 2)
            lines += wrap_words(f"{due}{stand.todo}", f"{INDENT}due:  ", INDENT * 2)
            if stand.dice:
                lines += wrap_words(f"yours have fallen, {stand.dice}", f"{INDENT}dice: ", INDENT * 2)
            if stand.term:
                lines.append(f"{INDENT}deadline: {clock.display_deadline(stand.term)}, by the referee's word")
            if rules := describe_outdated(stand.desk.game):
                lines += wrap_words(rules, f"{INDENT}rules: ", INDENT * 2)
    return lines


def _table_width(rows: list[tuple[str, ...]]) -> int:
    """Return the columns of a table."""
    return sum(max(map(len, cells)) + 2 for cells in zip(*rows, strict=True)) - 2


def _game_row(stand: Stand) -> tuple[str, ...]:
    known, desk = stand.known, stand.desk
    opponent = _shorten_line(known.opponent, 24)
    if desk is None:
        return known.short, opponent, "cannot be read", "", "", "", ""
    game = desk.game
    scenario = str(game.setting.scenario.id)
    whose = "over" if stand.over else "missing" if desk.lost else "you" if desk.mine else game.chain.writer(desk.seq)
    since = clock.display_time(stand.since) if stand.since else ""
    return known.short, opponent, scenario, str(game.state.turn), whose, since, stand.draft or "-"


def _shorten_line(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def _plain_game(stand: Stand) -> dict[str, Any]:
    """Return a game as plain data."""
    known, desk = stand.known, stand.desk
    facts: dict[str, Any] = {
        "game": known.game,
        "folder": str(known.folder),
        "opponent": known.opponent,
        "fault": str(stand.fault) if stand.fault else "",
    }
    if desk is not None:
        facts |= _game_facts(desk.game, desk.last.seq)
        facts |= {"next": "", "verdict": stand.judged} if stand.judged else {}
        facts |= {
            "due": stand.term,
            "scenario": desk.game.setting.scenario.id,
            "you": desk.own_side or "an auditor",
            "mine": desk.mine and not stand.judged,
            "locked": desk.lost or desk.lock,
            "last": stand.last,
            "since": stand.since,
            "draft": stand.draft,
            "dice": stand.dice,
            "brings": stand.due,
            "todo": stand.todo,
        }
    return facts


def _print_game(folder: Path) -> None:
    """Print the player's state in the game of a folder."""
    try:
        desk = desks.open_desk(folder, home())
        stand = overview.make_desk_stand(desk, home(), _tournament_log())
    except TrustError:  # the folder contradicts the journal, but looking is allowed
        _print_after(folder)
        return
    if in_json():
        say_json("status", _plain_game(stand))
        return
    lines = [f"{desk.game.title} ({folder})", *_last_and_next(stand)]
    if stand.draft == overview.EDITED:
        lines.append(f"the draft of message {desk.seq} is edited")
    elif stand.draft == overview.UNTOUCHED:
        lines.append(f"the draft of message {desk.seq} is untouched: the program wrote every choice in the draft")
    against = f", against {' '.join(stand.known.opponent.split())}" if desk.own_side in desk.game.ruleset.sides else ""
    if stand.judged or desk.lost:
        say("\n".join([*lines, *_standing_lines(desk.game)]))
        return
    due = _due_lines(desk.game, desk.own_side, desk.lock, stand.term, against, fallen=bool(stand.dice))
    say("\n".join(lines + due))


def _last_and_next(stand: Stand) -> list[str]:
    """Return the last event and the next step."""
    since = f", {clock.display_time(stand.since)}" if stand.since else ""
    dice = wrap_words(f"YOUR DICE HAVE FALLEN: {stand.dice}", "", "  ") if stand.dice else []
    last, now = (wrap_words(text, "", "  ") for text in (f"last{since}: {stand.last}", f"now: {stand.todo}"))
    return [*last, *dice, *now]


def _print_after(path: Path) -> None:
    """Print the game after one of its messages, or of a folder that contradicts this player's journal."""
    history = verified.load_until(path, home())
    game, folder, seq = history.game, path if path.is_dir() else path.parent, history.last.seq
    own = journal.find(home(), game.chain.game)
    locked = ""
    try:
        if own is not None:
            desks.compare_journal(folder, game, own)
    except LostError as error:
        locked = str(error)
    if in_json():
        say_json("status", _game_facts(game, seq) | {"you": own.side if own else "an auditor", "locked": locked})
        return
    lines = [f"{game.title} ({folder})"]
    say("\n".join(lines + _due_lines(game, own.side if own else "", locked, game.papers.due(seq))))


def _game_facts(game: Game, seq: int) -> dict[str, Any]:
    low, high = game.mails_to_come
    return {
        "game": game.chain.game,
        "head": game.chain.head_id,
        "messages": seq + 1,
        "turn": game.state.turn,
        "stage": game.state.stage,
        "next": "" if game.over else game.chain.writer(game.chain.next_seq),
        "mails": {"least": low, "most": high},
        "due": "" if game.over else game.papers.due(seq),
        "offer": reports.describe_offer(game.chain.offer) if game.chain.offer else "",
        "verdict": game.verdict.text if game.verdict else "",
        "outdated": describe_outdated(game),
        "standing": [list(row) for row in game.ruleset.seen.standing(game.setting, game.state)],
    }


def _due_lines(game: Game, side: str, locked: str, term: str, against: str = "", *, fallen: bool = False) -> list[str]:
    """Return the due message, the number of mails to come, and the standing; ``fallen``: before the next dice."""
    lines, seq = [], game.chain.next_seq - 1
    if game.verdict:
        lines.append(game.verdict.text)
    else:
        low, high = game.mails_to_come
        count = f"{low} to {high} more mails" if low < high else f"{low} more mail{'s' if low > 1 else ''}"
        offer = reports.describe_offer(game.chain.offer) if game.chain.offer else ""
        due = f"the reply to an offer, {offer}: kursk reply" if offer else game.brings
        due = "to hand on" if game.hands_on else due
        you = f"the {side.capitalize()} side" if side in game.ruleset.sides else side and f"the {side}"
        you = you or f"an auditor here ({home_in_words()})"
        lines += [
            f"turn {game.state.turn}; due is message {seq + 1} of {game.due}: {due}",
            f"this turn will take {count}, including the due message; you are {you}{against}",
        ]
        if locked:
            lines.append(f"SIGNING IS LOCKED: {locked}")
        if rules := describe_outdated(game):
            lines += wrap_words(rules, "rules: ", "  ")
        if term:
            told = clock.display_deadline(term)
            lines.append(f"message {seq + 1} is due {told}, by the referee's word about message {seq}")
            lines += filter(None, [game.papers.describe_receipts(seq)])
    before = [f"after message {seq}, before your dice:"] if fallen else []
    return [
        *lines,
        *before,
        *_standing_lines(game),
        f"head {game.chain.head_id[:32]}, {seq + 1} message{'s' if seq else ''}",
    ]


def _standing_lines(game: Game) -> list[str]:
    rows = game.ruleset.seen.standing(game.setting, game.state)
    width = max((len(row[0]) for row in rows if len(row) == 3), default=0)
    return [
        f"  {row[0]:<{width}}  {row[1]:>14}  {row[2]:>18}" if len(row) == 3 else f"  {row[0]}: {row[1]}" for row in rows
    ]
