"""A relaying referee: receipts and forfeits at the referee desk (T6, T24)."""

import json
import shutil

import pytest
from helpers.agreements import send
from helpers.relaying import day, no, read, well

from kursk_pbem.audit import verify
from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import times
from kursk_pbem.game import folders, histories
from kursk_pbem.trust import keys, messages, papers

# Proposed and accepted


def test_a_referee_is_pinned_beside_both_sides_and_shown(relayed, kursk, tmp_path):
    head = folders.read_message(folders.message_path(relayed.german.folder, 0))
    assert head.mapping("keys")["referee"] == keys.read_public(relayed.place / "me.pub")
    assert head.text("dice-from") == "players"
    shutil.rmtree(relayed.russian.home)  # a running game accepts no second proposal
    status, said = kursk(
        relayed.russian,
        "accept",
        folders.message_path(relayed.german.folder, 0),
        "--key",
        relayed.russian.key,
        "--dir",
        tmp_path,
    )
    assert status == 0
    assert "key of referee: SHA256:" in said
    assert "A referee relays" in said
    assert "may not order, roll, choose or see" in said


def test_a_game_without_a_referee_says_nothing_of_one(demo, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    letter = next((demo / "german").glob("game-*/0000.yaml"))
    assert run(["accept", str(letter), "--key", str(demo / "russian" / "me"), "--dir", str(tmp_path)]) == 0
    assert "referee relays" not in capsys.readouterr().out


def test_a_referee_is_somebody_else(relayed, kursk, tmp_path):
    base = (
        "propose",
        "battle-for-kursk/citadel",
        "--as",
        "german",
        "--key",
        relayed.german.key,
        "--opponent",
        relayed.russian.place / "me.pub",
        "--dir",
        tmp_path,
        "--relay",
    )
    for player in relayed.players.values():
        no(kursk(relayed.german, *base, player.place / "me.pub"), 2, "a third person")
    no(kursk(relayed.german, *base, relayed.key), 2)  # a private key is not handed out
    kursk(relayed.german, *base, relayed.place / "me.pub", ends=0, told="a copy to the referee")


# Receipts


def test_a_receipt_for_the_newest_message(relayed, whistle):
    said = well(whistle("referee", "receipt", relayed.folder, "--received", day(3), "--days", "10"))
    assert f"the referee had message 3 of russian at {day(3)}; message 4 is due {day(13)}" in said
    found = read(relayed.folder / "receipt-0003.yaml")
    assert found.content == {
        "kursk-pbem": "1",
        "type": "receipt",
        "game": relayed.german.desk.game.chain.game,
        "seq": "3",
        "from": "referee",
        "id": relayed.german.desk.game.chain.ids[3],
        "received": day(3),
        "due": day(13),
    }
    game = histories.load(relayed.folder).game
    assert game.papers.receipts[3].id == found.id
    assert not game.over
    said = well(whistle("status", relayed.folder))
    assert f"message 4 is due {times.tell(day(13))} (over for " in said


def test_now_is_the_clocks_and_only_there(relayed, whistle):
    with clock.fix_time(day(5)):
        well(whistle("referee", "receipt", relayed.folder, "--due", day(9)))
    found = read(relayed.folder / "receipt-0003.yaml")
    assert (found.text("received"), found.text("due")) == (day(5), day(9))
    assert times.is_time(clock.now())


def test_a_receipt_is_given_once(relayed, whistle):
    ask = ("referee", "receipt", relayed.folder, "--received", day(3), "--days", "10")
    well(whistle(*ask))
    before = (relayed.folder / "receipt-0003.yaml").read_bytes()
    for words in (
        ask,
        ("referee", "receipt", relayed.folder),
        ("referee", "receipt", relayed.folder, "--due", day(13)),
        ("referee", "receipt", relayed.folder, "--days", "10"),
    ):
        well(whistle(*words), "was signed before")
    for words in (("--received", day(2)), ("--days", "9"), ("--due", day(12))):
        no(whistle("referee", "receipt", relayed.folder, *words), 2, "you have signed a receipt of message 3 before")
    assert (relayed.folder / "receipt-0003.yaml").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ("--received", "1943-02-30T03:00:00Z", "--days", "1"),
        ("--due", "tomorrow"),
        ("--received", day(3)),
        ("--days", "0"),
        ("--received", day(3), "--due", day(2)),
        ("--due", day(9), "--days", "3", "--received", day(3)),
        ("--received", "9999-12-30T00:00:00Z", "--days", "5"),
        ("--seq", "4", "--days", "3"),
    ],
)
def test_receipts_that_cannot_be(relayed, whistle, words):
    no(whistle("referee", "receipt", relayed.folder, *words), 2)
    assert not list(relayed.folder.glob("receipt*"))


