"""T61: a referee's receipts follow the order of messages (protocol 2.10).

Message k contains the id of message k-1, so message k is never older.
"""

import shutil

import pytest
from helpers.relaying import day, issue, lay, no, well
from trust import second_auditor

from kursk_pbem.audit import export, verify
from kursk_pbem.desk.ground import clock
from kursk_pbem.game import histories
from kursk_pbem.game import receipts as stored
from kursk_pbem.trust import keys, papers

EARLY = "1942-07-04T03:00:00Z"
"""A year too early."""


@pytest.fixture
def timed(relayed, whistle):
    """Return a game with receipts of messages 0 to 2, and message 3 without a receipt."""
    for seq, received in ((0, day(1)), (1, day(2)), (2, day(2))):
        well(whistle("referee", "receipt", relayed.folder, "--seq", seq, "--received", received, "--days", 5))
    return relayed


def forged(table, seq, **changes):
    """Sign a receipt with another program."""
    chain = histories.load(table.folder).game.chain
    said = {
        "kursk-pbem": "1",
        "type": "receipt",
        "game": chain.game,
        "seq": str(seq),
        "from": "referee",
        "id": chain.ids[seq],
        "received": EARLY,
        "due": "1942-07-05T03:00:00Z",
    }
    return papers.sign_paper(said | changes, keys.load_key(table.key))


def give(kursk, table, side, *names):
    for name in names:
        well(kursk(table.players[side], "inbox", "--report", table.to(side, name)))


# Made


def test_T61_a_year_too_early_is_refused_and_both_papers_are_named(timed, whistle):
    before = sorted(timed.folder.iterdir())
    no(
        whistle("referee", "receipt", timed.folder, "--received", EARLY, "--days", 5),
        2,
        f"message 3 cannot have come at {EARLY}",
        "message 2, needed for message 3, came",
        day(2),
        "receipt-0002.yaml",
        "the date may contain a mistake",
        "move the file away",
    )
    no(whistle("referee", "receipt", timed.folder, "--received", day(1, 5), "--days", 5), 2, "receipt-0002.yaml")
    assert sorted(timed.folder.iterdir()) == before
    well(whistle("referee", "receipt", timed.folder, "--received", day(2), "--days", 5))


def test_T61_a_copy_that_came_late_was_with_the_referee_when_a_later_message_was(relayed, whistle):
    well(whistle("referee", "receipt", relayed.folder, "--seq", 2, "--received", day(2), "--days", 5))
    with clock.fix_time(day(3)):
        no(
            whistle("referee", "receipt", relayed.folder, "--seq", 1, "--days", 5),
            2,
            f"message 1 cannot have come at {day(3)}",
            "message 2, the answer, came",
            f"type --received {day(2)}",
            "receipt-0002.yaml",
        )
        well(whistle("referee", "receipt", relayed.folder, "--seq", 1, "--received", day(2), "--days", 5))
    assert verify.verify_game(relayed.folder).status == 0


def test_T61_no_clock_decides(timed, whistle):
    with clock.fix_time("2099-01-01T00:00:00Z"):
        well(whistle("referee", "receipt", timed.folder, "--received", day(2), "--days", 5))
    with clock.fix_time("1900-01-01T00:00:00Z"):
        assert verify.verify_game(timed.folder).status == 0


def test_T61_a_wrong_receipt_is_put_right_by_an_earlier_one(relayed, whistle, kursk):
    late = "1944-07-01T03:00:00Z"
    well(whistle("referee", "receipt", relayed.folder, "--seq", 1, "--received", late, "--days", 5))
    give(kursk, relayed, "german", "receipt-0001.yaml")
    wrong = relayed.folder / "receipt-0001.yaml"
    no(whistle("referee", "receipt", relayed.folder, "--received", day(4), "--days", 5), 2, late, str(wrong))
    wrong.rename(relayed.place / "wrong.yaml")
    well(whistle("referee", "receipt", relayed.folder, "--seq", 1, "--received", day(1), "--days", 5))
    well(whistle("referee", "receipt", relayed.folder, "--received", day(4), "--days", 5))
    give(kursk, relayed, "german", "receipt-0001.yaml", "receipt-0003.yaml")
    assert histories.load(relayed.german.folder).game.papers.due(3) == day(9)
    assert verify.verify_game(relayed.german.folder).status == 0


