"""Successor games with many copies: the program verifies each game once, and not against every copy."""

import copy
import json
import os
import shutil
import sys

import pytest
from helpers import finished_games

from kursk_pbem.audit import verify
from kursk_pbem.cli import run
from kursk_pbem.formats.canonical import state_hash
from kursk_pbem.game import histories, successor
from kursk_pbem.trust import keys, messages, sshsig

OLD = next(path for path in finished_games.ROOT.glob("*/moscow"))
COPIES, PROPOSALS = 4, 3


def proposal(old, number):
    """Make message 0 of a successor from a position unknown in the old game."""
    first, game = old.steps[0].message, old.game
    signers = {side: keys.from_seed(bytes([7 + at]) * 32) for at, side in enumerate(first.content["keys"])}
    state = copy.deepcopy(first.state or old.steps[0].after.state.to_plain())
    unit = [name for name, said in state["units"].items() if said.get("steps") == "2"][number]
    state["units"][unit]["steps"] = "1"
    last = len(old.steps) - 1
    content = {
        **first.content,
        "nonce": f"{number:064x}",
        "state-out": state_hash(state),
        "continues": {"game": game.chain.game, "seq": str(last), "id": game.chain.ids[last]},
        "keys": {side: signer.public for side, signer in signers.items()},
    }
    armour = signers[first.sender].sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    return messages.emit_message(content, armour, state)


@pytest.fixture(scope="module")
def heap(tmp_path_factory):
    """Make complete and shortened copies of a game, and proposals of successors."""
    place = tmp_path_factory.mktemp("family") / "heap"
    old = histories.load(OLD)
    for number in range(COPIES):
        shutil.copytree(OLD, place / f"old-{number}")
        for path in sorted((place / f"old-{number}").glob("[0-9]*.yaml"))[len(old.steps) - number // 2 :]:
            path.unlink()
    for number in range(PROPOSALS):
        (place / f"new-{number}").mkdir()
        (place / f"new-{number}" / "0000.yaml").write_text(proposal(old, number), encoding="ascii")
    shutil.copytree(next(OLD.parent.glob("resignation-german")), place / "stranger")
    return place


def verdicts(heap, capsys, *more):
    assert run(["verify", str(heap), "--json", *more]) == 3
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_T27_successors_are_not_held_against_every_copy(heap, monkeypatch, capsys):
    """It was a product: 16 copies and 16 proposals took half a minute."""
    pairs = []
    agreed = successor.check_agreement
    monkeypatch.setattr(successor, "check_agreement", lambda old, new: pairs.append(1) or agreed(old, new))
    found = verdicts(heap, capsys)
    assert len(pairs) == PROPOSALS
    assert [each["status"] for each in found] == [3] * PROPOSALS + [0] * (COPIES + 1)
    for number, each in enumerate(found[:PROPOSALS]):
        assert str(heap / f"new-{number}") in each["text"]
        assert "never occurred in game-" in each["text"]


@pytest.mark.skipif(sys.platform != "linux", reason="workers that begin anew know nothing of this test")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_with_several_processes_the_parent_verifies_nothing_again(heap, monkeypatch, capsys):
    alone = verdicts(heap, capsys)
    parent, load = os.getpid(), histories.load

    def loaded(*arguments, **more):
        assert os.getpid() != parent
        return load(*arguments, **more)

    monkeypatch.setattr(verify.histories, "load", loaded)
    assert verdicts(heap, capsys, "--jobs", "2") == alone


def test_each_game_of_a_family_is_loaded_once(heap, monkeypatch, capsys):
    load, seen = histories.load, []
    monkeypatch.setattr(
        verify.histories, "load", lambda folder, *more, **end: seen.append(folder) or load(folder, *more, **end)
    )
    assert len(verdicts(heap, capsys)) == len(seen) == COPIES + PROPOSALS + 1


def test_families_are_found_without_believing_anything(heap, tmp_path, capsys):
    names = verify.find_families(sorted(heap.iterdir()))
    assert {path.name for path in names} == {path.name for path in heap.iterdir()} - {"stranger"}
    assert len(set(names.values())) == 1
    assert verify.find_families([heap / "stranger", tmp_path / "nothing"]) == {}
    (spoilt := tmp_path / "spoilt").mkdir()
    (spoilt / "0000.yaml").write_bytes(b"continues: [[[[\n")
    assert verify.find_families([spoilt, heap / "stranger"]) == {}
    assert run(["verify", str(spoilt), str(heap / "stranger")]) == 2
    assert "stranger: verified" in capsys.readouterr().out
