"""Papers of a relaying referee at the desks of the players (T9)."""

import json
import shutil

import pytest
from helpers.agreements import send
from helpers.relaying import day, issue, lay, no, read, well

from kursk_pbem.audit import export, verify
from kursk_pbem.desk.draft import drafts
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, histories
from kursk_pbem.game import receipts as stored
from kursk_pbem.trust import earlier, keys, messages, papers


@pytest.mark.parametrize("side", ["german", "russian"])
def test_players_take_receipt_and_forfeit(forfeited, kursk, side):
    table, player = forfeited, forfeited.players[side]
    receipt, end = (table.to(side, name) for name in ("receipt-0003.yaml", "forfeit.yaml"))
    no(kursk(player, "inbox", "--report", end), 3, "the receipt of message 3 is missing", "take it first")
    assert not (player.folder / "forfeit.yaml").exists()
    for letter in (receipt, end):
        well(kursk(player, "inbox", "--report", letter), "wrote", letter.name)
        assert (player.folder / letter.name).read_bytes() == letter.read_bytes()
        well(kursk(player, "inbox", "--report", letter), "unchanged")
    assert "Russian victory" in well(kursk(player, "status", player.folder))
    if side == "german":
        no(kursk(player, "sign", player.draft(), "--yes"), 2, "the game is over")
        no(kursk(player, "resign", player.folder, "--yes"), 2, "the game is over")
        no(kursk(player, "offer", player.folder, "draw", "--yes"), 2, "the game is over")
    assert verify.verify_game(player.folder).status == 0


def test_2_10_a_late_message_and_its_forfeit_cross_without_an_accusation(forfeited, kursk):
    """S-3: each side had status 3, which means fraud, for a message that came too late."""
    table, german, russian = forfeited, forfeited.german, forfeited.russian
    late = table.mail(table.german.sign(table.german.check()), "russian")
    for player in (german, russian):
        well(kursk(player, "inbox", "--report", table.to(player.side, "receipt-0003.yaml")))
    well(kursk(german, "inbox", "--report", table.to("german", "forfeit.yaml")), "message 4 came too late, and is kept")
    well(kursk(russian, "inbox", "--report", table.to("russian", "forfeit.yaml")))
    for _twice in range(2):
        no(kursk(russian, "inbox", "--report", late), 1, "message 4 came too late")
    for player in (german, russian):
        assert len([*player.folder.glob("0004-*.void.yaml")]) == 1
        assert histories.load(player.folder).game.verdict.winner == "russian"
        assert verify.verify_game(player.folder).status == 0


def test_2_9_no_forfeit_counts_against_a_message_with_an_answer(forfeited, kursk):
    table, german, russian = forfeited, forfeited.german, forfeited.russian
    late = table.german.sign(table.german.check())
    russian.take(table.mail(late, "russian"))
    russian.fill({"seal": {"posture/turn-2": {"posture": "pause"}}})
    answer = russian.sign(russian.check())
    for player in (german, russian):
        well(kursk(player, "inbox", "--report", table.to(player.side, "receipt-0003.yaml")))
    well(kursk(german, "inbox", "--report", table.to("german", "forfeit.yaml")), "message 4 came too late")
    well(kursk(german, "inbox", "--report", table.mail(answer, "german")), "your message 4, signed elsewhere, is here")
    for player in (german, russian):
        no(kursk(player, "inbox", "--report", table.to(player.side, "forfeit.yaml")), 1, "does not count")
        assert not histories.load(player.folder).game.over
        assert verify.verify_game(player.folder).status == 0


def test_players_take_them_from_mails_and_from_standard_input(overdue, kursk, monkeypatch):
    table = overdue
    raw = (table.folder / "receipt-0003.yaml").read_bytes()
    letter = table.german.place / "letter.eml"
    quoted = b"".join(b"> " + line + b"\r\n" for line in raw.splitlines())
    letter.write_bytes(b"From: r@example.org\r\n\r\nHello,\r\n" + quoted + b"\r\nbye\r\n")
    said = well(kursk(table.german, "inbox", "--report", letter, "--json"))
    assert json.loads(said)["type"] == "receipt"
    assert (table.german.folder / "receipt-0003.yaml").read_bytes() == raw


