"""Tournament papers by delayed mails, or in one fetch with later papers."""

from helpers.cup_by_mail import Cup, enters, pair_first_round

from kursk_pbem.tournament import private
from post.refereed_mail import DAY


def test_7_an_entrant_who_gets_field_and_seed_in_one_fetch_commits_to_a_later_draw(time, tmp_path):
    """Bug: the entrants did not open the earlier draw, and lost all later rounds."""
    cup = Cup(tmp_path, time, players=3)
    cup.new("--swiss", 3, "--system", "hex-toy/fords")
    for name in cup.players:
        enters(cup, name)
    cup.direct("tournament", "inbox")
    pair_first_round(cup)

    def passes(days, *members, step=1):
        for _round in range(days // step):
            cup.time.now += step * DAY
            for member in (*members, cup.ref):
                member.post()

    cup.direct("tournament", "pair")
    passes(2)
    board = cup.book().boards["1-1"]
    (bye,) = (each for each in cup.book().entrants.values() if each.number not in board.sides.values())
    late = cup.players[bye.name]
    others = [player for player in cup.players.values() if player is not late]
    passes(16, step=16)
    cup.direct("tournament", "judge", "1-1", "silence", "violet", "--yes")
    cup.direct("tournament", "pair")
    passes(8, *others, step=4)
    cup.direct("tournament", "pair")  # names the missing entrant
    passes(3, *others, step=3)
    cup.direct("tournament", "pair")
    passes(1)
    assert cup.book().draws[1].missing == (bye.entry,)
    passes(2, late)
    (record,) = private.list_records(late.friend.home)
    assert [name for name in record.entries() if name.startswith("open")] == ["open-0-1", "open-1-2"]
    assert sorted(cup.book().entrants[bye.entry].commits) == [0, 1, 2]
