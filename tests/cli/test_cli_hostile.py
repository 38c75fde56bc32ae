"""Invalid files and missing paths: every command refuses them quickly, with a message, and changes nothing."""

import io
import re
import shutil
import sys
import time

import pytest
from helpers import sweeps
from helpers.commands import refused, tree, well

from kursk_pbem.cli import run
from kursk_pbem.game import folders
from kursk_pbem.trust import keys, messages, sshsig

LIMIT = 2.0  # seconds; a refusal takes some hundredths of a second on an idle machine


GOOD = """\
kursk-pbem: '1'
type: turn
game: {0}
seq: '8'
from: german
prev: {0}
open: {0}
commit: {0}
state-in: {0}
state-out: {0}
signature: |
  -----BEGIN SSH SIGNATURE-----
  AAAA
  -----END SSH SIGNATURE-----
""".format("ab" * 32).encode("ascii")

BOMB = b"a: &a [x, x, x, x, x, x, x, x, x]\n" + b"".join(
    b"%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n" % (k, k, *[k - 1] * 9) for k in range(98, 107)
)

HOSTILE = {
    "empty": b"",
    "nested lists": b"kursk-pbem: " + b"[" * 100_000,
    "huge": b"note: 'x'\n" * 30_000,
    "many values": b"[" + b"a," * 100_000 + b"]",
    "bomb": BOMB,
    "duplicate key": GOOD.replace(b"seq: '8'", b"seq: '8'\nseq: '9'"),
    "binary": bytes(range(256)) * 400,
    "written escape": GOOD.replace(b"type: turn", b'type: "\\e[31mturn\\e[2J"'),
    "other version": GOOD.replace(b"kursk-pbem: '1'", b"kursk-pbem: '2'"),
    "letter": b"From: Boris\nSubject: my move\n\nHere it comes, see the attachment: it's good.\n",
    "quadratic": b"a: " + b"1:" * 50_000,
}
"""tests/bad and tests/formats/test_strictyaml.py have more such files, for few commands."""
COMMANDS_OF_FILES = ("inbox --report", "verify", "check", "accept", "report", "status", "map", "moves", "odds")


@pytest.mark.some(4)
@pytest.mark.parametrize("what", sweeps.some(HOSTILE, 3))
def test_a_hostile_file_is_refused_in_words_and_soon(capsys, german, game, what):
    path = game / "letter.yaml"
    path.write_bytes(HOSTILE[what])
    before = tree(german)
    for command in COMMANDS_OF_FILES:
        more = ["--key", german / "me", "--dir", german] if command == "accept" else []
        began = time.perf_counter()
        said = refused(capsys, 2, *command.split(), path, *more)
        assert time.perf_counter() - began < LIMIT
        assert str(path) in said
        assert len(said) < 8000
    assert tree(german) == before


@pytest.mark.parametrize(
    "what", sweeps.some(["nested lists", "empty", "huge", "binary", "duplicate key", "written escape"], 3)
)
def test_a_hostile_file_in_a_game_folder_is_refused_by_all_that_look(capsys, game, what):
    path = game / "0003.yaml"
    path.write_bytes(HOSTILE[what])
    for command in ("verify", "status", "map", "setup draft", "moves", "odds"):
        assert str(path) in refused(capsys, 2, *command.split(), game)
    assert str(path) in refused(capsys, 2, "resign", game, "--yes")
    assert str(path) in refused(capsys, 2, "report", game, "--all", silent=False)  # the earlier files are readable


def test_a_hostile_letter_on_standard_input(capsys, german, monkeypatch):
    before = tree(german)
    for what in ("empty", "nested lists", "huge", "binary", "written escape"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HOSTILE[what])))
        assert "standard input" in refused(capsys, 2, "inbox", "--report", "-")
    assert tree(german) == before
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HOSTILE["binary"])))
    assert "standard input" in refused(capsys, 2, "check", "-")


def test_a_signed_message_without_state_out_has_no_verified_position(capsys, demo, game):
    """The signature is good, but a single message does not prove its position."""
    message = folders.read_message(game / "0003.yaml")
    content = {key: value for key, value in message.content.items() if key != "state-out"}
    armour = keys.load_key(demo / "russian" / "me").sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    path = game / "alone.yaml"
    path.write_text(messages.emit_message(content, armour, message.state), encoding="ascii")
    assert "differs from the signed position" in refused(capsys, 3, "verify", path)


