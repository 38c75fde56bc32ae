"""tests/second_auditor.py, the complete second implementation, finds every lie that needs no rules as the program does.

docs/verify_game.py finds it in the same place, but for what it leaves to ``kursk verify``: auditors.LEFT.
"""

import json
import shutil

import pytest
from helpers import finished_games, registry
from helpers.auditors import ELSEWHERE, LEFT, SECOND, SHORT, load, remembering, said_to_be
from helpers.lies import LIES, Desk, other
from helpers.referee_desk import DRAW, following, proposed
from helpers.signing_desk import SIGNERS, VECTORS, signed

from kursk_pbem.audit import export, verify
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game import folder as folders
from kursk_pbem.trust import chain as chains
from kursk_pbem.trust import commit, sshsig
from kursk_pbem.trust import message as messages

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="they need ssh-keygen")]


@pytest.fixture(scope="module")
def checkers():
    second, short = load(SECOND), load(SHORT)
    second.signed, short.check_signature = remembering(second.signed), remembering(short.check_signature)
    return second.main, short.main


@pytest.fixture
def check(request, checkers, capsys):
    """Run the second auditor on a folder: (exit status, lines). The short script must find the same, or leave it."""
    main, short = checkers
    name = getattr(request.node, "callspec", None) and request.node.callspec.id
    name = name or request.node.name.removeprefix("test_")

    def run(folder):
        capsys.readouterr()
        status = main(folder)
        lines = capsys.readouterr().out.splitlines()
        quick = short(folder)
        said = capsys.readouterr().out.splitlines()
        if name in LEFT:
            assert (status, quick) == (1, 0), said
        elif status:
            assert (quick, said_to_be(said[-1])) == (1, ELSEWHERE.get(name, said_to_be(lines[-1])))
        else:
            assert (quick, said[-1]) == (0, lines[-1])
        return status, lines

    return run


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_a_lie_is_found_by_all_in_the_same_place(lie, desk, check):
    k, fault = lie(desk)
    status, lines = check(desk.folder)
    assert status == 1
    assert said_to_be(lines[-1]) == (f"{k:04}.json", fault)
    assert len(lines) == k + 1
    ours = verify.verify_game(desk.folder)
    assert ours.status == (2 if fault == "canonical" else 3)
    assert ours.fault == ("" if fault == "canonical" else fault)
    assert str(folders.archive_path(desk.folder, k)) in ours.text


def test_a_signature_is_missing(desk, check):
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.unlink()
    status, lines = check(desk.folder)
    assert (status, *said_to_be(lines[-1])) == (1, "0004.json", "signature")
    ours = verify.verify_game(desk.folder)
    assert ours.status == 2  # as of a mailed file that nobody has signed
    assert str(path) in ours.text


def test_signing_anew_is_no_lie_by_itself(desk, archive, check):
    """The tests above would mean nothing if their signatures were bad."""
    for k in range(len(desk.said)):
        desk.put(k)
    assert all((desk.folder / path.name).read_bytes() == path.read_bytes() for path in archive.iterdir())
    assert check(desk.folder)[0] == 0


def test_after_a_resignation_nothing_follows(tmp_path, check):
    """A resignation that is followed by its opponent's turn, all signed by those who may sign."""
    name = "resignation-german"
    signers = finished_games.signers(registry.kit(), name, tmp_path)
    out = tmp_path / "archive"
    game = export.export(finished_games.folder_of(registry.kit(), name), out).game
    k = game.chain.next_seq
    last, before = (json.loads(folders.archive_path(out, n).read_bytes()) for n in (k - 1, k - 2))
    content = {**before, "seq": str(k), "prev": game.chain.head_id, "type": "turn", "state-in": last["state-out"]}
    for field in ("reveal", "dice", "secret"):
        content.pop(field, None)
    signed = messages.signed_bytes(content)
    path = folders.archive_path(out, k)
    path.write_bytes(signed)
    armour = signers[content["from"]].sign(sshsig.NAMESPACE, signed)
    folders.signature_path(path).write_text(armour, encoding="ascii", newline="")
    status, lines = check(out)
    assert (status, *said_to_be(lines[-1])) == (1, path.name, "order")
    assert verify.verify_game(out).fault == "order"


def test_what_needs_the_rules_is_left_to_the_program(desk, check):
    """A position and a die that is not due: the script's docstring says that it does not see them."""
    desk.forge(4, state_out=other(desk.said[4]["state-out"]))
    assert check(desk.folder)[0] == 0
    assert verify.verify_game(desk.folder).fault == "state"


def proposal(refereed, **changes):
    """A proposal of the toy game of the samples, signed by its proposer."""
    folder = VECTORS / ("sample-referee" if refereed else "sample-players")
    return {**json.loads((folder / "0000.json").read_bytes()), **changes}


