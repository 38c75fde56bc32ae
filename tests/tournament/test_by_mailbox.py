"""Whole tournaments by a mailbox that referees (chapter 4).

``make test-all`` plays a small tournament; ``make season`` plays 12 players over four rounds; ``make season PLAYERS=32
ROUNDS=5`` and ``make season PLAYERS=16 ROUNDS=3 FORMAT=mirrored`` play larger ones.
"""

from __future__ import annotations

import os

import pytest
from helpers.cup_by_mail import Cup
from helpers.postmen import Faults

from kursk_pbem.desk.ground import clock
from kursk_pbem.tournament.book import clocks, reading
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.records import BYE
from kursk_pbem.tournament.score import table
from kursk_pbem.tournament.score.counted import find_spent

pytestmark = [pytest.mark.long("test-all"), pytest.mark.skipif(os.name == "nt", reason="it forks")]
ASKED = {name: os.environ.get(f"KURSK_{name}", "") for name in ("SEASON", "PLAYERS", "ROUNDS", "FORMAT")}
WHOLE = pytest.mark.skipif(not ASKED["SEASON"], reason="many minutes: make season")
SIZE = (int(ASKED["PLAYERS"] or 12), int(ASKED["ROUNDS"] or 4), ASKED["FORMAT"] or "swiss")
FORMATS = {
    "swiss": ("--system", "hex-toy/fords", "--roll"),
    "mirrored": ("--mirror", "--system", "kursk-1971/july4", "--system", "battle-for-kursk/citadel"),
}
MOST_COMMANDS = 40


def time_is_over(book, board):
    return clock.now() > clocks.begin_by(book, book.boards[board])


def never_begins(cup, boards):
    """Let both players of a meeting stay silent; the director misjudges the board, and corrects the judgement."""
    cup.until(lambda book: all(time_is_over(book, board) for board in boards))
    right, papers = {}, {}
    for board in boards:
        sides = cup.book().boards[board].sides
        right[board] = next(side for side, number in sides.items() if cup.book().entrant(number).name not in cup.asleep)
        wrong = next(side for side in sides if side != right[board])
        cup.direct("tournament", "judge", board, "silence", wrong if board == boards[0] else right[board], "--yes")
        papers[board] = cup.book().head.seq
    said = ("the other one was asleep", "--now", f"winner={right[boards[0]]}", "--yes")
    cup.direct("tournament", "correct", papers[boards[0]], *said)
    cup.days(2)
    cup.asleep.clear()


def everybody_verifies(cup):
    """Check that the tournament is valid in the director's folder, and that each entrant's copy has the same table.

    Entrants without the last letter take the papers from the director's folder.
    """
    proof = verify.verify_tournament(cup.folder)
    assert (proof.status, proof.missing) == (0, ()), proof
    for player in cup.players.values():
        (folder,) = player.friend.place.glob("tournament-*")
        if not reading.read_folder(folder).ended:
            player.friend.kursk("tournament", "inbox", cup.folder / "log", cup.folder / "papers")
            cup.figures["ended by hand"] += 1
        alone = verify.verify_tournament(folder)
        assert (alone.status, [why for why in alone.missing if "is missing" not in why]) == (1, []), alone
        assert alone.book.ended
        assert table.compute_standings(alone.book) == table.compute_standings(proof.book)


def directed(cup, rounds, twins=("",)):
    """Play a tournament with silence, withdrawals, a substitute, a corrected judgement and a bye.

    ``twins``: suffixes of the boards of one meeting.
    """
    never, silent = [f"1-1{twin}" for twin in twins], f"1-2{twins[0]}"
    cup.asleep.add(cup.book().entrant(list(cup.book().boards[never[0]].sides.values())[1]).name)
    gone = cup.falls_silent(silent, 3)
    never_begins(cup, never)
    cup.over()
    name = cup.book().entrant(gone).name
    cup.withdraws(name)
    cup.until(lambda book: book.of_kind(fields.WITHDRAW, gone), most=20)
    cup.direct("tournament", "withdraw", gone, "--yes")
    cup.next_round()
    cup.stands_in("zoe", gone)
    cup.over()
    cup.direct("tournament", "inbox")
    cup.direct("people", "confirm", "--all", "--yes")
    cup.direct("tournament", "substitute", gone, "Zoe has a seat", "--yes")
    for _number in range(3, rounds + 1):
        cup.next_round()
        cup.over()
    cup.direct("tournament", "pair")
    cup.direct("tournament", "end")
    cup.direct("tournament", "publish", "--no-pictures", "-o", "site")
    cup.days(3)
    everybody_verifies(cup)
    book, figures = cup.book(), cup.facts()
    cup.tells(f"by mail: {figures}, {cup.minutes():.1f} minutes of CPU")
    assert cup.bad == []
    assert book.ended
    assert book.boards[silent].outcome.how == "forfeit"
    assert any(find_spent(book, number, 2) == BYE for number in book.numbers)
    assert book.entrant(gone).name == "zoe"
    assert {"withdrawn", "substitute", "correct", "result", "judged"} <= {paper.type for paper in book.log}
    assert figures["killed"] == cup.kills
    assert figures["reminders"] > 0
    assert figures["commands"] <= MOST_COMMANDS, cup.typed
    return figures


def test_six_people_play_three_rounds_by_mail(time, tmp_path):
    cup = Cup(tmp_path, time, players=6, kills=5)
    cup.new("--swiss", 3, "--system", "hex-toy/fords", "--roll", edit={"begin: '14'": "begin: '5'"})
    cup.enter()
    directed(cup, 3)


@WHOLE
def test_a_tournament_by_a_mail_that_errs(time, tmp_path, capsys):
    """Letters come late, twice or never, and servers delay letters; the director is killed fifty times."""

    def tells(line):
        with capsys.disabled():
            print(line, flush=True)

    players, rounds, form = SIZE
    faults = Faults(seed=5, late=4, doubled=4, lost=1, grey=5, doubt=2)
    cup = Cup(tmp_path, time, players=players, kills=50, faults=faults, tells=tells)
    cup.new("--swiss", rounds, *FORMATS[form], edit={"begin: '14'": "begin: '5'"})
    cup.enter()
    assert directed(cup, rounds, ("a", "b") if form == "mirrored" else ("",))["lost"] > 0
