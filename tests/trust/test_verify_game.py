"""tests/second_auditor.py, which shares nothing with the program, agrees with it on games that hold and on lies."""

import ast
import copy
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import finished_games
import pytest
from demo_game import play_demo
from desk import SIGNERS, VECTORS, vectors

from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game import export, record, verify
from kursk_pbem.game import folder as folders
from kursk_pbem.trust import commit, keys, sshsig
from kursk_pbem.trust import message as messages

SCRIPT = Path(__file__).parents[1] / "second_auditor.py"
GAMES = sorted(path.parent for path in finished_games.ROOT.glob("*/*/0000.yaml"))
ENTRIES = {entry["name"]: entry for entry in vectors()["tampered"]}
RULES = {name for name, entry in ENTRIES.items() if entry["needs-rules"] == "yes"}

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="the script needs ssh-keygen")


@cache
def script():
    spec = importlib.util.spec_from_file_location("verify_game", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def check(capsys):
    """Run the script's main on a folder: (exit status, lines)."""

    def run(folder):
        capsys.readouterr()
        status = script().main(folder)
        return status, capsys.readouterr().out.splitlines()

    return run


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    return play_demo(tmp_path_factory.mktemp("verify-game") / "demo")


@pytest.fixture(scope="module")
def archive(played):
    """The demonstration in archive form. Only to be read."""
    out = played / "archive"
    export.export(next((played / "german").glob("game-*")), out)
    return out


@pytest.fixture(scope="module")
def signers(played):
    return {side: keys.load(played / side / "me") for side in ("german", "russian")}


def said_to_be(line):
    """(file, fault) that the script's last line names."""
    found = re.fullmatch(r"(\S+): FAULT: ([a-z]+): .+", line)
    assert found, line
    return found[1], found[2]


class TestTheScript:
    def test_it_shares_nothing_with_the_program_and_needs_no_library(self):
        tree = ast.parse(SCRIPT.read_text("ascii"))
        modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        modules |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert modules <= sys.stdlib_module_names

    def test_it_runs_alone(self, archive, tmp_path):
        def run(*words):
            command = [sys.executable, "-I", "-S", SCRIPT, *words]
            return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

        done = run(archive)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-1] == f"head {verify.verify_game(archive).head}"
        assert run(tmp_path).returncode == 1
        assert run().returncode == 1
        assert "FOLDER" in run().stderr

    def test_without_ssh_keygen_it_says_so_and_accuses_nobody(self, archive, monkeypatch, capsys):
        monkeypatch.setenv("PATH", "")
        assert script().main(archive) == 2
        printed = capsys.readouterr()
        assert "ssh-keygen" in printed.err
        assert "FAULT" not in printed.out


class TestGamesThatHold:
    @pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
    def test_finished_games(self, folder, tmp_path, check):
        game = export.export(folder, tmp_path).game
        self.agree(tmp_path, game, check)
        assert f"head: {game.chain.head_id}\n" in (folder / "game.txt").read_text("ascii")

    def test_the_demonstration(self, archive, check):
        self.agree(archive, record.load(archive), check)

    def agree(self, folder, game, check):
        status, lines = check(folder)
        assert status == 0, lines
        assert lines[-1] == f"head {game.chain.head_id}"
        read = [folders.read_message(path) for path in folders.message_files(folder)]
        assert len(lines) == len(read) + 1
        for message, line in zip(read, lines, strict=False):
            dice = "".join(f", {label} {digits}" for label, digits in sorted(message.mapping("dice").items()))
            assert line == f"{message.seq:04}.json: {message.sender}, {message.type}, {message.id[:32]}{dice}"

    def test_there_are_finished_games(self):
        assert len(GAMES) >= 8

    @pytest.mark.parametrize("name", ["sample-players", "sample-referee"])
    def test_samples(self, name, check):
        known = vectors()[name]
        status, lines = check(VECTORS / name)
        assert status == 0, lines
        assert lines[-1] == f"head {known['id'][str(len(known['id']) - 1)]}"
        for k, mid in known["id"].items():
            assert mid[:32] in lines[int(k)]
        assert sum(line.count("/") for line in lines) == len(known["dice"])
        for die in known["dice"]:
            assert f"{die['label']} {die['used']}" in lines[int(die["seq"])]

    def test_a_successor_that_is_offered_is_a_proposal(self, check):
        assert check(VECTORS / "sample-players" / "offered")[0] == 0