def test_only_the_referees_key_gives_receipts(relayed, whistle):
    for player in relayed.players.values():
        no(
            whistle("referee", "receipt", relayed.folder, "--days", "3", key=player.key),
            2,
            "referee's key in message 0",
        )
    no(whistle("referee", "receipt", relayed.folder, "--days", "3", key=relayed.place / "none"), 2)


def test_a_game_without_a_referee_has_no_receipts(demo, whistle):
    folder = next((demo / "german").glob("game-*"))
    no(whistle("referee", "receipt", folder, "--days", "3"), 2, "names no referee")
    no(whistle("referee", "forfeit", folder, "--yes"), 2, "names no referee")


def test_the_referee_takes_messages_and_the_proposal_as_they_come(relayed, whistle):
    shutil.rmtree(relayed.folder)
    for seq in range(4):
        words = ("--received", day(seq + 1), "--days", "5")
        well(whistle("referee", "receipt", relayed.letter(seq), *words), f"the referee had message {seq}")
    assert sorted(path.name for path in relayed.folder.glob("*.yaml")) == sorted(
        [*(f"{seq:04d}.yaml" for seq in range(4)), *(f"receipt-{seq:04d}.yaml" for seq in range(4))]
    )
    assert verify.verify_game(relayed.folder).status == 0
    well(whistle("inbox", "--report", relayed.letter(3)), "processed before")


def test_mails_saved_beside_each_other_under_the_names_of_messages_go_into_the_game_folder(relayed, whistle, tmp_path):
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    for seq in range(3):
        shutil.copy(relayed.letter(seq), inbox / f"{seq:04d}.yaml")
        well(whistle("referee", "receipt", inbox / f"{seq:04d}.yaml", "--received", day(seq + 1), "--days", "5"))
    folder = inbox / relayed.folder.name
    assert {path.name for path in inbox.iterdir()} == {"0000.yaml", "0001.yaml", "0002.yaml", folder.name}
    assert [path.name for path in folders.message_files(folder)] == ["0000.yaml", "0001.yaml", "0002.yaml"]
    assert (folder / "receipt-0002.yaml").exists()


def test_a_late_message_that_binds_no_game_yet_is_not_said_to_end_it(relayed, whistle):
    shutil.rmtree(relayed.folder)
    for seq in range(2):
        well(whistle("referee", "receipt", relayed.letter(seq), "--received", day(seq + 1), "--days", "1"))
    said = whistle("referee", "receipt", relayed.letter(2), "--received", day(9), "--days", "1")
    no(said, 2, "To accept the late message, add --late; otherwise")
    assert "forfeit" not in said[1]


def test_T24_a_void_message_gets_no_receipt_and_stops_no_clock(overdue, whistle):
    table = overdue
    signer = keys.load_key(table.german.key)
    good = table.due.sign(drafts.check_draft(table.german.desk, table.german.check().message))
    content = dict(folders.read_message(good).content)
    illegal = {**content, "orders": {"movement": [{"unit": "g-27", "to": "2713"}]}}
    unrevealed = {name: value for name, value in content.items() if name != "reveal"}
    for false, status in ((illegal, 1), (unrevealed, 3)):
        armour = signer.sign(papers.sshsig.NAMESPACE, messages.signed_bytes(false))
        letter = table.place / "void.yaml"
        letter.write_text(messages.emit_message(false, armour), encoding="ascii")
        no(whistle("referee", "receipt", letter, "--received", day(4), "--days", "5"), status)
        assert not folders.message_path(table.folder, 4).exists()
        assert not (table.folder / "receipt-0004.yaml").exists()
    well(whistle("referee", "forfeit", table.folder, "--yes", "--declared", day(14)))
    assert histories.load(table.folder).game.verdict.winner == "russian"


# A forfeit


