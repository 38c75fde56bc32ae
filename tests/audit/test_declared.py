"""prove with a referee's papers: the declared forfeit, and papers without effect (T6)."""

import json
import shutil

import pytest
from helpers.relaying import Relayed, day
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from kursk_pbem.audit import export, gather
from kursk_pbem.cli import run
from kursk_pbem.game import entropy, folders, histories
from kursk_pbem.trust import keys, messages, papers


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A game whose German has fallen silent after message 3; the referee has declared it lost, in his folder."""
    with entropy.fix_random_bytes("a silent german"):
        table = Relayed(tmp_path_factory.mktemp("silent") / "table").begin()
        for content in (OPENING, ORDERS, {}):
            table.turn(content)
        table.folder.mkdir()
        for seq in range(4):
            shutil.copy(folders.message_path(table.german.folder, seq), table.folder)
        table.late = table.german.sign(table.german.check())  # written, and not mailed in time
    key = ("--key", str(table.key), "-q")
    assert run(["referee", "receipt", str(table.folder), "--received", day(3), "--days", "10", *key]) == 0
    assert run(["referee", "forfeit", str(table.folder), "--yes", "--declared", day(14), *key]) == 0
    return table


@pytest.fixture
def hand(table, tmp_path):
    """Copy named files of the referee's folder, and similar papers, into a separate folder."""

    def lay(*names, **made):
        for name in names:
            shutil.copy(table.folder / name, tmp_path)
        for name, (like, changes) in made.items():
            said = dict(papers.read_paper((table.folder / like).read_bytes(), like).content) | changes
            signed = papers.sign_paper(said, keys.load_key(table.key))
            (tmp_path / f"{name}.yaml").write_text(papers.emit_paper(signed), encoding="ascii")
        return sorted(tmp_path.glob("*"))

    return lay


NEEDED = ("0000.yaml", "receipt-0003.yaml", "forfeit.yaml")


def test_T6_an_abort_is_proved_by_message_0_receipt_and_forfeit(table, hand, capsys):
    files = hand(*NEEDED, "0003.yaml")
    assert run(["prove", *map(str, files)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    for words in (
        "german has lost",
        "on the referee's word",
        day(3),
        day(13),
        day(14),
        "the times are the referee's word",
        "message 3 is here, signed by russian",
        "SHA256:",
    ):
        assert words in said.out
    assert run(["prove", "--json", *map(str, files)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["convicted"]) == (0, [])
    [declared] = found["declared"]
    assert (declared["side"], declared["seq"], declared["due"]) == ("german", 3, day(13))


def test_the_forfeit_is_in_the_verdict_and_the_files_of_adjudicate(table, tmp_path, capsys):
    """The message, its receipt and the forfeit alone give the same end."""
    for place, status in ((table.folder, 0), (tmp_path / "next", 0)):
        assert run(["adjudicate", str(place), "-o", str(tmp_path / "next"), "--json"]) == status
        found = json.loads(capsys.readouterr().out)
        assert (found["seq"], found["next"], found["uncounted"]) == (3, "", [])
        assert found["ended"].startswith("Russian victory")
    assert {path.name for path in (tmp_path / "next").iterdir()} >= {"forfeit.yaml", "receipt-0003.yaml"}


def test_the_message_itself_is_not_needed_and_folders_do(table, hand, tmp_path):
    hand(*NEEDED)
    assert len(gather.prove_all([tmp_path]).declared) == 1
    assert len(gather.prove_all([table.folder]).declared) == 1
    export.export(table.folder, tmp_path / "archive")
    assert len(gather.prove_all([tmp_path / "archive"]).declared) == 1


@pytest.mark.parametrize("missing", NEEDED)
def test_nothing_is_shown_where_one_is_missing(hand, missing, capsys):
    files = hand(*(name for name in NEEDED if name != missing))
    assert run(["prove", *map(str, files)]) == 1
    words = {"0000.yaml": "message 0 is missing", "receipt-0003.yaml": "the receipt of message 3", "forfeit.yaml": ""}
    assert words[missing] in capsys.readouterr().err


def nothing(paths, words):
    found = gather.prove_all(paths)
    assert found.declared == ()
    assert words in "\n".join(found.reasons), found.reasons


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ({"b": ("forfeit.yaml", {"declared": day(15)})}, "different forfeits"),
        ({"b": ("receipt-0003.yaml", {"seq": "4", "id": "ab" * 32, "received": day(9)})}, "the referee had message 4"),
    ],
)
def test_a_referee_who_contradicts_himself_decides_nothing(hand, made, words):
    nothing(hand(*NEEDED, **made), words)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"side": "russian"}, "german's to write"),
        ({"seq": "1"}, "not bound before"),
        ({"due": day(12)}, "contradict"),
        ({"game": "ab" * 32}, "message 0 is missing"),
        ({"declared": day(13)}, "must be after due"),
        ({"id": "ab" * 32}, "the receipt of message 3"),
    ],
)
def test_a_forfeit_that_does_not_hold(hand, changes, words):
    nothing(hand("0000.yaml", "receipt-0003.yaml", b=("forfeit.yaml", changes)), words)


