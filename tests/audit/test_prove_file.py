"""The proof as a file, the command prove, and evidence that is kept (protocol 2.6, 2.8)."""

import json
import re

import pytest
from helpers import mutations
from helpers.falsified import false_die, falsified, game_folder, noted, other_opening, other_reveal, state_out
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from kursk_pbem import rulesets
from kursk_pbem.audit import gather, proof_file, prove
from kursk_pbem.cli import run
from kursk_pbem.game import folders
from kursk_pbem.trust import keys, messages, sshsig


@pytest.fixture(scope="session")
def proof_texts(demo, record):
    """A proof of every kind: claim -> text."""
    found = {}
    good = [folders.read_message(record.paths[seq]) for seq in (0, 2, 3, 4)]
    for change in (other_opening, false_die, other_reveal, state_out):
        false = messages.read_message(falsified(demo, record, 4, change).encode("ascii"), "4")
        [convicted] = prove.judge_messages([*good, false]).convictions
        found[convicted.claim] = proof_file.write_proof(convicted)
    assert set(found) == set(prove.CLAIMS)
    return found


@pytest.fixture
def proofs(proof_texts, tmp_path):
    """Write the proofs to files: claim -> path."""
    for claim, text in proof_texts.items():
        (tmp_path / f"proof-{claim}.yaml").write_text(text, encoding="ascii")
    return {claim: tmp_path / f"proof-{claim}.yaml" for claim in proof_texts}


def test_a_proof_shows_again_what_it_claims(proofs):
    for claim, path in proofs.items():
        found = gather.prove_all([path])
        assert found.proof
        assert [(each.side, each.claim, each.seq) for each in found.convictions] == [("german", claim, 4)]
        assert proof_file.write_proof(found.convictions[0]) == path.read_text("ascii")
        mailed = path.with_name("crlf.yaml")
        mailed.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        assert gather.prove_all([mailed]).convictions == found.convictions


def test_the_messages_of_a_proof_are_whole_turn_files(proofs, tmp_path):
    for path in proofs.values():
        parts = path.read_text("ascii").split("\n---\n")
        turns = [part for part in parts if part.startswith("kursk-pbem:")]
        assert len(turns) == 4
        for number, part in enumerate(turns):
            (tmp_path / f"cut-{number}.yaml").write_text(part, encoding="ascii")
            assert messages.read_message(part.encode("ascii"), "part").armour


SHAM = {
    "another side": lambda text: text.replace("convicts: german", "convicts: russian"),
    "another claim": lambda text: text.replace("claim: ", "claim: un", 1),
    "another game": lambda text: text.replace("game: ", "game: 0", 1),
    "message 0 left out": lambda text: without(text, 1),
    "a message left out": lambda text: without(text, 2),
    "the false message left out": lambda text: without(text, 4),
    "a message twice": lambda text: doubled(text, 2),
    "a changed order": lambda text: text.replace("\nfrom: russian\n", "\nfrom: russian\nwaive: posture\n"),
}


def without(text, number):
    parts = text.split("\n---\n")
    return "\n---\n".join(parts[:number] + parts[number + 1 :])


def doubled(text, number):
    parts = text.split("\n---\n")
    return "\n---\n".join([*parts[: number + 1], *parts[number:]])


@pytest.mark.parametrize("sham", SHAM)
def test_a_proof_that_claims_what_it_does_not_show_is_refused(proofs, tmp_path, capsys, sham):
    for path in proofs.values():
        text = path.read_text("ascii")
        changed = tmp_path / "sham.yaml"
        changed.write_text(SHAM[sham](text), encoding="ascii")
        assert changed.read_text("ascii") != text
        assert run(["prove", str(changed)]) == 3
        assert "does not show the claim" in capsys.readouterr().err


def by_other_rules(text, rules="0" * 64):
    """Return a proof whose maker had other rules."""
    return re.sub(r"rules:\s+[0-9a-f]+\n", f"rules: '{rules}'\n", text, count=1)


@pytest.mark.parametrize("rules", ["0" * 64, "unknown"])
def test_a_proof_counts_whoever_made_it(proofs, tmp_path, rules):
    for path in proofs.values():
        changed = tmp_path / "other.yaml"
        changed.write_text(by_other_rules(path.read_text("ascii"), rules), encoding="ascii")
        assert gather.prove_all([changed]).convictions


