"""A referee who relays: receipts, forfeits, what they do at every desk, and how they end a game (T6, T24)."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest
from agreements import agreed, go_on, propose
from relaying import Relayed, day
from test_offers import send
from test_play import OPENING, ORDERS

from kursk_pbem.cli import run
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import clock, drafts, entropy, export, offers, play, record, referee, verify
from kursk_pbem.game import folder as folders
from kursk_pbem.game import papers as stored
from kursk_pbem.trust import keys, paper
from kursk_pbem.trust import message as messages


@pytest.fixture(scope="module")
def _played(tmp_path_factory):
    """Messages 0 to 3 are sent; the German's dice are due. The referee has a folder with all of them."""
    with entropy.fixed("a referee"):
        table = Relayed(tmp_path_factory.mktemp("relayed") / "table").begin()
        for content in (OPENING, ORDERS, {}):
            table.turn(content)
    table.folder.mkdir()
    for seq in range(4):
        shutil.copy(folders.message_path(table.german.folder, seq), table.folder)
    return table


@pytest.fixture
def table(_played, tmp_path):
    """The same, to be gone on with."""
    shutil.copytree(_played.root, tmp_path / "table")
    table = Relayed.__new__(Relayed)
    table.__dict__ |= _played.__dict__
    table.root, table.place = tmp_path / "table", tmp_path / "table" / "referee"
    table.home, table.key = table.place / "private", table.place / "me"
    table.players = {}
    for side, old in _played.players.items():
        player = type(old)(side, table.root / side)
        for path in player.home.glob("games/*/game.json"):
            said = json.loads(path.read_bytes())
            assert not said["folder"].startswith("/")
        player.desk = old.desk
        player.desk = play.desks.sit(player.place / old.folder.name, player.home)
        table.players[side] = player
    with entropy.fixed("a referee goes on"):
        yield table