@pytest.mark.parametrize("name", ENTRIES)
def test_tampered_samples(name, tmp_path, check):
    entry = ENTRIES[name]
    for path in (VECTORS / entry["sample"]).glob("*.json*"):
        shutil.copyfile(path, tmp_path / path.name)
    for file, text in entry["replace"].items():
        (tmp_path / file).write_text(text, encoding="utf-8", newline="")
    for file in entry["remove"]:
        (tmp_path / file).unlink()
    status, lines = check(tmp_path)
    if name in RULES:  # what only a reader of the rules can see: said in its docstring
        assert status == 0
        return
    receipt = next((file for file in entry["replace"] if file.startswith("receipt")), "")
    assert status == 1
    assert said_to_be(lines[-1]) == (receipt.removesuffix(".sig") or f"{int(entry['message']):04}.json", entry["fault"])


def test_of_the_tampered_samples_few_need_the_rules():
    assert {"wrong-state", "illegal-orders"} == RULES
    assert len(ENTRIES) == 33


class Desk:
    """The demonstration as both players might forge it: contents to change, and their keys to sign anew."""

    def __init__(self, archive, signers, folder):
        self.archive, self.signers, self.folder = archive, signers, folder
        self.said = [json.loads(path.read_bytes()) for path in folders.message_files(archive)]
        shutil.copytree(archive, folder, dirs_exist_ok=True)

    def forge(self, k, by="", **changes):
        """Change message k (None takes a field away) and sign it; the later ones go."""
        self.put(k, by, **changes)
        self.cut(k + 1)

    def put(self, k, by="", **changes):
        content = {**self.said[k], **{name.replace("_", "-"): value for name, value in changes.items()}}
        content = {name: value for name, value in content.items() if value is not None}
        self.said[k] = content
        signed = messages.signed_bytes(content)
        path = folders.archive_path(self.folder, k)
        path.write_bytes(signed)
        armour = self.signers[by or content["from"]].sign(sshsig.NAMESPACE, signed)
        folders.signature_path(path).write_text(armour, encoding="ascii", newline="")
        return sha256_hex(signed)

    def cut(self, k):
        for number in range(k, len(self.said)):
            folders.archive_path(self.folder, number).unlink()
            folders.signature_path(folders.archive_path(self.folder, number)).unlink()


@pytest.fixture
def desk(archive, signers, tmp_path):
    return Desk(archive, signers, tmp_path)


def other(hex_):
    return ("1" if hex_[0] == "0" else "0") + hex_[1:]


def changed(mapping, label, value):
    found = copy.deepcopy(mapping)
    found[label] = value
    return found


def a_die(desk):
    dice = desk.said[4]["dice"]
    label = min(dice)
    desk.forge(4, dice=changed(dice, label, str(int(dice[label]) % 6 + 1)))
    return 4, "dice"


def a_second_die(desk):
    dice = desk.said[4]["dice"]
    desk.forge(4, dice=changed(dice, "izyum/combat", dice["izyum/combat"] + "1"))
    return 4, "dice"


def an_early_die(desk):
    desk.forge(2, dice={"ponyri/combat": "6"})
    return 2, "dice"


def an_opening(desk):
    desk.forge(4, open=other(desk.said[4]["open"]))
    return 4, "opening"


def a_commitment(desk):
    """Message 2 commits to something else; all that follows is signed anew, and only the opening can tell."""
    before = desk.put(2, commit=other(desk.said[2]["commit"]))
    before = desk.put(3, prev=before)
    desk.forge(4, prev=before)
    return 4, "opening"


def a_commitment_alone(desk):
    desk.put(2, commit=other(desk.said[2]["commit"]))
    return 3, "chain"