def test_a_proof_that_shows_nothing_names_other_rules_of_its_maker(proofs, tmp_path, capsys):
    text = SHAM["another claim"](by_other_rules(proofs["state"].read_text("ascii")))
    (tmp_path / "other.yaml").write_text(text, encoding="ascii")
    assert run(["prove", str(tmp_path / "other.yaml")]) == 3
    ours = rulesets.hash_rules("battle-for-kursk")
    said = " ".join(capsys.readouterr().err.split())
    assert f"made with other rules' code ({'0' * 16}) than here ({ours[:16]})" in said


HOSTILE = {
    "nothing but its first line": lambda text: text[: text.index("game:")],
    "no claim": lambda text: text.replace("claim:", "clam:", 1),
    "another version": lambda text: text.replace(proof_file.MARK + ": '2'", proof_file.MARK + ": '3'"),
    "rules that are no hash": lambda text: re.sub(r"rules:\s+[0-9a-f]+", "rules: '7'", text, count=1),
    "no signature": lambda text: text[: text.rindex("signature: |")],
    "a TAB": lambda text: text.replace("game: ", "game:\t", 1),
    "an anchor": lambda text: text.replace("convicts: ", "convicts: &a ", 1),
    "a position that is none": lambda text: with_position(text, "state: none\n"),
    "a position of another type": lambda text: with_position(text, "state: {type: message}\n"),
    "a position and more": lambda text: with_position(text, "state: {type: state}\nmore: b\n"),
    "something else": lambda text: f"{text}---\nhello: you\n",
    "too long": lambda text: text + "# and on, and on, and on\n" * 90_000,
    "more messages than a game has": lambda text: text + "---\nkursk-pbem: '1'\n" * 600,
    "deep": lambda text: text.replace("claim:", "claim: " + "[" * 5000 + "\nclam:", 1),
}


def with_position(text, position):
    parts = [part for part in text.split("\n---\n") if not part.startswith("state:")]
    return "\n---\n".join([*parts, position])


@pytest.mark.parametrize("hostile", HOSTILE)
def test_T26_T27_a_hostile_proof_cannot_be_read(proofs, tmp_path, capsys, hostile):
    for path in proofs.values():
        changed = tmp_path / "hostile.yaml"
        changed.write_text(HOSTILE[hostile](path.read_text("ascii")), encoding="ascii")
        assert run(["prove", str(changed)]) == 2
        err = capsys.readouterr().err
        assert str(changed) in err
        assert err.isascii()


def test_T27_a_proof_of_many_messages_with_one_number_is_not_judged(demo, record, proofs, capsys, monkeypatch):
    """Each of them costs the rules some milliseconds: a small file of legal twins would be worked on for a minute."""
    twins = [falsified(demo, record, 4, noted(str(number))) for number in range(3)]
    path = proofs["dice"]
    *parts, position = path.read_text("ascii").split("\n---\n")
    path.write_text("\n---\n".join([*parts, *twins, position]), encoding="ascii")
    monkeypatch.setattr(prove, "judge_messages", lambda _pool: pytest.fail("it is judged"))
    assert run(["prove", str(path)]) == 2
    assert "at most two messages" in capsys.readouterr().err


def test_every_character_of_a_proof_counts_or_changes_nothing(proofs):
    rng = mutations.random.Random(11)
    statuses = set()
    for path in proofs.values():
        text = path.read_text("ascii")
        right = gather.prove_all([path]).convictions
        for at in rng.sample(range(len(text)), 12):
            path.write_text(text[:at] + mutations.pick_another(text[at], at) + text[at + 1 :], encoding="ascii")
            try:
                found = gather.prove_all([path])
            except mutations.KurskError as error:
                statuses.add(error.exit_status)
            else:
                assert not found.proof or proof_file.write_proof(found.convictions[0]) == proof_file.write_proof(
                    right[0]
                )
    assert statuses == {2, 3}


# The command, and evidence that is kept