def test_a_file_of_the_referees_is_no_message_elsewhere(overdue, kursk):
    table = overdue
    receipt = table.to("german", "receipt-0003.yaml")
    for words in (("accept", receipt, "--key", table.german.key), ("status", receipt)):
        no(kursk(table.german, *words), 2, "a referee's receipt, no message")
    no(kursk(table.german, "report", receipt), 2, "if you play the game, type 'kursk inbox --report")
    well(kursk(table.german, "verify", table.folder / "receipt-0003.yaml"), "Times are the referee's word")
    no(kursk(table.german, "verify", receipt), 2, "no file in this folder has the keys of its game")


def test_T53_of_several_receipts_the_latest_term_counts_and_all_are_named(overdue, kursk):
    """A second, earlier receipt does not take signed time back: no forfeit counts before the latest term."""
    table, german = overdue, overdue.german
    well(kursk(german, "inbox", "--report", table.to("german", "receipt-0003.yaml")))
    early = issue(table, "receipt-0003.yaml", received=day(2), due=day(8))
    late = issue(table, "receipt-0003.yaml", received=day(5), due=day(28))
    well(kursk(german, "inbox", "--report", lay(table, "german", late)), f"{day(13)} and {day(28)}: the latest counts")
    well(kursk(german, "inbox", "--report", lay(table, "german", early)), f"receipt-0003-{early.id[:16]}.yaml")
    papers_of = histories.load(german.folder).game.papers
    assert (papers_of.receipts[3].text("received"), papers_of.due(3)) == (day(2), day(28))
    assert len(list(german.folder.glob("receipt-*"))) == 3
    assert verify.verify_game(german.folder).status == 0
    several = f"the referee has signed 3 terms for message 4, {day(8)} and {day(13)} and {day(28)}: the latest counts"
    assert several in well(kursk(german, "status", german.folder))
    no(kursk(german, "prove", german.folder), 1, several)
    short = issue(table, "receipt-0003.yaml", received=day(2), due=day(8))
    forfeit = papers.sign_paper(
        {**{key: value for key, value in short.content.items() if key != "received"}, "type": "forfeit"}
        | {"side": "german", "declared": day(14)},
        keys.load_key(table.key),
    )
    no(kursk(german, "inbox", "--report", lay(table, "german", forfeit)), 3, "the latest time counts")
    assert not histories.load(german.folder).game.over


def test_2_6_a_receipt_of_another_message_is_kept_and_sets_no_term(overdue, kursk):
    table, german = overdue, overdue.german
    other = issue(table, "receipt-0003.yaml", id="ab" * 32)
    for _twice in range(2):
        well(kursk(german, "inbox", "--report", lay(table, "german", other)), "sets no deadline")
    kept = german.folder / f"evidence-receipt-0003-{other.id[:16]}.yaml"
    assert kept.read_text("ascii") == papers.emit_paper(other)
    assert histories.load(german.folder).game.papers.due(3) == ""
    assert verify.verify_game(german.folder).status == 0


def test_contradictions_are_told_kept_and_never_decided(forfeited, kursk):
    table, russian = forfeited, forfeited.russian
    for name in ("receipt-0003.yaml", "forfeit.yaml"):
        well(kursk(russian, "inbox", "--report", table.to("russian", name)))
    before = {path.name: path.read_bytes() for path in russian.folder.glob("[rf]*.yaml")}
    false = {
        "two different forfeits": issue(table, "forfeit.yaml", declared=day(15)),
        "contradict each other": issue(table, "receipt-0003.yaml", received=day(2), due=day(14)),
    }
    for words, made in false.items():
        no(kursk(russian, "inbox", "--report", lay(table, "russian", made)), 3, words, "kept as")
        assert (stored.evidence_path(russian.folder, made)).read_text("ascii") == papers.emit_paper(made)
    assert before == {path.name: path.read_bytes() for path in russian.folder.glob("[rf]*.yaml")}
    assert histories.load(russian.folder).game.verdict.how == "forfeit"


