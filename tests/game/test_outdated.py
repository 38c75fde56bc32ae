"""Decision 44: a game of an earlier adjudication continues until a changed decision, or is from before release 1.0.

Hex Toy accepts the adjudications 2 and 3; 3 decides bold assaults differently.
"""

import random
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import pytest
from helpers import commands, finished_games, registry, signed_play
from rulesets import hex_toy, toys

from kursk_pbem.audit import gather, proof_file, verify
from kursk_pbem.audit.prove import Conviction
from kursk_pbem.desk.deals import agreement, begin
from kursk_pbem.errors import EarlyError, FileError, OutdatedError
from kursk_pbem.game import entropy, folders, games
from kursk_pbem.kernel.umpire import Umpire

EARLY = "is from before release 1.0; this program does not judge it"


@pytest.fixture(autouse=True)
def plugged(monkeypatch):
    toys.plug(monkeypatch)


def play(root, version, *, bold=True):
    """Return the folder of a whole game by the program of an adjudication, signed by both players."""
    to_pin, pinned = begin.make_pinned_fields, {"id": "hex-toy", "version": version}
    with (
        entropy.fix_random_bytes("an older game"),
        patch.object(begin, "make_pinned_fields", lambda *known: {**to_pin(*known), "ruleset": pinned}),
        patch.object(hex_toy, "RULESET", replace(hex_toy.RULESET, first=1)),
        patch.object(Umpire, "repaired", lambda _umpire, _version, _rule: None),
    ):
        table = signed_play.Table(root / version, "hex-toy/fords").begin()
        chooser = registry.kit("hex-toy").chooser(table.game.setting, random.Random(2))
        while not table.game.over:
            content = table.due.choose(chooser)
            for assault in () if bold else content.get("orders", {}).get("assaults", ()):
                assault["stance"] = "steady"
            table.turn(content)
    return table.amber.folder


def read(folder):
    return [folders.read_message(path) for path in folders.message_files(folder)]


def follow(letters):
    """Return the game after the messages, or the error and its number."""
    first, *others = letters
    game = games.begin(first)
    for message in others:
        try:
            game, _result = games.extend(game, message)
        except OutdatedError as error:
            return game, (message.seq, str(error))
    return game, None


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return :func:`play` that plays each game once; no test may change its files."""
    root = tmp_path_factory.mktemp("older")
    made = cache(lambda version, bold: play(root / str(bold), version, bold=bold))
    return lambda version, *, bold=True: made(version, bold)


@pytest.mark.parametrize(("version", "bold"), [("2", False), ("3", True)], ids=["steady", "newest"])
def test_44_game_without_changed_decision_comes_to_its_end(played, version, bold):
    folder = played(version, bold=bold)
    game, stopped = follow(read(folder))
    assert (game.version, game.over, stopped) == (int(version), True, None)
    assert verify.verify_game(folder).status == 0


def test_44_game_stops_at_a_changed_decision_and_accuses_nobody(played, capsys):
    """Every message was correct at its time: exit status 2, without an accusation."""
    folder = played("2")
    game, (seq, why) = follow(read(folder))
    assert game.chain.next_seq == seq > 2
    for words in ("began under adjudication 2 of hex-toy", "Adjudication 3 decides 4.4", "no side did wrong"):
        assert words in why
    assert "no side did wrong" in commands.refused(capsys, 2, "verify", folder)
    found = gather.prove_all([folder])
    assert found.convictions == ()
    assert "needs another release" in "\n".join(found.reasons)


def test_44_result_of_a_changed_decision_is_not_called_false(played):
    """The refusal comes before dice and positions are compared: a result that is right by 2 is no lie."""
    letters = read(played("2"))
    game, (seq, _why) = follow(letters)
    wrong = replace(letters[seq], content={**letters[seq].content, "state-in": "0" * 64})
    with pytest.raises(OutdatedError):
        games.extend(game, wrong)


@pytest.mark.parametrize("version", ["2", "3"])
def test_44_terms_and_status_warn_of_an_earlier_adjudication(tmp_path, capsys, monkeypatch, version):
    folder = play(tmp_path, version, bold=False)
    game = games.begin(read(folder)[0])
    told = "\n".join(agreement.describe_terms(game, "amber"))
    assert f"adjudication version {version}\n" in told
    assert ("but this program decides by 3" in " ".join(told.split())) == (version == "2")
    monkeypatch.setenv("KURSK_HOME", str(folder.parent / "private"))
    for path in folders.message_files(folder)[2:]:
        path.unlink()
    (facts,) = commands.lines_of_json(capsys, 0, "status", folder, "--json")
    assert ("the game pins adjudication 2 of hex-toy" in facts["outdated"]) == (version == "2")


def test_game_from_before_release_1_is_not_judged(played, tmp_path, capsys):
    """Nobody is accused, not even of false dice: neither illegal nor a contradiction, and no conviction."""
    folder = played("1")
    letters = read(folder)
    with pytest.raises(EarlyError, match=f"adjudication 1 of hex-toy {EARLY}"):
        games.begin(letters[0])
    for command in ("verify", "prove"):
        said = commands.refused(capsys, 2, command, folder)
        assert f"0000.yaml:18: adjudication 1 of hex-toy {EARLY}" in said
    false = replace(letters[3], content={**letters[3].content, "prev": "0" * 64})
    proof = tmp_path / "proof.yaml"
    lie = Conviction(letters[0], letters[3].sender, "opening", "", (letters[3], false))
    proof.write_text(proof_file.write_proof(lie), "ascii")
    assert EARLY in commands.refused(capsys, 2, "prove", proof)


def test_prove_judges_other_games_beside_one_from_before_release_1(played):
    known = finished_games.ROOT / "battle-for-kursk" / "resignation-german"
    found = gather.prove_all([played("1"), known])
    assert found.convictions == ()
    assert EARLY in "\n".join(found.reasons)


@pytest.mark.parametrize("version", ["0", "4", "01", "1 ", "-1", "x", ""])
def test_T19_other_adjudications_are_another_programs(played, version):
    head = read(played("3"))[0]
    other = replace(head, content={**head.content, "ruleset": {"id": "hex-toy", "version": version}})
    with pytest.raises(FileError) as refused:
        games.begin(other)
    assert not isinstance(refused.value, OutdatedError)
    assert "this program has versions up to 3" in str(refused.value)
