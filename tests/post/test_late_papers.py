"""What people in a tournament sign, and get, by mails that were held up, or in one fetch with what came after."""

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

from helpers.cup_by_mail import Cup, closed, enters, paired
from helpers.refereed_mail import begun

from kursk_pbem.tournament import private
from kursk_pbem.tournament.entrant import seat as seats
from kursk_pbem.tournament.entrant import words

DAY = timedelta(days=1)


def test_7_an_entrant_who_gets_field_and_seed_in_one_fetch_commits_to_a_later_draw(time, tmp_path):
    """Of a draw that was drawn meanwhile nothing was opened, and they were left out of all later rounds."""
    cup = Cup(tmp_path, time, players=3)
    cup.new("--swiss", 3, "--system", "hex-toy/fords")
    for name in cup.players:
        enters(cup, name)
    cup.direct("tournament", "inbox")
    paired(cup)

    def passes(days, *members):
        for _day in range(days):
            cup.time.now += DAY
            for member in (*members, cup.ref):
                member.post()

    cup.direct("tournament", "pair")
    passes(2)
    board = cup.book().boards["1-1"]
    (bye,) = (each for each in cup.book().entrants.values() if each.number not in board.sides.values())
    late = cup.players[bye.name]
    others = [player for player in cup.players.values() if player is not late]
    passes(16, *others)
    cup.direct("tournament", "judge", "1-1", "silence", "violet", "--yes")
    cup.direct("tournament", "pair")
    passes(9, *others)
    cup.direct("tournament", "pair")
    passes(1)
    assert cup.book().draws[1].missing == (bye.entry,)
    passes(3, late)
    (record,) = private.every(late.friend.home)
    assert [name for name in record.entries() if name.startswith("open")] == ["open-0-1", "open-1-2"]
    assert sorted(cup.book().entrants[bye.entry].commits) == [0, 1, 2]


def test_5_a_withdrawal_that_comes_between_the_closed_field_and_the_numbers_counts(entered):
    """It was filed under no number: the director was told that they had signed none."""
    closed(entered)
    leaves = entered.players["p01"]
    folder = leaves.friend.place / f"tournament-{entered.book().id[:16]}"
    leaves.friend.kursk("tournament", "withdraw", "--yes", "--in", folder)
    leaves.post()
    entered.time.now += DAY
    entered.ref.post()
    entered.direct("tournament", "pair")
    entered.ref.sits()
    (entrant,) = (each for each in entered.book().entrants.values() if each.name == "p01")
    assert any(f"withdraw {entrant.number}" in line for line in entered.ref.errand.chair.pending())
    entered.direct("tournament", "withdraw", "p01", "--yes", "--in", entered.folder)
    assert entered.book().entrant(entrant.number).left == 1


def test_5_of_two_new_keys_the_one_that_was_logged_signs(entered):
    """The first was held up for ever; the desk waited for it, and went on with the old one."""
    entered.direct("people", "confirm", "--all", "--yes")
    player = entered.players["p01"]
    friend = player.friend

    def wants(name):
        friend.kursk("keygen", name)
        (record,) = private.every(friend.home)
        with friend.sitting():
            words.new_key(seats.sit(Path(record.folder), friend.home), friend.place / name)
        player.post()

    wants("first")
    entered.time.now += DAY
    assert list(entered.office.take(entered.ref.address))
    paired(entered)
    entered.direct("tournament", "pair")
    for _round in range(2):
        entered.ref.post()
        entered.time.now += DAY
        player.post()
    wants("second")
    entered.time.now += DAY
    entered.ref.post()
    entered.direct("tournament", "key", "p01")
    (record,) = private.every(friend.home)
    with friend.sitting():
        seat = seats.sit(Path(record.folder), friend.home)
        seats.take(seat, [*entered.book().log, *entered.book().papers.values()])
    (record,) = private.every(friend.home)
    assert Path(record.key).name == "second"


def test_an_absence_that_comes_with_the_proposal_of_one_more_game_is_of_that_one_too(relayed):
    """It was noted for the games that were there before the round, as questions are."""
    one, other = relayed.players.values()
    game = begun(SimpleNamespace(ref=relayed.ref.friend), one.friend, other.friend)
    mail = f"From: {one.address}\r\nMessage-ID: <a@example.test>\r\n\r\nABSENT 2026-09-10 2026-09-20\r\n"
    relayed.office.put(mail.encode(), relayed.ref.address)
    relayed.ref.post()
    told = [line for line in relayed.ref.errand.chair.pending() if "will be away" in line]
    board = relayed.book().boards["1-1"].game
    assert all(any(id_[:8] in line for line in told) for id_ in (game, board)), told