def a_reveal(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    shown["posture/turn-1"]["value"]["posture"] = "deploy"
    desk.forge(3, reveal=shown)
    return 3, "reveal"


def a_salt(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    shown["posture/turn-1"]["salt"] = other(shown["posture/turn-1"]["salt"])
    desk.forge(3, reveal=shown)
    return 3, "reveal"


def no_reveal(desk):
    desk.forge(3, reveal=None)
    return 3, "reveal"


def one_reveal_too_many(desk):
    shown = desk.said[3]["reveal"]
    desk.forge(3, reveal=changed(shown, "plans/1", shown["posture/turn-1"]))
    return 3, "reveal"


def swapped_messages(desk):
    """Messages 4 and 6, both the German's, under each other's names."""
    four, six = (folders.archive_path(desk.folder, k) for k in (4, 6))
    for one, two in ((four, six), tuple(map(folders.signature_path, (four, six)))):
        kept = one.read_bytes()
        one.write_bytes(two.read_bytes())
        two.write_bytes(kept)
    return 4, "chain"


def a_missing_message(desk):
    path = folders.archive_path(desk.folder, 5)
    path.unlink()
    folders.signature_path(path).unlink()
    return 5, "chain"


def a_missing_message_whose_signature_is_there(desk):
    folders.archive_path(desk.folder, 7).unlink()
    return 7, "chain"


def another_predecessor(desk):
    desk.forge(5, prev=desk.said[4]["prev"])
    return 5, "chain"


def another_game(desk):
    desk.forge(5, game=other(desk.said[5]["game"]))
    return 5, "chain"


def another_number(desk):
    desk.forge(5, seq="7")
    return 5, "chain"


def a_wrong_sender(desk):
    desk.forge(4, **{"from": "russian"})
    return 4, "sender"


def a_stranger(desk):
    desk.forge(4, by="german", **{"from": "soviet"})
    return 4, "sender"


def another_signer(desk):
    desk.forge(4, by="russian")
    return 4, "signature"


def nobody_signs(desk):
    """The signature of another message."""
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.write_bytes(folders.signature_path(folders.archive_path(desk.folder, 6)).read_bytes())
    return 4, "signature"


def another_purpose(desk):
    path = folders.archive_path(desk.folder, 4)
    armour = desk.signers["german"].sign("file", path.read_bytes())
    folders.signature_path(path).write_text(armour, encoding="ascii", newline="")
    return 4, "signature"


def an_early_resignation(desk):
    desk.forge(2, type="resign", choice=None, waive=None, orders=None, secret=None)
    return 2, "order"


def a_second_acceptance(desk):
    desk.forge(3, type="accept")
    return 3, "order"


def a_resignation_with_orders(desk):
    desk.forge(4, type="resign")
    assert "orders" in desk.said[4]
    return 4, "order"


def no_commitment(desk):
    desk.forge(4, commit=None)
    return 4, "order"


def choices_in_the_proposal(desk):
    desk.forge(0, secret={"posture/turn-1": "ab" * 32})
    return 0, "order"


def a_key_for_both(desk):
    both = dict.fromkeys(desk.said[0]["keys"], desk.said[0]["keys"]["german"])
    desk.forge(0, keys=both)
    return 0, "head"


def a_blank(desk):
    path = folders.archive_path(desk.folder, 4)
    path.write_bytes(path.read_bytes() + b"\n")
    return 4, "canonical"


def an_escape(desk):
    path = folders.archive_path(desk.folder, 4)
    assert b'"russian"' not in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(b'"german"', b'"\\u0067erman"', 1))
    return 4, "canonical"


def a_hidden_letter(desk):
    desk.forge(4, note="out of sight \u202e")
    return 4, "canonical"


def a_wide_text(desk):
    desk.forge(4, note="x" * 4097)
    return 4, "canonical"


def a_deep_value(desk):
    deep = "x"
    for _ in range(12):
        deep = {"a": deep}
    desk.forge(4, orders=deep)
    return 4, "canonical"


def a_big_file(desk):
    desk.forge(4, orders={f"a{n}": "x" * 4000 for n in range(70)})
    return 4, "canonical"


def a_list_for_orders(desk):
    desk.forge(4, orders=["movement"])
    return 4, "canonical"


def a_note_that_is_no_text(desk):
    desk.forge(4, note=["a", "b"])
    return 4, "canonical"


def another_version(desk):
    desk.forge(4, kursk_pbem="2")
    return 4, "canonical"


def a_key_that_is_none(desk):
    desk.forge(4, orders={"a b": "c"})
    return 4, "canonical"


def a_label_that_is_none(desk):
    desk.forge(2, secret={"Plans/2": "ab" * 32})
    return 2, "canonical"


def a_seal_that_is_no_hash(desk):
    desk.forge(2, secret={"plans/2": "AB" * 32})
    return 2, "canonical"


def a_die_with_seven_faces(desk):
    desk.forge(4, dice=changed(desk.said[4]["dice"], "ponyri/combat", "7"))
    return 4, "canonical"


def no_dice(desk):
    desk.forge(4, dice=changed(desk.said[4]["dice"], "ponyri/combat", ""))
    return 4, "canonical"


def a_short_salt(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    shown["posture/turn-1"]["salt"] = shown["posture/turn-1"]["salt"][:30]
    desk.forge(3, reveal=shown)
    return 3, "canonical"


def no_salt(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    del shown["posture/turn-1"]["salt"]
    desk.forge(3, reveal=shown)
    return 3, "canonical"


def a_scenario_without_its_hash(desk):
    desk.forge(0, scenario={"id": desk.said[0]["scenario"]["id"]})
    return 0, "canonical"


def a_ruleset_without_its_version(desk):
    desk.forge(0, ruleset={"id": desk.said[0]["ruleset"]["id"]})
    return 0, "canonical"


def another_hash_under_the_signature(desk):
    """ssh-keygen takes a signature over the SHA-256 as well; only sha512 is the one spelling."""
    path = folders.archive_path(desk.folder, 4)
    key = desk.archive.parent / "german" / "me"
    signing = ["ssh-keygen", "-Y", "sign", "-O", "hashalg=sha256", "-f", key, "-n", "kursk-pbem"]
    made = subprocess.run(signing, input=path.read_bytes(), capture_output=True, check=True).stdout
    assert made != folders.signature_path(path).read_bytes()
    folders.signature_path(path).write_bytes(made)
    return 4, "signature"


def words_around_the_signature(desk):
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.write_bytes(b"signed:\n" + path.read_bytes())
    return 4, "signature"


def no_base64(desk):
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.write_bytes(path.read_bytes().replace(b"U1NI", b"U1N!", 1))
    return 4, "signature"


LIES = [
    a_die, a_second_die, an_early_die, an_opening, a_commitment, a_commitment_alone, a_reveal, a_salt, no_reveal,
    one_reveal_too_many, swapped_messages, a_missing_message, a_missing_message_whose_signature_is_there,
    another_predecessor, another_game, another_number, a_wrong_sender, a_stranger, another_signer, nobody_signs,
    another_purpose, an_early_resignation, a_second_acceptance, a_resignation_with_orders, no_commitment,
    choices_in_the_proposal, a_key_for_both, a_blank, an_escape, a_hidden_letter, a_wide_text, a_deep_value, a_big_file,
    a_list_for_orders, a_note_that_is_no_text, another_version, a_key_that_is_none, a_label_that_is_none,
    a_seal_that_is_no_hash, a_die_with_seven_faces, no_dice, a_short_salt, no_salt, a_scenario_without_its_hash,
    a_ruleset_without_its_version, another_hash_under_the_signature, words_around_the_signature, no_base64,
]  # fmt: skip


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_a_lie_is_found_by_both_in_the_same_place(lie, desk, check):
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
    signers = finished_games.signers(name, tmp_path)
    out = tmp_path / "archive"
    game = export.export(finished_games.ROOT / "battle-for-kursk" / name, out).game
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
        made.archive = made.folder = tmp_path
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
            (7, {"offer": {"kind": "peace"}}, "order"),
            (7, {"offer": {"kind": "successor", "game": "ab"}}, "canonical"),
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
        mid = script().sha((sample.folder / "0009.json").read_bytes())
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
            (False, {"dice-from": "nobody"}, "canonical"),
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
            ({"from": "german"}, "sender"),
            ({"type": "forfeit"}, "order"),
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