def test_T6_who_knows_his_dice_and_falls_silent_loses(forfeited, whistle):
    table = forfeited
    assert read(table.folder / "forfeit.yaml").content == {
        "kursk-pbem": "1",
        "type": "forfeit",
        "game": table.german.desk.game.chain.game,
        "seq": "3",
        "from": "referee",
        "id": table.german.desk.game.chain.ids[3],
        "side": "german",
        "due": day(13),
        "declared": day(14),
    }
    game = histories.load(table.folder).game
    assert game.over
    verdict = game.verdict
    assert (verdict.winner, verdict.how) == ("russian", "forfeit")
    why = f"Russian victory: the german side did not answer message 3 by {day(13)}, as the referee has declared"
    assert verdict.text == why
    for command in ("verify", "status", "report"):
        assert why in " ".join(well(whistle(command, table.folder)).split())
    assert "is due" not in well(whistle("status", table.folder))
    said = well(whistle("status", table.folder, "--json"))
    assert json.loads(said)["verdict"] == why
    well(whistle("inbox", "--report", table.letter(3)), why)


def test_a_message_after_the_forfeit_is_refused(forfeited, whistle):
    table = forfeited
    letter = table.german.sign(table.german.check())
    copy = shutil.copy(letter, table.place / "late.yaml")
    no(whistle("inbox", "--report", copy), 1, "came too late")
    no(whistle("referee", "receipt", copy, "--days", "3"), 1, "came too late")
    assert not folders.message_path(table.folder, 4).exists()


def test_a_forfeit_is_refused_where_it_is_not_due(relayed, whistle):
    no(whistle("referee", "forfeit", relayed.folder, "--yes"), 2, "has no receipt")
    well(whistle("referee", "receipt", relayed.folder, "--received", day(3), "--days", "10"))
    for declared in (day(13), day(12), day(3)):
        no(whistle("referee", "forfeit", relayed.folder, "--yes", "--declared", declared), 2, "is not overdue")
    with clock.fix_time(day(13)):
        no(whistle("referee", "forfeit", relayed.folder, "--yes"), 2, "is not overdue")
    no(whistle("referee", "forfeit", relayed.folder, "--yes", "--declared", "1943-07-33T00:00:00Z"), 2, "is no time")
    no(
        whistle("referee", "forfeit", relayed.folder, "--yes", "--declared", day(14), key=relayed.german.key),
        2,
        "referee's key in message 0",
    )
    assert not (relayed.folder / "forfeit.yaml").exists()
    with clock.fix_time(day(13, 4)):
        well(whistle("referee", "forfeit", relayed.folder, "--yes"))
    well(whistle("referee", "forfeit", relayed.folder, "--yes"), "signed before")
    no(whistle("referee", "forfeit", relayed.folder, "--yes", "--declared", day(20)), 2, "already declared")


def test_two_forfeits_that_a_referee_is_asked_at_once_are_one(overdue):

    def meanwhile(_said):
        timekeeper.forfeit(overdue.folder, overdue.key, day(14))

    with pytest.raises(UsageError, match=r"nothing was signed, because .* has a new message or paper"):
        timekeeper.forfeit(overdue.folder, overdue.key, day(15), confirm=meanwhile)
    assert read(overdue.folder / "forfeit.yaml").text("declared") == day(14)
    assert not timekeeper.forfeit(overdue.folder, overdue.key, confirm=meanwhile).fresh


def test_a_message_that_came_late_is_taken_only_if_the_referee_says_so(overdue, whistle):
    table = overdue
    table.turn({})
    letter = table.letter(4)
    words = ("referee", "receipt", letter, "--received", day(13, 4), "--days", "5")
    no(whistle(*words), 2, f"was due {day(13)}", "--late", "kursk referee forfeit")
    assert not folders.message_path(table.folder, 4).exists()  # a forfeit is still possible
    well(whistle(*words, "--late"), "the referee had message 4")
    assert verify.verify_game(table.folder).times["german"].late == 3600
    no(whistle("referee", "forfeit", table.folder, "--yes", "--declared", day(14)), 2, "is not overdue")


def test_a_game_that_is_over_is_not_forfeited_and_its_last_receipt_sets_no_term(relayed, whistle):
    send(relayed, drafts.make_resignation(relayed.due.desk))
    well(whistle("referee", "receipt", relayed.letter(4), "--received", day(4)), "no answer is due")
    assert read(relayed.folder / "receipt-0004.yaml").text("due") == day(4)
    no(whistle("referee", "forfeit", relayed.folder, "--yes", "--declared", day(5)), 2, "the game is over")