@pytest.fixture
def whistle(table, monkeypatch, capsys):
    """Run a command as the referee: (status, what it said)."""

    def command(*words, key=None):
        monkeypatch.setenv("KURSK_HOME", str(table.home))
        monkeypatch.setenv("KURSK_KEY", str(key or table.key))
        status = run([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out + said.err

    return command


def well(got, *words):
    status, said = got
    assert status == 0, said
    for word in words:
        assert word in said
    return said


def no(got, status, *words):
    assert got[0] == status, got
    for word in words:
        assert word in got[1]


def read(path):
    return paper.read(path.read_bytes(), path.name)


@pytest.fixture
def overdue(table, whistle):
    """The referee has received message 3; the answer was due on the 13th."""
    well(whistle("receipt", table.folder, "--received", day(3), "--days", "10"))
    return table


@pytest.fixture
def forfeited(overdue, whistle):
    well(whistle("forfeit", overdue.folder, "--declared", day(14)))
    return overdue


# Proposed and accepted


def test_a_referee_is_pinned_beside_both_sides_and_shown(table, kursk, tmp_path):
    head = folders.read_message(folders.message_path(table.german.folder, 0))
    assert head.mapping("keys")["referee"] == keys.read_public(table.place / "me.pub")
    assert head.text("dice-from") == "players"
    status, said = kursk(table.russian, "accept", folders.message_path(table.german.folder, 0), "--key",
                         table.russian.key, "--dir", tmp_path)  # fmt: skip
    assert status == 0
    assert "key of referee: SHA256:" in said
    assert "A referee relays" in said
    assert "may not order, roll, choose or see" in said


def test_a_game_without_a_referee_says_nothing_of_one(demo, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    letter = next((demo / "german").glob("game-*/0000.yaml"))
    assert run(["accept", str(letter), "--key", str(demo / "russian" / "me"), "--dir", str(tmp_path)]) == 0
    assert "referee relays" not in capsys.readouterr().out


def test_a_referee_is_somebody_else(table, kursk, tmp_path):
    base = ("propose", "battle-for-kursk/citadel", "--as", "german", "--key", table.german.key, "--opponent",
            table.russian.place / "me.pub", "--dir", tmp_path, "--relay")  # fmt: skip
    for player in table.players.values():
        no(kursk(table.german, *base, player.place / "me.pub"), 2, "somebody else")
    no(kursk(table.german, *base, table.key), 2)  # a private key is not handed out
    status, said = kursk(table.german, *base, table.place / "me.pub")
    assert status == 0
    assert "a copy to the referee" in said


# Receipts


def test_a_receipt_for_the_newest_message(table, whistle):
    said = well(whistle("receipt", table.folder, "--received", day(3), "--days", "10"))
    assert f"the referee had message 3 of russian at {day(3)}; message 4 is due {day(13)}" in said
    found = read(table.folder / "receipt-0003.yaml")
    assert found.content == {
        "kursk-pbem": "1", "type": "receipt", "game": table.german.desk.game.chain.game, "seq": "3",
        "from": "referee", "id": table.german.desk.game.chain.ids[3], "received": day(3), "due": day(13),
    }  # fmt: skip
    game = record.load(table.folder)
    assert game.papers.receipts[3].id == found.id
    assert not game.over
    said = well(whistle("status", table.folder))
    assert f"message 4 is due {day(13)}, by the referee's receipt of message 3" in said


def test_now_is_the_clocks_and_only_there(table, whistle):
    with clock.fixed(day(5)):
        well(whistle("receipt", table.folder, "--due", day(9)))
    found = read(table.folder / "receipt-0003.yaml")
    assert (found.text("received"), found.text("due")) == (day(5), day(9))
    assert paper.times.is_time(clock.now())


def test_a_receipt_is_given_once(table, whistle):
    ask = ("receipt", table.folder, "--received", day(3), "--days", "10")
    well(whistle(*ask))
    before = (table.folder / "receipt-0003.yaml").read_bytes()
    for words in (ask, ("receipt", table.folder), ("receipt", table.folder, "--due", day(13)),
                  ("receipt", table.folder, "--days", "10")):  # fmt: skip
        well(whistle(*words), "was signed before; nothing changed")
    for words in (("--received", day(2)), ("--days", "9"), ("--due", day(12))):
        no(whistle("receipt", table.folder, *words), 2, "of several the earliest counts")
    assert (table.folder / "receipt-0003.yaml").read_bytes() == before


@pytest.mark.parametrize("words", [
    ("--received", "1943-02-30T03:00:00Z", "--days", "1"), ("--received", "1943-07-06T24:00:00Z", "--days", "1"),
    ("--received", "1943-07-06T03:00:00z", "--days", "1"), ("--due", "1943-07-06T03:00:00+01:00"),
    ("--due", "1943-06-30T23:59:60Z"), ("--due", "tomorrow"), ("--received", day(3)), ("--days", "0"),
    ("--received", day(3), "--due", day(2)), ("--due", day(9), "--days", "3", "--received", day(3)),
    ("--received", "9999-12-30T00:00:00Z", "--days", "5"), ("--seq", "4", "--days", "3"),
])  # fmt: skip
def test_receipts_that_cannot_be(table, whistle, words):
    no(whistle("receipt", table.folder, *words), 2)
    assert not list(table.folder.glob("receipt*"))


def test_only_the_referees_key_gives_receipts(table, whistle):
    for player in table.players.values():
        no(whistle("receipt", table.folder, "--days", "3", key=player.key), 2, "another key for the referee")
    no(whistle("receipt", table.folder, "--days", "3", key=table.place / "none"), 2)


def test_a_game_without_a_referee_has_no_receipts(demo, whistle):
    folder = next((demo / "german").glob("game-*"))
    no(whistle("receipt", folder, "--days", "3"), 2, "names no referee")
    no(whistle("forfeit", folder), 2, "names no referee")


def test_the_referee_takes_messages_and_the_proposal_as_they_come(table, whistle):
    shutil.rmtree(table.folder)
    for seq in range(4):
        words = ("--received", day(seq + 1), "--days", "5")
        well(whistle("receipt", table.letter(seq), *words), f"the referee had message {seq}")
    assert sorted(path.name for path in table.folder.glob("*.yaml")) == sorted(
        [*(f"{seq:04d}.yaml" for seq in range(4)), *(f"receipt-{seq:04d}.yaml" for seq in range(4))]
    )
    assert verify.verify_game(table.folder).status == 0
    well(whistle("adjudicate", table.letter(3)), "processed before")


def test_T24_a_void_message_gets_no_receipt_and_stops_no_clock(overdue, whistle):
    """Neither one with illegal orders nor one that keeps back a reveal that is due; then silence loses."""
    table = overdue
    signer = keys.load(table.german.key)
    good = table.due.sign(drafts.check(table.german.desk, table.german.check().message))
    content = dict(folders.read_message(good).content)
    illegal = {**content, "orders": {"movement": [{"unit": "g-27", "to": "2713"}]}}
    unrevealed = {name: value for name, value in content.items() if name != "reveal"}
    for false, status in ((illegal, 1), (unrevealed, 3)):
        armour = signer.sign(paper.sshsig.NAMESPACE, messages.signed_bytes(false))
        letter = table.place / "void.yaml"
        letter.write_text(messages.emit(false, armour), encoding="ascii")
        no(whistle("receipt", letter, "--received", day(4), "--days", "5"), status)
        assert not folders.message_path(table.folder, 4).exists()
        assert not (table.folder / "receipt-0004.yaml").exists()
    well(whistle("forfeit", table.folder, "--declared", day(14)))
    assert record.load(table.folder).verdict.winner == "russian"


# A forfeit


def test_T6_who_knows_his_dice_and_falls_silent_loses(forfeited, whistle):
    """The German can compute the dice of message 4, dislikes them and sends nothing (selective abort)."""
    table = forfeited
    assert read(table.folder / "forfeit.yaml").content == {
        "kursk-pbem": "1", "type": "forfeit", "game": table.german.desk.game.chain.game, "seq": "3",
        "from": "referee", "id": table.german.desk.game.chain.ids[3], "side": "german", "due": day(13),
        "declared": day(14),
    }  # fmt: skip
    game = record.load(table.folder)
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
    well(whistle("adjudicate", table.letter(3)), why)


def test_a_message_after_the_forfeit_is_refused(forfeited, whistle):
    table = forfeited
    letter = table.german.sign(table.german.check())
    copy = shutil.copy(letter, table.place / "late.yaml")
    no(whistle("adjudicate", copy), 3, "the game is over", "did not answer")
    no(whistle("receipt", copy, "--days", "3"), 3, "the game is over")
    assert not folders.message_path(table.folder, 4).exists()


def test_a_forfeit_is_refused_where_it_is_not_due(table, whistle):
    no(whistle("forfeit", table.folder), 2, "has no receipt")
    well(whistle("receipt", table.folder, "--received", day(3), "--days", "10"))
    for declared in (day(13), day(12), day(3)):
        no(whistle("forfeit", table.folder, "--declared", declared), 2, "is due")
    with clock.fixed(day(13)):
        no(whistle("forfeit", table.folder), 2, "is due")
    no(whistle("forfeit", table.folder, "--declared", "1943-07-33T00:00:00Z"), 2, "is no time")
    no(whistle("forfeit", table.folder, "--declared", day(14), key=table.german.key), 2, "another key")
    assert not (table.folder / "forfeit.yaml").exists()
    with clock.fixed(day(13, 4)):
        well(whistle("forfeit", table.folder))
    well(whistle("forfeit", table.folder), "signed before")
    no(whistle("forfeit", table.folder, "--declared", day(20)), 2, "declared already")


def test_a_message_that_came_late_is_taken_only_if_the_referee_says_so(overdue, whistle):
    table = overdue
    table.turn({})
    letter = table.letter(4)
    words = ("receipt", letter, "--received", day(13, 4), "--days", "5")
    no(whistle(*words), 2, f"was due {day(13)}", "--late", "kursk forfeit")
    assert not folders.message_path(table.folder, 4).exists()  # there is still something to declare
    well(whistle(*words, "--late"), "the referee had message 4")
    assert verify.verify_game(table.folder).times["german"].late == 3600
    no(whistle("forfeit", table.folder, "--declared", day(14)), 2, "is due")


def test_a_game_that_is_over_is_not_forfeited_and_its_last_receipt_sets_no_term(table, whistle):
    send(table, drafts.resignation(table.due.desk))
    well(whistle("receipt", table.letter(4), "--received", day(4)), "nothing is due after it")
    assert read(table.folder / "receipt-0004.yaml").text("due") == day(4)
    no(whistle("forfeit", table.folder, "--declared", day(5)), 2, "the game is over")


def test_nobody_forfeits_before_the_game_is_bound(table, whistle):
    for seq in (2, 3):
        folders.message_path(table.folder, seq).unlink()
    well(whistle("receipt", table.folder, "--received", day(3), "--days", "1"))
    no(whistle("forfeit", table.folder, "--declared", day(14)), 2, "not bound before message 2")


# At the players' desks


@pytest.mark.parametrize("side", ["german", "russian"])
def test_players_take_receipt_and_forfeit(forfeited, kursk, side):
    table, player = forfeited, forfeited.players[side]
    receipt, end = (table.to(side, name) for name in ("receipt-0003.yaml", "forfeit.yaml"))
    no(kursk(player, "adjudicate", end), 3, "the receipt of message 3 is missing", "take it first")
    assert not (player.folder / "forfeit.yaml").exists()
    for letter in (receipt, end):
        well(kursk(player, "adjudicate", letter), "wrote", letter.name)
        assert (player.folder / letter.name).read_bytes() == letter.read_bytes()
        well(kursk(player, "adjudicate", letter), "nothing changed")
    assert "Russian victory" in well(kursk(player, "status", player.folder))
    if side == "german":
        no(kursk(player, "sign", player.draft(), "--yes"), 2, "the game is over")
        no(kursk(player, "resign", player.folder, "--yes"), 2, "the game is over")
        no(kursk(player, "offer", player.folder, "draw", "--yes"), 2, "the game is over")
    assert verify.verify_game(player.folder).status == 0


def test_players_take_them_from_mails_and_from_standard_input(overdue, kursk, monkeypatch):
    table = overdue
    raw = (table.folder / "receipt-0003.yaml").read_bytes()
    letter = table.german.place / "letter.eml"
    quoted = b"".join(b"> " + line + b"\r\n" for line in raw.splitlines())
    letter.write_bytes(b"From: r@example.org\r\n\r\nHello,\r\n" + quoted + b"\r\nbye\r\n")
    said = well(kursk(table.german, "adjudicate", letter, "--json"))
    assert json.loads(said)["type"] == "receipt"
    assert (table.german.folder / "receipt-0003.yaml").read_bytes() == raw


def test_a_file_of_the_referees_is_no_message_elsewhere(overdue, kursk):
    table = overdue
    receipt = table.to("german", "receipt-0003.yaml")
    for words in (("accept", receipt, "--key", table.german.key), ("report", receipt), ("status", receipt)):
        no(kursk(table.german, *words), 2, "a referee's receipt, no message")
    well(kursk(table.german, "verify", table.folder / "receipt-0003.yaml"), "times are his word")
    no(kursk(table.german, "verify", receipt), 2, "no 0000.yaml lies beside it")


def test_a_receipt_of_a_game_that_is_not_here(overdue, kursk, tmp_path):
    lonely = tmp_path / "lonely"
    lonely.mkdir()
    letter = shutil.copy(overdue.folder / "receipt-0003.yaml", lonely)
    stranger = type("Stranger", (), {"home": tmp_path / "home"})
    no(kursk(stranger, "adjudicate", letter), 2, "no folder of the game")


def issue(table, name, **changes):
    """A paper like one of the referee's, changed and signed by him."""
    said = dict(read(table.folder / name).content) | changes
    return paper.sign(said, keys.load(table.key))


def lay(table, side, made, name="letter.yaml"):
    path = table.players[side].place / name
    path.write_text(paper.emit(made), encoding="ascii")
    return path


def test_a_second_receipt_is_kept_beside_and_the_earliest_counts(overdue, kursk):
    table, german = overdue, overdue.german
    well(kursk(german, "adjudicate", table.to("german", "receipt-0003.yaml")))
    early = issue(table, "receipt-0003.yaml", received=day(2), due=day(8))
    late = issue(table, "receipt-0003.yaml", received=day(5), due=day(28))
    well(kursk(german, "adjudicate", lay(table, "german", late)), "receipt-0003.yaml is the receipt that counts")
    well(kursk(german, "adjudicate", lay(table, "german", early)), f"receipt-0003-{early.id[:16]}.yaml")
    assert record.load(german.folder).papers.due(3) == day(8)
    assert len(list(german.folder.glob("receipt-*"))) == 3
    assert verify.verify_game(german.folder).status == 0


def test_T9_a_receipt_of_another_message_is_told_and_kept(overdue, kursk):
    table, german = overdue, overdue.german
    other = issue(table, "receipt-0003.yaml", id="ab" * 32)
    no(kursk(german, "adjudicate", lay(table, "german", other)), 3, "another message 3", "kept as")
    kept = german.folder / f"evidence-receipt-0003-{other.id[:16]}.yaml"
    assert kept.read_text("ascii") == paper.emit(other)
    assert not (german.folder / "receipt-0003.yaml").exists()
    assert verify.verify_game(german.folder).status == 0
    no(kursk(german, "adjudicate", lay(table, "german", other)), 3)  # told again, kept once


def test_contradictions_are_told_kept_and_never_decided(forfeited, kursk):
    table, russian = forfeited, forfeited.russian
    for name in ("receipt-0003.yaml", "forfeit.yaml"):
        well(kursk(russian, "adjudicate", table.to("russian", name)))
    before = {path.name: path.read_bytes() for path in russian.folder.glob("[rf]*.yaml")}
    false = {
        "two different forfeits": issue(table, "forfeit.yaml", declared=day(15)),
        "which is right": issue(table, "receipt-0003.yaml", due=day(14)),
        "contradicts himself": issue(table, "receipt-0003.yaml", received=day(2), due=day(14)),
    }
    for words, made in false.items():
        no(kursk(russian, "adjudicate", lay(table, "russian", made)), 3, words, "kept as")
        assert (stored.evidence_path(russian.folder, made)).read_text("ascii") == paper.emit(made)
    assert before == {path.name: path.read_bytes() for path in russian.folder.glob("[rf]*.yaml")}
    assert record.load(russian.folder).verdict.how == "forfeit"


def test_a_forfeit_where_the_message_is_here_is_told_and_the_game_goes_on(forfeited, kursk):
    """The message was mailed to the opponent only, or got lost on its way to the referee."""
    table, russian = forfeited, forfeited.russian
    table.turn({})
    well(kursk(russian, "adjudicate", table.to("russian", "receipt-0003.yaml")))
    no(kursk(russian, "adjudicate", table.to("russian", "forfeit.yaml")), 3, "but message 4 is here", "kept as")
    assert not record.load(russian.folder).over
    shutil.copy(table.folder / "forfeit.yaml", russian.folder)
    found = verify.verify_game(russian.folder)
    assert (found.status, found.fault) == (3, "order")
    assert "but message 4 is here" in found.text


def test_a_referee_who_had_the_message_in_time_contradicts_himself(forfeited, kursk, whistle):
    table, russian = forfeited, forfeited.russian
    table.turn({})
    (table.folder / "forfeit.yaml").rename(table.place / "forfeit.yaml")
    well(whistle("receipt", table.letter(4), "--received", day(12), "--days", "5"))
    for name in ("receipt-0003.yaml", "receipt-0004.yaml"):
        well(kursk(russian, "adjudicate", table.to("russian", name)))
    no(kursk(russian, "adjudicate", table.place / "forfeit.yaml"), 3, "in time", "contradicts himself")


# The script that shares nothing with the program


SCRIPT = Path(__file__).parents[2] / "docs" / "verify_game.py"
FORGED = {
    "as it was": ("receipt-0003", {}),
    "of one term": ("receipt-0003", {"due": day(3)}),
    "due too early": ("receipt-0003", {"due": day(2)}),
    "no date": ("receipt-0003", {"received": "1943-02-30T03:00:00Z"}),
    "no time": ("receipt-0003", {"due": "1943-07-20T24:00:00Z"}),
    "leap second": ("receipt-0003", {"due": "1943-07-20T23:59:60Z"}),
    "small letter": ("receipt-0003", {"due": "1943-07-20T23:59:59z"}),
    "line end": ("receipt-0003", {"due": day(20) + "\n"}),
    "another message": ("receipt-0003", {"id": "ab" * 32}),
    "another number": ("receipt-0003", {"seq": "2"}),
    "a later one": ("receipt-0003", {"seq": "4"}),
    "another game": ("receipt-0003", {"game": "cd" * 32}),
    "not from him": ("receipt-0003", {"from": "german"}),
    "a field too many": ("receipt-0003", {"side": "german"}),
    "another kind": ("receipt-0003", {"type": "forfeit", "side": "german", "declared": day(29)}),
    "the earliest": ("receipt-0003-0000000000000000", {"received": day(2), "due": day(12)}),
    "not the earliest": ("receipt-0003-0000000000000000", {"received": day(4), "due": day(12)}),
    "of one time": ("receipt-0003-0000000000000000", {"due": day(12)}),
    "another side": ("forfeit", {"side": "russian"}),
    "the referee": ("forfeit", {"side": "referee"}),
    "another term": ("forfeit", {"due": day(12)}),
    "too early": ("forfeit", {"declared": day(13)}),
    "later": ("forfeit", {"declared": day(20)}),
    "of an older message": ("forfeit", {"seq": "2"}),
    "without a field": ("forfeit", {"side": None}),
}
HOLDS = {"as it was", "not the earliest", "later"}  # with a forfeit of the term that the receipt has set


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("verify_game", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="the script needs ssh-keygen")
@pytest.mark.parametrize("name", FORGED)
def test_the_script_agrees(forfeited, script, tmp_path, capsys, name):
    out = tmp_path / "archive"
    export.export(forfeited.folder, out)
    file, changes = FORGED[name]
    said = json.loads((out / f"{file[:12].rstrip('-')}.json").read_bytes()) | changes
    signed = paper.canon({field: value for field, value in said.items() if value is not None})
    (out / f"{file}.json").write_bytes(signed)
    armour = keys.load(forfeited.key).sign(paper.sshsig.NAMESPACE, signed)
    (out / f"{file}.json.sig").write_text(armour, encoding="ascii")
    found = verify.verify_game(out)
    status = script.main(out)
    assert (found.status == 0, status == 0) == (name in HOLDS, name in HOLDS), (found.text, capsys.readouterr().out)


# Reply times


def test_reply_times_of_each_side(table, whistle):
    for seq, received, days in ((0, day(1), 3), (1, day(2, 4), 3), (2, day(2, 3), 3), (3, day(9, 4), 5)):
        well(whistle("receipt", table.folder, "--seq", seq, "--received", received, "--days", days, "--late"))
    hour, day_ = 3600, 86_400
    found = verify.verify_game(table.folder)
    # message 2 was with the referee before message 1, which it answers: no time is counted for it
    assert found.times == {"russian": stored.Times(2, 8 * day_ + 2 * hour, 7 * day_ + hour, 4 * day_ + hour)}
    assert found.text.endswith("; russian: 2 answers in 8 days 2 hours, longest 7 days 1 hour, 4 days 1 hour late")
    said = json.loads(well(whistle("verify", table.folder, "--json")))
    assert said["times"] == {
        "russian": {"timed": 2, "total": 698_400, "longest": 608_400, "late": 349_200},
    }  # fmt: skip
    for path in table.folder.glob("receipt-000[02].yaml"):
        path.unlink()
    assert verify.verify_game(table.folder).times == {}


def test_times_of_both_sides_and_the_end(forfeited, whistle):
    for seq, received in ((0, day(1)), (1, day(1, 5)), (2, day(1, 6))):
        well(whistle("receipt", forfeited.folder, "--seq", seq, "--received", received, "--days", 1))
    said = json.loads(well(whistle("verify", forfeited.folder, "--json")))
    assert {side: each["timed"] for side, each in said["times"].items()} == {"german": 1, "russian": 2}
    assert said["times"]["german"]["total"] == 3600
    assert said["times"]["russian"]["late"] == 21 * 3600
    assert (said["winner"], said["how"]) == ("russian", "forfeit")


# Around it


def test_a_folder_with_a_spoilt_or_misnamed_paper_does_not_verify(forfeited):
    folder = forfeited.folder
    path = folder / "receipt-0003.yaml"
    good = path.read_text("ascii")
    for text, status, fault in ((good.replace(day(13), day(12)), 3, "signature"), ("type: receipt\n", 2, ""),
                                (good.replace(day(13), "1943-02-30T03:00:00Z"), 2, "")):  # fmt: skip
        path.write_text(text, encoding="ascii")
        found = verify.verify_game(folder)
        assert (found.status, found.fault) == (status, fault), found.text
        assert "receipt-0003.yaml" in found.text
    path.unlink()
    (folder / "receipt-0002.yaml").write_text(good, encoding="ascii")
    assert verify.verify_game(folder).fault == "order"
    (folder / "receipt-0002.yaml").unlink()
    found = verify.verify_game(folder)
    assert (found.status, found.fault) == (3, "chain")  # the forfeit has lost its receipt


def test_a_receipt_of_a_later_message_shows_that_messages_are_missing(overdue):
    folders.message_path(overdue.folder, 3).unlink()
    found = verify.verify_game(overdue.folder)
    assert (found.status, found.fault) == (3, "chain")
    assert "message 3" in found.text


def test_papers_go_into_the_archive_and_count_there(forfeited, whistle, tmp_path):
    out = tmp_path / "archive"
    done = export.export(forfeited.folder, out)
    assert {"receipt-0003.json", "receipt-0003.json.sig", "forfeit.json", "forfeit.json.sig"} <= {
        path.name for path in done.written
    }
    game = record.load(out)
    assert game.verdict == record.load(forfeited.folder).verdict
    assert "receipt-NNNN.json" in (out / "README.txt").read_text("ascii")
    no(whistle("receipt", out, "--days", "3"), 2, "is an archive")
    well(whistle("verify", out / "forfeit.json"), "times are his word")
    # one that has gone since is not left behind
    (forfeited.folder / "forfeit.yaml").unlink()
    with pytest.raises(UsageError, match=r"forfeit\.json"):
        export.export(forfeited.folder, out)


def test_a_successor_keeps_the_referee(table):
    table.turn({})
    path = propose(table.players["german"], at=4)
    table = go_on(table, agreed(table, path))
    assert "referee" in table.german.desk.game.chain.keys


def test_a_successor_without_the_referee_says_so(table):
    """Who is to agree to it must see that nobody will keep time any more."""
    table.turn({})
    player = table.players["german"]
    path = propose(player, at=4)
    assert "keys: as before" in offers.seen(table.players["russian"].desk, path)
    content = messages.read(path.read_bytes(), "0000.yaml").content
    del content["keys"]["referee"]
    armour = keys.load(player.key).sign("kursk-pbem", messages.signed_bytes(content))
    other = path.with_name("other.yaml")
    other.write_text(messages.emit(content, armour, player.desk.game.state.to_plain()), encoding="ascii")
    terms = offers.seen(table.players["russian"].desk, other)
    [line] = [line for line in terms if line.startswith("key of referee: CHANGES from SHA256:")]
    assert line.endswith(" to none")
    assert "keys: as before" not in terms


def test_a_proposal_to_go_on_otherwise_is_not_forfeited_before_it_is_agreed_to(table, whistle, monkeypatch):
    """Anybody can write one and mail it; whoever does not answer it has lost nothing."""
    table.turn({})
    path = propose(table.players["german"], at=4)
    new = table.place / path.parent.name
    new.mkdir()
    shutil.copy(path, new)
    well(whistle("receipt", new, "--received", day(4), "--days", "1"))
    old = table.folder.rename(table.place / "put away")
    no(whistle("forfeit", new, "--declared", day(6)), 2, "put your folder of that game beside")
    old.rename(table.folder)
    table.take_all(4)
    no(whistle("forfeit", new, "--declared", day(6)), 2, "no offer of it was accepted there")
    monkeypatch.setattr(referee, "_need_agreement", lambda _folder, _new: None)  # another program signs it
    well(whistle("forfeit", new, "--declared", day(6)))
    no(whistle("verify", table.folder, new), 3, "it was declared lost, and game-", "does not end with the accept of it")
    monkeypatch.undo()
    (new / "forfeit.yaml").unlink()
    agreed(table, path)
    table.take_all(6)
    monkeypatch.setenv("KURSK_HOME", str(table.home))
    monkeypatch.setenv("KURSK_KEY", str(table.key))
    assert run(["forfeit", str(new), "--declared", day(6)]) == 0
    assert run(["verify", str(table.folder), str(new)]) == 0


def test_an_offer_that_is_not_replied_to_is_lost_like_any_message(table, whistle):
    send(table, offers.draw(table.due.desk))
    well(whistle("receipt", table.letter(4), "--received", day(4), "--days", "1"))
    well(whistle("forfeit", table.folder, "--declared", day(6)))
    assert record.load(table.folder).verdict.winner == "german"


def test_what_is_written_reads_as_the_formats_say(forfeited):
    said = strictyaml.read((forfeited.folder / "forfeit.yaml").read_bytes(), "x").data
    assert tuple(said) == (*paper.FIELDS["forfeit"], "signature")
    with pytest.raises(TrustError, match="the referee's to sign"):
        stored.referee.check(forfeited.german.desk.game.chain, issue(forfeited, "forfeit.yaml", **{"from": "german"}))
