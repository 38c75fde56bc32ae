"""The second auditor, who knows the protocol only, agrees with ``verify`` and finds every lie of his kinds."""

import ast
import subprocess
import sys
from pathlib import Path

import finished_games
import pytest

from kursk_pbem.errors import TrustError
from kursk_pbem.game import folder as folders
from kursk_pbem.game import record, verify
from kursk_pbem.trust import message as messages
from kursk_pbem.trust import sshsig

sys.path.insert(0, str(Path(__file__).resolve().parent))
import auditor

GAMES = sorted(path.parent for path in finished_games.ROOT.glob("*/*/game.txt"))
NAME = "resignation-german"
GAME = finished_games.ROOT / "battle-for-kursk" / NAME


@pytest.fixture(scope="module")
def signers(tmp_path_factory):
    return finished_games.signers(NAME, tmp_path_factory.mktemp("keys"))


def test_the_auditor_shares_nothing_with_the_program():
    tree = ast.parse(Path(auditor.__file__).read_text("ascii"))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules - {*sys.stdlib_module_names} == {"yaml"}


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_both_auditors_agree(folder):
    found, audited = verify.verify_game(folder), auditor.audit(folder)
    assert (found.game, found.head, found.messages) == (audited.ids[0], audited.ids[-1], len(audited.ids))
    written = [folders.read_message(path) for path in folders.message_files(folder)]
    assert audited.dice == sum(len(digits) for message in written for digits in message.mapping("dice").values())
    assert audited.reveals == sum(len(message.mapping("reveal")) for message in written)


def test_the_auditor_is_a_program():
    done = subprocess.run([sys.executable, auditor.__file__, GAME], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("11 messages, ")


def contents():
    return [folders.read_message(path).content for path in folders.message_files(GAME)]


def first(found, wanted):
    """The number of the first message of which ``wanted`` is true."""
    return next(seq for seq, content in enumerate(found) if wanted(content))


def other_digit(hex_):
    return ("1" if hex_[0] == "0" else "0") + hex_[1:]


def changed_die(found):
    seq = first(found, lambda content: "dice" in content)
    label = min(found[seq]["dice"])
    found[seq]["dice"][label] = str(int(found[seq]["dice"][label]) % 6 + 1)
    return seq, "dice"


def renamed_die(found):
    seq = first(found, lambda content: "dice" in content)
    label = min(found[seq]["dice"])
    found[seq]["dice"]["another/combat"] = found[seq]["dice"].pop(label)
    return seq, "dice"


def early_die(found):
    found[2]["dice"] = {"early/combat": "6"}
    return 2, "dice"


def changed_opening(found):
    seq = first(found, lambda content: int(content["seq"]) > 2 and "dice" not in content)
    found[seq]["open"] = other_digit(found[seq]["open"])
    return seq, "opening"


def changed_reveal(found):
    seq = first(found, lambda content: "posture/turn-1" in content.get("reveal", {}))
    value = found[seq]["reveal"]["posture/turn-1"]["value"]
    value["posture"] = "pause" if value["posture"] != "pause" else "engage"
    return seq, "reveal"


def changed_salt(found):
    seq = first(found, lambda content: "reveal" in content)
    opened = min(found[seq]["reveal"].items())[1]
    opened["salt"] = other_digit(opened["salt"])
    return seq, "reveal"


def missing_reveal(found):
    seq = first(found, lambda content: "reveal" in content)
    del found[seq]["reveal"]
    return seq, "reveal"


def swapped_message(found):
    """Message 5 with the number of message 3: everything fits but what it follows."""
    found[3] = {**found[5], "seq": "3"}
    return 3, "chain"


def another_predecessor(found):
    found[6]["prev"] = other_digit(found[6]["prev"])
    return 6, "chain"


def another_game(found):
    found[4]["game"] = other_digit(found[4]["game"])
    return 4, "chain"


LIES = [
    changed_die, renamed_die, early_die, changed_opening, changed_reveal, changed_salt, missing_reveal,
    swapped_message, another_predecessor, another_game,
]  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_that_its_writer_has_signed_is_found_by_both(lie, signers, tmp_path):
    """The game up to the lie, its last message signed anew: one check alone can find it."""
    found = contents()
    seq, kind = lie(found)
    for number, path in enumerate(folders.message_files(GAME)[:seq]):
        folders.message_path(tmp_path, number).write_bytes(path.read_bytes())
    assert auditor.audit(tmp_path).ids == [content["prev"] for content in contents()[1 : seq + 1]]
    said = found[seq]
    armour = signers[said["from"]].sign(sshsig.NAMESPACE, messages.signed_bytes(said))
    folders.message_path(tmp_path, seq).write_text(messages.emit(said, armour), encoding="ascii")
    with pytest.raises(auditor.Fault) as theirs:
        auditor.audit(tmp_path)
    with pytest.raises(TrustError) as ours:
        record.load(tmp_path)
    assert (theirs.value.seq, theirs.value.kind) == (seq, {"chain": "order"}.get(kind, kind))
    assert (ours.value.where.file, ours.value.fault) == (str(folders.message_path(tmp_path, seq)), kind)


def test_signing_anew_is_no_lie_by_itself(signers, tmp_path):
    """The test above would mean nothing if its signatures were bad."""
    for content in contents():
        armour = signers[content["from"]].sign(sshsig.NAMESPACE, messages.signed_bytes(content))
        path = folders.message_path(tmp_path, int(content["seq"]))
        path.write_text(messages.emit(content, armour), encoding="ascii")
        assert path.read_bytes() == (GAME / path.name).read_bytes()


def test_what_nobody_signed_is_refused(tmp_path):
    for path in folders.message_files(GAME):
        text = path.read_text("ascii")
        (tmp_path / path.name).write_text(text.replace("waive: posture\n", ""), encoding="ascii")
    with pytest.raises(auditor.Fault) as fault:
        auditor.audit(tmp_path)
    assert (fault.value.seq, fault.value.kind) == (2, "signature")


@pytest.mark.parametrize(("lost", "seq"), [("0004.yaml", 4), ("0001.yaml", 1)])
def test_a_gap_is_refused(tmp_path, lost, seq):
    for path in folders.message_files(GAME):
        if path.name != lost:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(auditor.Fault, match="it is missing") as fault:
        auditor.audit(tmp_path)
    assert fault.value.seq == seq