class TestRefereed:
    """What the tampered samples leave open: what a referee hands on, whom he names next, and what only he may."""

    @pytest.fixture
    def sample(self, tmp_path):
        for path in (VECTORS / "sample-referee").glob("*.json*"):
            shutil.copyfile(path, tmp_path / path.name)
        made = Desk.__new__(Desk)
        made.folder = tmp_path
        made.signers = SIGNERS
        made.said = [json.loads(path.read_bytes()) for path in folders.message_files(tmp_path)]
        return made

    @pytest.mark.parametrize(
        ("k", "changes", "fault"),
        [
            (0, {"next": "referee"}, "order"),
            (0, {"next": None}, "order"),
            (2, {"next": "german"}, "order"),  # who has accepted already
            (2, {"next": None}, "order"),
            (4, {"next": "nobody"}, "order"),
            (4, {"reveal": {}}, "order"),
            (4, {"orders": {}}, "order"),
            (4, {"type": "resign"}, "order"),
            (4, {"state_out": "ab" * 32}, "state"),
            (5, {"dice": {"battle-1/combat": "4"}}, "order"),
            (5, {"next": "german"}, "order"),
            (5, {"mix": "ab"}, "canonical"),
            pytest.param(7, {"offer": {"kind": "peace"}}, "order", id="an_offer_of_peace"),
            pytest.param(7, {"offer": {"kind": "successor", "game": "ab"}}, "canonical", id="a_short_successor"),
            (7, {"state_out": "ab" * 32}, "state"),
            (8, {"next": "russian"}, "order"),  # who has offered himself
            (8, {"next": None}, "order"),
            (8, {"state_in": "ab" * 32, "state_out": "ab" * 32}, "state"),
            (9, {"reply": "perhaps"}, "order"),
            (9, {"reveal": {}}, "order"),
            (9, {"state_in": "ab" * 32, "state_out": "ab" * 32}, "state"),
        ],
    )
    def test_a_lie(self, sample, check, k, changes, fault):
        before = sample.said[k]
        sample.forge(k, **changes)
        assert sample.said[k] != before
        status, lines = check(sample.folder)
        assert (status, *said_to_be(lines[-1])) == (1, f"{k:04}.json", fault)

    def test_an_offer_is_handed_on_without_dice(self, sample, check):
        """Even a die that is right for its seed."""
        previous = bytes.fromhex(sample.said[8]["prev"])
        seed = commit.seed(bytes.fromhex(sample.said[8]["open"]), previous)
        sample.forge(8, dice={"battle-2/combat": commit.dice(seed, "battle-2/combat", 1)})
        status, lines = check(sample.folder)
        assert (status, *said_to_be(lines[-1])) == (1, "0008.json", "dice")
        assert "handed on without dice" in lines[-1]

    def test_after_an_offer_is_accepted_nothing_follows(self, sample, check):
        mid = sha256_hex((sample.folder / "0009.json").read_bytes())
        sample.said.append({**sample.said[8], "seq": "10", "prev": mid})
        sample.put(10)
        assert said_to_be(check(sample.folder)[1][-1]) == ("0010.json", "order")

    def test_who_names_nobody_ends_the_game(self, sample, check):
        sample.cut(7)
        mid = sample.put(6, next=None, pending=None)
        assert check(sample.folder)[0] == 0
        sample.said[7].update(prev=mid)
        sample.put(7)
        assert said_to_be(check(sample.folder)[1][-1]) == ("0007.json", "order")

    @pytest.mark.parametrize(
        ("refereed", "changes", "fault"),
        [
            (True, {"keys": {side: SIGNERS[side].public for side in ("german", "russian")}}, "head"),
            (False, {"keys": {"russian": SIGNERS["russian"].public}}, "head"),
            (False, {"keys": {side: SIGNERS[side].public for side in SIGNERS}}, "head"),
            (False, {"keys": {"russian": SIGNERS["russian"].public, "german": "ssh-ed25519 " + "A" * 68}}, "head"),
            pytest.param(False, {"dice-from": "nobody"}, "canonical", id="dice_from_nobody"),
            (False, {"nonce": "ab"}, "canonical"),
            (False, {"next": "german"}, "order"),
        ],
    )
    def test_proposals(self, tmp_path, check, refereed, changes, fault):
        desk = Desk.__new__(Desk)
        desk.folder, desk.signers, desk.said = tmp_path, SIGNERS, [proposal(refereed, **changes)]
        desk.put(0)
        assert said_to_be(check(tmp_path)[1][-1]) == ("0000.json", fault)
        desk.said = [proposal(refereed)]
        desk.put(0)
        assert check(tmp_path)[0] == 0


class TestPapers:
    """A referee's receipt, which lies beside the chain."""

    @pytest.mark.parametrize(
        ("change", "fault"),
        [
            ({"seq": "9"}, "chain"),
            ({"seq": "99"}, "chain"),
            ({"game": "ab" * 32}, "chain"),
            pytest.param({"from": "german"}, "sender", id="a_receipt_from_a_player"),
            pytest.param({"type": "forfeit"}, "order", id="a_receipt_named_forfeit"),
        ],
    )
    def test_a_receipt_that_says_something_else(self, change, fault, tmp_path, check):
        for path in (VECTORS / "sample-players").glob("*.json*"):
            shutil.copyfile(path, tmp_path / path.name)
        path = tmp_path / "receipt-0010.json"
        said = {**json.loads(path.read_bytes()), **change}
        signed = messages.signed_bytes(said)
        path.write_bytes(signed)
        armour = SIGNERS["referee"].sign(sshsig.NAMESPACE, signed)
        folders.signature_path(path).write_text(armour, encoding="ascii", newline="")
        status, lines = check(tmp_path)
        assert (status, *said_to_be(lines[-1])) == (1, path.name, fault)


def test_an_empty_mapping_of_dice_says_the_same_as_none(tmp_path, check):
    """A referee's message that hands an offer on: the program takes it with ``dice: {}``, so must the scripts."""
    chain = chains.start(first := signed(proposed()))
    lines = [first]
    for more in ({}, {}, {}, {}, {"type": "offer", "offer": DRAW}, {"dice": {}}):
        lines.append(signed(following(chain, **more)))
        chain = chain.extend(lines[-1])
    for message in lines:
        (tmp_path / f"{message.seq:04}.json").write_bytes(message.signed)
        (tmp_path / f"{message.seq:04}.json.sig").write_text(message.armour, encoding="ascii")
    assert "dice" in lines[-1].content
    status, said = check(tmp_path)
    assert (status, said[-1]) == (0, f"head {lines[-1].id}")