@pytest.mark.parametrize("changes", [{"received": day(2), "due": day(12)}, {"due": day(12)}])
def test_a_second_receipt_shortens_no_term(hand, changes):
    """The latest term that the referee signed counts, and the sentence names both terms (protocol 2.10)."""
    found = gather.prove_all(hand(*NEEDED, b=("receipt-0003.yaml", changes)))
    [declared] = found.declared
    assert declared.due == day(13)
    assert "the referee has signed 2 terms for message 4" in "\n".join([*found.reasons, *declared.notes])


def test_no_forfeit_counts_before_the_latest_term(hand):
    nothing(hand(*NEEDED, b=("receipt-0003.yaml", {"received": day(5), "due": day(20)})), "2 terms for message 4")


def test_receipts_of_two_messages_with_one_number_are_told(hand):
    found = gather.prove_all(hand(*NEEDED, b=("receipt-0003.yaml", {"id": "ab" * 32})))
    assert "2 different messages 3" in "\n".join(found.reasons)
    assert len(found.declared) == 1


def test_the_message_that_was_missed_is_told(table, hand, tmp_path):
    """Message 4 turns up later. The files cannot prove the time, so the referee's declaration counts."""
    shutil.copy(table.late, tmp_path)
    [declared] = gather.prove_all(hand(*NEEDED)).declared
    assert "message 4 of german is here too: only the referee can say if the message came in time" in declared.notes


def test_another_key_shows_nothing(table, hand, tmp_path):
    files = hand("0000.yaml", "receipt-0003.yaml")
    said = dict(papers.read_paper((table.folder / "forfeit.yaml").read_bytes(), "x").content)
    forged = papers.sign_paper(said, keys.load_key(table.russian.key))
    (tmp_path / "forged.yaml").write_text(papers.emit_paper(forged), encoding="ascii")
    nothing([*files, tmp_path / "forged.yaml"], "differs from the signed message")


def test_a_second_message_changes_nothing(table, hand, tmp_path):
    files = hand(*NEEDED, "0001.yaml", "0003.yaml", "0002.yaml")
    message = folders.read_message(table.folder / "0003.yaml")
    content = dict(message.content) | {"note": "another one"}
    armour = keys.load_key(table.russian.key).sign(papers.sshsig.NAMESPACE, messages.signed_bytes(content))
    (tmp_path / "twin.yaml").write_text(messages.emit_message(content, armour), encoding="ascii")
    found = gather.prove_all([*files, tmp_path / "twin.yaml"])
    assert found.convictions == ()
    assert len(found.declared) == 1
    assert histories.load(table.folder).game.verdict.winner == "russian"
