"""The desk of a rolling referee: player commands change nothing and never crash."""

import pytest
from helpers.relaying import day

from kursk_pbem.desk.draft import blanks, drafts
from kursk_pbem.desk.ground import clock
from kursk_pbem.game import folders

POSTURE = {"choice": {"posture/turn-1": {"posture": "pause", "reaction": "no"}}}


@pytest.fixture
def directed(joined):
    """Return a game with a rolling referee, after the German posture and the referee's message 4."""
    joined.turn(POSTURE)
    return joined


def send(table, checked=None):
    """Write the next message of a player, from a filled draft without a checked one; the referee has not answered."""
    writer = table.due
    if checked is None:
        writer.fill({})
    table.spread(writer.sign(checked), writer.side)


@pytest.mark.parametrize("offered", [False, True], ids=["handing on", "an offer"])
def test_a_referee_has_no_draft_and_no_players_command(directed, kursk, offered):
    send(directed, drafts.make_offer(directed.due.desk, "draw") if offered else None)
    referee, folder = directed.referee, directed.referee.folder
    assert referee.desk.mine
    assert referee.desk.game.hands_on
    assert "due is message 6 of the referee: to hand on" in kursk(referee, "status", folder)[1]
    assert ("to hand on an offer" in kursk(referee, "verify", folder)[1]) == offered
    path = referee.draft()
    path.write_text(blanks.compose_draft(referee.desk.game, referee.desk.game.state, {}), encoding="ascii")
    before = sorted(each.name for each in folder.iterdir())
    for words in (
        ("setup", "draft", folder),
        ("setup", "draft", "--force", folder),
        ("check", path),
        ("sign", path, "--yes"),
        ("moves", path),
        ("offer", folder, "draw", "--yes"),
        ("reply", folder, "decline", "--yes"),
        ("resign", folder, "--yes"),
    ):
        status, said = kursk(referee, *words)
        assert status == 2, (words, said)
        assert "a referee" in said or "no offer" in said, (words, said)
    assert sorted(each.name for each in folder.iterdir()) == before
    assert kursk(referee, "inbox", "--report", folders.message_path(folder, 5))[0] == 0
    assert referee.sit().seq == 7


def test_nobody_forfeits_while_the_referees_own_message_is_due(directed, kursk):
    send(directed)
    referee = directed.referee
    as_referee = (referee.folder, "--key", referee.key)
    with clock.fix_time(day(4)):
        assert kursk(referee, "referee", "receipt", *as_referee, "--received", day(1), "--due", day(2))[0] == 0
        status, said = kursk(referee, "referee", "forfeit", "--yes", *as_referee, "--declared", day(3))
    assert status == 2
    assert "the referee's own to write" in said