# Taken


@pytest.mark.parametrize("side", ["german", "russian"])
def test_T61_every_desk_refuses_a_receipt_that_goes_back_and_the_forfeit_that_stands_on_it(timed, kursk, side):
    player = timed.players[side]
    give(kursk, timed, side, "receipt-0000.yaml", "receipt-0001.yaml", "receipt-0002.yaml")
    made = forged(timed, 3)
    words = ("needs message 2", "receipt-0002.yaml", EARLY, day(2), "by a year", "kept as")
    no(kursk(player, "inbox", "--report", lay(timed, side, made)), 3, *words)
    kept = stored.evidence_path(player.folder, made)
    assert kept.read_text("ascii") == papers.emit_paper(made)
    assert not (player.folder / "receipt-0003.yaml").exists()
    end = forfeit_on(timed, made)
    no(
        kursk(player, "inbox", "--report", lay(timed, side, end, "forfeit.yaml")),
        3,
        "the receipt of message 3 is missing",
    )
    assert not histories.load(player.folder).game.over
    assert verify.verify_game(player.folder).status == 0


def forfeit_on(table, receipt):
    """Sign a forfeit with the deadline of a receipt."""
    said = {name: value for name, value in receipt.content.items() if name != "received"}
    said |= {"type": "forfeit", "side": "german", "declared": "1942-07-06T03:00:00Z"}
    return papers.sign_paper(said, keys.load_key(table.key))


def test_T61_a_later_receipt_of_an_earlier_message_does_no_harm(timed, kursk):
    well(kursk(timed.german, "inbox", "--report", timed.to("german", "receipt-0002.yaml")))
    well(kursk(timed.german, "inbox", "--report", lay(timed, "german", forged(timed, 3, received=day(3), due=day(9)))))
    again = issue(timed, "receipt-0002.yaml", received=day(8), due=day(9))
    well(kursk(timed.german, "inbox", "--report", lay(timed, "german", again, "again.yaml")), "wrote")
    assert verify.verify_game(timed.german.folder).status == 0


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="the second auditor needs ssh-keygen")
def test_T61_a_folder_with_both_does_not_verify_and_the_second_auditor_says_the_same(timed, tmp_path, capsys):
    folder, archive = timed.folder, tmp_path / "archive"
    export.export(folder, archive)
    assert second_auditor.main(archive) == 0
    made = forged(timed, 3)
    (folder / "receipt-0003.yaml").write_text(papers.emit_paper(made), encoding="ascii")
    (archive / "receipt-0003.json").write_bytes(made.signed)
    (archive / "receipt-0003.json.sig").write_text(made.armour, encoding="ascii")
    for each in (folder, archive):
        found = verify.verify_game(each)
        assert (found.status, found.fault) == (3, "order")
        assert "needs message 2" in found.text
        assert "receipt-0003" in found.text
        assert "receipt-0002" in found.text
    assert second_auditor.main(archive) == 1
    assert "the times of receipts go back" in capsys.readouterr().out


def test_T61_prove_says_that_such_papers_decide_nothing(timed, kursk):
    made = forged(timed, 3)
    first = timed.german.folder / "0000.yaml"
    files = [lay(timed, "german", each, name) for each, name in ((made, "r.yaml"), (forfeit_on(timed, made), "f.yaml"))]
    said = well(kursk(timed.german, "prove", first, *files))
    assert "declared" in said
    before = timed.to("german", "receipt-0002.yaml")
    no(kursk(timed.german, "prove", first, before, *files), 1, "contradict each other", "needs message 2")