def test_a_forfeit_where_the_message_is_here_is_told_and_the_game_goes_on(forfeited, kursk):
    table, russian = forfeited, forfeited.russian
    table.turn({})
    well(kursk(russian, "inbox", "--report", table.to("russian", "receipt-0003.yaml")))
    no(kursk(russian, "inbox", "--report", table.to("russian", "forfeit.yaml")), 1, "message 4 is here; answer it")
    assert [*russian.folder.glob("evidence-forfeit-*")]
    assert not histories.load(russian.folder).game.over
    shutil.copy(table.folder / "forfeit.yaml", russian.folder)
    found = verify.verify_game(russian.folder)
    assert (found.status, found.fault) == (3, "order")
    assert "but message 4 is here" in found.text


# Other commands


def test_a_folder_with_a_spoilt_or_misnamed_paper_does_not_verify(forfeited):
    folder = forfeited.folder
    path = folder / "receipt-0003.yaml"
    good = path.read_text("ascii")
    for text, status, fault in (
        (good.replace(day(13), day(12)), 3, "signature"),
        ("type: receipt\n", 2, ""),
        (good.replace(day(13), "1943-02-30T03:00:00Z"), 2, ""),
    ):
        path.write_text(text, encoding="ascii")
        found = verify.verify_game(folder)
        assert (found.status, found.fault) == (status, fault), found.text
        assert "receipt-0003.yaml" in found.text
    path.unlink()
    (folder / "receipt-0002.yaml").write_text(good, encoding="ascii")
    assert verify.verify_game(folder).fault == "order"
    (folder / "receipt-0002.yaml").unlink()
    found = verify.verify_game(folder)
    assert (found.status, found.fault) == (3, "chain")  # the receipt of the forfeit is lost


def test_papers_go_into_the_archive_and_count_there(forfeited, whistle, tmp_path):
    out = tmp_path / "archive"
    done = export.export(forfeited.folder, out)
    assert {"receipt-0003.json", "receipt-0003.json.sig", "forfeit.json", "forfeit.json.sig"} <= {
        path.name for path in done.written
    }
    game = histories.load(out).game
    assert game.verdict == histories.load(forfeited.folder).game.verdict
    assert "receipt-NNNN.json" in (out / "README.txt").read_text("ascii")
    no(whistle("referee", "receipt", out, "--days", "3"), 2, "is an archive")
    well(whistle("verify", out / "forfeit.json"), "Times are the referee's word")
    # a removed paper is not left
    (forfeited.folder / "forfeit.yaml").unlink()
    with pytest.raises(UsageError, match=r"forfeit\.json"):
        export.export(forfeited.folder, out)


def test_an_offer_that_is_not_replied_to_is_lost_like_any_message(relayed, whistle):
    send(relayed, drafts.make_offer(relayed.due.desk, "draw"))
    well(whistle("referee", "receipt", relayed.letter(4), "--received", day(4), "--days", "1"))
    well(whistle("referee", "forfeit", relayed.folder, "--yes", "--declared", day(6)))
    assert histories.load(relayed.folder).game.verdict.winner == "german"


def test_one_turn_file_restores_the_papers_too(relayed, kursk, whistle, tmp_path):
    whistle("referee", "receipt", relayed.folder, "--seq", "2", "--received", day(3), "--days", "10")
    receipt, loser = read(relayed.folder / "receipt-0002.yaml"), relayed.russian
    before = [folders.read_message(folders.message_path(loser.folder, seq)) for seq in range(4)]
    text = messages.emit_message(before[3].content, before[3].armour)
    (tmp_path / "turn.yaml").write_text(earlier.attach(text, before[:3], [receipt]), encoding="ascii")
    for folder in (loser.home, loser.folder):
        shutil.rmtree(folder)
    place = tmp_path / loser.folder.name
    assert kursk(loser, "restore", place, tmp_path / "turn.yaml", "--key", loser.key)[0] == 0
    assert read(place / "receipt-0002.yaml").id == receipt.id