def test_prove_writes_the_proof_and_says_whom_it_convicts(demo, record, at_hand, tmp_path, capsys):
    paths = at_hand(range(8), falsified(demo, record, 4, false_die))
    out = tmp_path / "proofs" / "out"
    assert run(["prove", str(paths[0].parent), "--dir", str(out)]) == 0
    said = capsys.readouterr().out
    assert "german is convicted of false dice in message 4" in said
    assert "(Anna)" in said
    [proof] = out.iterdir()
    assert proof.name == f"proof-{record.games[0].chain.game[:16]}-0004.yaml"
    assert str(proof) in said
    before = proof.read_bytes()
    assert run(["prove", str(proof), "--dir", str(out)]) == 0
    assert "wrote" not in capsys.readouterr().out
    assert run(["prove", str(paths[0].parent), "--dir", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(each["side"], each["claim"], each["seq"]) for each in told["convicted"]] == [("german", "dice", 4)]
    assert told["convicted"][0]["wrote"] == str(proof)
    assert proof.read_bytes() == before
    assert [path.name for path in out.iterdir()] == [proof.name]
    proof.write_text("another\n", encoding="ascii")
    capsys.readouterr()
    assert run(["prove", str(paths[0].parent), "--dir", str(out)]) == 2
    said = capsys.readouterr()
    assert "german is convicted of false dice in message 4" in said.out
    assert said.err.endswith("exists already and differs; move the file away\n")


def test_prove_says_why_nobody_is_convicted(demo, record, at_hand, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    paths = at_hand([0, 2, 4])
    assert run(["prove", *map(str, paths)]) == 1
    err = capsys.readouterr().err
    assert "3 messages were checked" in err
    assert "message 3 " in err
    assert "is missing" in err
    assert run(["prove", "--json", *map(str, paths)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["status"] == 1
    assert told["convicted"] == []
    assert not list(tmp_path.glob("proof-*"))


def test_what_cannot_be_read_is_status_2_and_in_a_folder_left_out(record, at_hand, tmp_path, capsys):
    paths = at_hand(range(8), "hello: you\n")
    assert run(["prove", *map(str, paths)]) == 2
    assert "other-0.yaml" in capsys.readouterr().err
    assert run(["prove", str(paths[0].parent)]) == 1
    assert "left out" in capsys.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(["prove", str(empty)]) == 2
    assert "no message in" in capsys.readouterr().err


def test_a_proof_stands_by_itself(proofs, record, at_hand, capsys):
    assert run(["prove", str(proofs["dice"]), *map(str, at_hand([0]))]) == 2
    assert "give only the proof" in capsys.readouterr().err


def test_the_two_copies_of_a_game_and_their_archive_convict_nobody(demo, tmp_path, capsys):
    assert run(["export", str(game_folder(demo)), "-o", str(tmp_path / "archive")]) == 0
    for place in (demo, tmp_path / "archive"):
        capsys.readouterr()
        assert run(["prove", str(place)]) == 1
        assert capsys.readouterr().err == "kursk: no cheating found: 8 messages were checked\n"


@pytest.fixture
def bound(table):
    table.turn(OPENING)
    table.turn(ORDERS)
    return table


def again(player, letter, change, seq):
    """Write a file with message ``seq``, changed and signed again by the writer."""
    message = folders.read_message(letter)
    content = dict(message.content)
    change(content)
    armour = keys.load_key(player.key).sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    path = letter.with_name(f"again-{seq}.yaml")
    path.write_text(messages.emit_message(content, armour, message.state), encoding="ascii")
    return path


def test_2_6_a_second_message_is_void_and_kept_and_convicts_nobody(bound, monkeypatch, capsys):
    german, russian = bound.german, bound.russian
    monkeypatch.setenv("KURSK_HOME", str(russian.home))
    second = again(german, russian.place / "inbox" / "0002.yaml", noted(), 2)
    name = folders.read_message(second).id
    before = {path.name: path.read_bytes() for path in russian.folder.iterdir()}
    for _twice in range(2):
        assert run(["inbox", "--report", str(second)]) == 1
        assert "this one is void, and no fraud" in capsys.readouterr().err
        kept = russian.folder / f"0002-{name[:16]}.void.yaml"
        after = {path.name: path.read_bytes() for path in russian.folder.iterdir()}
        assert folders.read_message(kept).id == name
        assert {key: value for key, value in after.items() if key != kept.name} == before
    assert run(["verify", str(russian.folder)]) == 0
    monkeypatch.chdir(russian.place)
    assert run(["prove", str(russian.folder)]) == 1
    assert "message 2 was signed 2 times by german; the message that came first counts" in capsys.readouterr().err
    kept.write_text("mine", encoding="ascii")
    assert run(["inbox", "--report", str(second)]) == 1
    assert kept.read_text("ascii") == "mine"  # never overwritten


@pytest.mark.parametrize("change", [state_out, lambda content: content["orders"]["battles"][0].update(hex="2113")])
def test_a_second_message_that_is_not_good_is_refused_and_not_kept(bound, monkeypatch, capsys, change):
    russian = bound.russian
    monkeypatch.setenv("KURSK_HOME", str(russian.home))
    second = again(bound.german, russian.place / "inbox" / "0002.yaml", change, 2)
    before = sorted(russian.folder.iterdir())
    assert run(["inbox", "--report", str(second)]) in (1, 3)
    assert sorted(russian.folder.iterdir()) == before