@pytest.mark.parametrize("name", ["a\x1b[31mred\x1b]0;t\x07\u202e", "of no UTF-8 \udce9"])
def test_names_of_files_do_not_reach_the_terminal_as_they_are(capsys, tmp_path, game, name):
    odd = tmp_path / name
    try:
        odd.mkdir()
        (odd / "letter.yaml").write_bytes(b"- \n")
    except OSError:
        pytest.skip("this file system has no such names")
    for command in ("verify", "status", "inbox --report"):
        assert run([*command.split(), str(odd / "letter.yaml")]) == 2
        said = capsys.readouterr()
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e\ud800-\udfff]", said.out + said.err)
    shutil.copytree(game, odd / "game")
    assert run(["verify", str(odd)]) == 0
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e\ud800-\udfff]", capsys.readouterr().out)


# Missing paths, and paths to files of another kind


def test_paths_that_do_not_exist_are_named(capsys, german, game, tmp_path):
    gone = tmp_path / "nowhere" / "0001.yaml"
    for command in (
        *([name, gone] for name in ("verify", "check", "report", "status", "map", "moves")),
        ["inbox", "--report", gone],
        ["setup", "draft", gone],
        ["odds", gone],
        ["resign", gone, "--yes"],
        ["sign", gone, "--yes"],
        ["accept", gone, "--key", german / "me"],
        ["keygen", gone],
        ["accept", game / "0000.yaml", "--key", gone],
        ["verify", game / "0001.yaml", "--key", gone],
        ["propose", "battle-for-kursk/citadel", "--as", "german", "--key", german / "me", "--opponent", gone],
        ["sign", game / "0008.draft.yaml", "--yes", "-q", "--key", gone],
        ["setup", "draft", game / "nothing"],
        ["resign", game / "nothing", "--yes"],
    ):
        before = tree(german)
        said = refused(capsys, 2, *command)
        assert str(gone) in said or "nothing" in said
        assert tree(german) == before


def test_folders_where_files_belong_and_files_where_folders_belong(capsys, german, game, tmp_path):
    file = tmp_path / "file"
    file.write_text("a file\n", encoding="ascii")
    empty = tmp_path / "empty"
    empty.mkdir()
    mine = ["--key", german / "me"]
    new = ["propose", "battle-for-kursk/citadel", "--as", "german", "--opponent", german / "me.pub"]
    for named, command in (
        (game, ["inbox", "--report", game]),
        (game, ["accept", game / "0000.yaml", "--key", game]),
        (game, [*new, "--key", game]),
        (game, ["verify", game / "0001.yaml", "--key", game]),
        (game, ["keygen", game]),
        *((empty, [name, empty]) for name in ("verify", "status", "report", "map", "moves", "odds")),
        (empty, ["setup", "draft", empty]),
        (empty, ["resign", empty, "--yes"]),
        (file, ["demo", file]),
        (file, ["verify", file]),
        (tmp_path, ["setup", "draft", file]),
    ):
        before = tree(tmp_path)
        assert str(named) in refused(capsys, 2, *command)
        assert tree(tmp_path) == before
    (tmp_path / "opponent.pub").write_text((german / "me.pub").read_text(encoding="ascii"), encoding="ascii")
    assert run(["keygen", str(tmp_path / "other")]) == 0
    capsys.readouterr()
    new[-1] = tmp_path / "other.pub"
    assert str(file) in refused(capsys, 2, *new, *mine, "--dir", file)


def test_a_file_outside_its_game_folder_says_so(capsys, german):
    letter = german / "inbox" / "from-boris-0007.yaml"
    text = letter.read_text(encoding="ascii")
    for command in ("report", "status", "map"):
        well(capsys, command, letter)  # a copy of message 7 of the player's game
    shutil.copyfile(german / "inbox" / letter.name, german / "alone.yaml")
    assert "verified, 8 messages" in well(capsys, "verify", german / "alone.yaml")
    letter.write_text(text.replace("seq: '7'", "seq: '9'"), encoding="ascii")
    assert "is no game folder" in refused(capsys, 2, "status", letter)
    for command in ("report", "map", "verify"):
        assert "the turn was changed on the way" in refused(capsys, 2, command, letter)


def test_a_file_of_another_place_in_the_chain_is_not_reported_as_this_one(capsys, game):
    shutil.copyfile(game / "0003.yaml", game / "0008.yaml")
    assert "the file holds message 3, but the name says 8" in refused(capsys, 3, "verify", game)
    (game / "0008.yaml").unlink()
    for seq in (5, 6, 7):
        (game / f"{seq:04d}.yaml").rename(game / f"later-{seq}.yaml")
    assert "is not message 6 of the game" in refused(capsys, 2, "status", game / "later-6.yaml")
    for command in ("report", "map"):  # with the messages that the file carries
        well(capsys, command, game / "later-6.yaml")
