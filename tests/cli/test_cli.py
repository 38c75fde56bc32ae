"""The command line: exit statuses, what goes where, and hostile or impossible input."""

import io
import json
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import pytest
from signed_play import Table

from kursk_pbem import __version__
from kursk_pbem.cli import COMMANDS, run
from kursk_pbem.game import entropy, play
from kursk_pbem.game import folder as folders
from kursk_pbem.trust import keys, sshsig
from kursk_pbem.trust import message as messages

LIMIT = 2.0  # seconds; a refusal takes some hundredths on an idle machine


def tree(place):
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}


def refused(capsys, status, *arguments, silent=True):
    """Run a command that must be refused: nothing on standard output, plain words on the other. What it said.

    Not ``silent``: what it had found out before may stand on standard output.
    """
    assert run([str(each) for each in arguments]) == status
    said = capsys.readouterr()
    assert (said.out == "") == silent
    assert "Traceback" not in said.err
    assert said.err.startswith(("kursk: ", "Usage: ", "Error: "))
    assert all(line.isprintable() and line.isascii() for line in said.err.splitlines())
    return said.err


def well(capsys, *arguments):
    """Run a command that must go well; what it printed."""
    assert run([str(each) for each in arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


class Terminal(io.StringIO):
    def isatty(self):
        return True


# Help, statuses, output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(capsys, command):
    for flag in ("-h", "--help"):
        text = well(capsys, command, flag)
        assert text.startswith(f"Usage: kursk {command} ")
        assert len(text.splitlines()) > 4


def test_the_list_of_commands_is_whole_and_right(capsys):
    text = well(capsys, "--help")
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", text, re.MULTILINE)
    assert well(capsys, "--version") == f"kursk, version {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [["nosuch"], ["verify"], ["status"], ["check"], ["sign"], ["adjudicate", "--nosuch", "x"], ["rule"],
     ["map", "x", "--radius", "wide"], ["propose", "battle-for-kursk/citadel"]],
)  # fmt: skip
def test_wrong_usage_is_status_2(capsys, arguments):
    assert "Usage: kursk" in refused(capsys, 2, *arguments)


def test_status_0_and_standard_output_for_what_goes_well(capsys, game, draft):
    assert "verified, 8 messages" in well(capsys, "verify", game)
    assert "message 8 is for the german side" in well(capsys, "status", game)
    assert "you are german" in well(capsys, "status", game)
    assert "turn 1; message 5" in well(capsys, "status", game / "0004.yaml")
    assert well(capsys, "report", game / "0004.yaml").rstrip("\n") == (
        (game / "report-0004.txt").read_text(encoding="utf-8").rstrip("\n")
    )
    assert well(capsys, "report", game).count("Head of the chain") == 8
    assert "Kursk" in well(capsys, "map", game, "--around", "2113")
    assert "2113" in well(capsys, "map", game / "0002.yaml")
    assert "9.0" in well(capsys, "rule", "battle-for-kursk")
    assert well(capsys, "rule", "battle-for-kursk", "9.2.1").startswith("[9.2.1]")
    assert "legal" in well(capsys, "check", draft)
    for command in (["verify", game], ["check", draft]):
        assert well(capsys, *command, "-q") == ""


def test_status_1_for_orders_that_break_the_rules_with_the_side(capsys, game, draft):
    text = draft.read_text(encoding="ascii")
    draft.write_text(text.replace("give-ups: [", "give-ups: [r-3, "), encoding="ascii")
    before = tree(game)
    for command in (["check", draft], ["sign", draft, "--yes"]):
        assert run([str(each) for each in command]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        first, *_others, last = said.err.splitlines()
        assert re.fullmatch(rf"{re.escape(str(draft))}:[0-9]+: \[10\.6\] r-3: .*", first)
        assert last == "kursk: the german side's orders break the rules in one place; nothing was done"
    assert tree(game) == before


def test_status_1_for_a_received_message_names_its_side(capsys, german, game, demo):
    """The Russian signs an order that his rules forbid; the German is told whose fault it is."""
    message = folders.read_message(game / "0007.yaml")
    content = dict(message.content)
    content["orders"] = {"movement": [{"unit": "r-53", "to": "1111"}]}
    armour = keys.load(demo / "russian" / "me").sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    for name in ("0007.yaml", "0008.draft.yaml"):
        (game / name).unlink()
    (next((german / "private" / "games").iterdir()) / "journal" / "0007.json").unlink()
    letter = german / "letter.yaml"
    letter.write_text(messages.emit(content, armour), encoding="ascii")
    before = tree(german)
    assert run(["adjudicate", str(letter)]) == 1
    assert "kursk: the russian side's orders break the rules" in capsys.readouterr().err
    assert tree(german) == before


def test_status_3_for_a_changed_die(capsys, game):
    path = game / "0004.yaml"
    text = path.read_text(encoding="ascii")
    text = re.sub(r"/combat: '(.)'", lambda die: f"/combat: '{7 - int(die[1])}'", text, count=1)
    path.write_text(text, encoding="ascii")
    for command in ("verify", "status", "report", "map"):
        assert "0004.yaml" in refused(capsys, 3, command, game, silent=command != "report")
    assert "this copy is not what was signed" in refused(capsys, 3, "adjudicate", path)


def test_status_70_for_a_fault_of_ours_leaves_a_report_without_secrets(capsys, game, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    secret = str(6 * 7 * 11 * 13 * 17)  # no line of the source holds it

    def broken(_path):
        raise ZeroDivisionError(secret)

    monkeypatch.setattr(folders, "read_bytes", broken)
    assert run(["status", str(game / "0004.yaml")]) == 70
    said = capsys.readouterr()
    assert said.out == ""
    assert "a fault of the program (ZeroDivisionError)" in said.err
    assert "Traceback" not in said.err
    report = re.search(r"\S+fault\.txt", said.err)[0]
    text = Path(report).read_text(encoding="utf-8")
    assert "read_bytes" in text
    assert secret not in text + said.err


@pytest.mark.parametrize("stop", [KeyboardInterrupt, EOFError])
def test_status_130_when_interrupted(capsys, game, monkeypatch, stop):
    def interrupted(_path):
        raise stop

    monkeypatch.setattr(folders, "read_bytes", interrupted)
    assert run(["status", str(game / "0004.yaml")]) == 130
    said = capsys.readouterr()
    assert (said.out, said.err.strip()) == ("", "kursk: interrupted; nothing was written by halves")


def test_a_reader_that_goes_away_is_no_fault(game, monkeypatch):
    def closed(*_arguments, **_options):
        raise BrokenPipeError

    monkeypatch.setattr("click.echo", closed)
    before = sys.stdout
    monkeypatch.setattr(sys, "stdout", before)
    assert run(["status", str(game)]) == 0
    assert sys.stdout is not before  # what is still to be printed goes nowhere
    sys.stdout.close()


# Machine-readable


def lines_of_json(capsys, status, *arguments):
    assert run([str(each) for each in arguments]) == status
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.isascii()
    return [json.loads(line) for line in said.out.splitlines()]


def test_json_is_json(capsys, german, game, draft):
    [found] = lines_of_json(capsys, 0, "verify", game, "--json")
    assert (found["status"], found["messages"], found["fault"]) == (0, 8, "")
    head = found["head"]
    [found] = lines_of_json(capsys, 0, "status", game, "--json")
    assert (found["head"], found["next"], found["you"], found["verdict"]) == (head, "german", "german", "")
    [found] = lines_of_json(capsys, 0, "check", draft, "--json")
    assert found == {"legal": True, "violations": []}
    [found] = lines_of_json(capsys, 0, "adjudicate", german / "inbox" / "from-boris-0007.yaml", "--json")
    told = {key: found[key] for key in ("seq", "from", "new", "wrote", "next")}
    assert told == {"seq": 7, "from": "russian", "new": False, "wrote": [], "next": "german"}
    draft.write_text(draft.read_text(encoding="ascii").replace("give-ups: [", "give-ups: [r-3, "), encoding="ascii")
    [found] = lines_of_json(capsys, 1, "check", draft, "--json")
    assert not found["legal"]
    told = [(each["file"], each["rule"], each["order"]) for each in found["violations"]]
    assert told == [(str(draft), "10.6", "r-3")]
    (game / "0003.yaml").unlink()
    found = lines_of_json(capsys, 3, "verify", game, game / "0002.yaml", german / "nowhere", "--json")
    assert [each["status"] for each in found] == [3, 0, 2]
    assert found[0]["fault"] == "chain"


def test_a_message_that_was_signed_and_not_written_comes_back_with_the_letter_before(capsys, german, game, draft):
    """As after a crash between journal and file: the next step is to mail it, not to fill in a draft."""
    text = draft.read_bytes()
    well(capsys, "sign", draft, "--yes", "-q")
    sent = game / "0008.yaml"
    first = sent.read_bytes()
    sent.unlink()
    draft.write_bytes(text)
    said = well(capsys, "adjudicate", german / "inbox" / "from-boris-0007.yaml")
    assert sent.read_bytes() == first
    assert said.endswith(f"message 8 is signed already: mail {sent}\n")


def test_names_that_mean_nothing_are_shown_back(capsys, game):
    assert "nosuch" in refused(capsys, 2, "moves", game, "nosuch")
    assert "9999" in refused(capsys, 2, "map", game, "--around", "9999")
    assert "13.9" in refused(capsys, 2, "rule", "battle-for-kursk", "13.9")
    assert "battle-for-moon" in refused(capsys, 2, "rule", "battle-for-moon")
    for word, said in (("germans", "did you mean 'german'?"), ("Russian", "'russian'?"), ("x", "are german, russian")):
        words = ("propose", "battle-for-kursk/citadel", "--as", word, "--key", "k", "--opponent", "o")
        assert said in refused(capsys, 2, *words)


def test_the_map_finds_hexes_cities_and_units_and_shows_what_a_draft_does(capsys, game, draft):
    by_hex = well(capsys, "map", game, "--around", "2116", "--radius", "1")
    assert by_hex == well(capsys, "map", game, "--around", "belgorod", "--radius", "1")
    assert by_hex == well(capsys, "map", game, "--around", "g-3-pz", "--radius", "1")
    assert "columns wide" not in by_hex
    assert "columns wide" in well(capsys, "map", game)
    assert "no city of it and no unit on it" in refused(capsys, 2, "map", game, "--around", "r-40")  # eliminated
    assert "|(4-6)" not in well(capsys, "map", game, "--around", "g-40-pz", "--radius", "0")
    assert "|(4-6)" in well(capsys, "map", draft, "--around", "g-40-pz", "--radius", "0")  # gives up a step


def test_one_who_names_the_wrong_thing_is_told_the_right_one(capsys, demo, german, game, draft, tmp_path):
    for command in ("check", "sign"):
        assert str(draft) in refused(capsys, 2, command, game)
    assert "name the file in it" in refused(capsys, 2, "adjudicate", game)
    assert f"{game / '0006.yaml'} is the file to mail" in refused(capsys, 2, "check", game / "0006.draft.yaml")
    refusal = refused(capsys, 2, "rule", "battle-for-kursk", "K-75")
    assert "is a ruling: see docs/rulings/battle-for-kursk.md" in refusal
    assert "9.3-stand-fast" in refusal
    new = ["propose", "battle-for-kursk/citadel", "--as", "german", "--key", german / "me", "--opponent"]
    assert "'kursk keygen NAME' made for its owner" in refused(capsys, 2, *new, tmp_path / "boris.pub")
    inbox = tmp_path / "stranger" / "inbox"
    inbox.mkdir(parents=True)
    shutil.copy(next((demo / "german").glob("game-*")) / "0000.yaml", inbox / "0000.yaml")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KURSK_HOME", str(tmp_path / "stranger" / "private"))
        assert "take it with 'kursk accept'" in refused(capsys, 2, "adjudicate", inbox / "0000.yaml")
    assert len(tree(inbox)) == 1


@pytest.mark.parametrize(
    ("around", "line"),
    [
        (lambda text: b"Hello Anna,\n\nhere I come!\n\n" + text + b"\n-- \nBoris\n", 5),
        (lambda text: b"".join(b"> " + line for line in text.splitlines(keepends=True)), 1),
    ],
)
def test_a_turn_file_inside_a_mail_is_seen(capsys, german, around, line):
    """Where a mail itself is not taken it says so; the commands that take one are in test_mail_files.py."""
    letter = german / "inbox" / "mail.txt"
    letter.write_bytes(around((german / "inbox" / "from-boris-0007.yaml").read_bytes()))
    said = refused(capsys, 2, "status", letter)
    assert f"mail.txt:{line}: the turn file begins in this line" in said


# Questions


def test_nothing_is_asked_without_a_terminal(capsys, game, draft, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\n"))
    before = tree(game)
    for command in (["sign", draft], ["resign", game]):
        assert run([str(each) for each in command]) == 2
        assert "say --yes" in capsys.readouterr().err
        assert sys.stdin.tell() == 0  # nothing was read
    assert tree(game) == before


def test_on_a_terminal_it_is_asked_once(capsys, game, draft, monkeypatch):
    before = tree(game)
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    assert run(["sign", str(draft)]) == 130
    said = capsys.readouterr()
    assert "Sign message 8?" in said.out
    assert said.err == "kursk: no was answered: nothing was done\n"
    assert tree(game) == before
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert run(["sign", str(draft)]) == 0
    assert folders.read_message(game / "0008.yaml").seq == 8
    assert not draft.exists()


# Hostile input

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
    "blank": b" \n" * 1000,
    "comment": b"# nothing\n" * 1000,
    "nested lists": b"kursk-pbem: " + b"[" * 100_000,
    "nested mappings": b"kursk-pbem: " + b"{a: " * 25_000,
    "nested keys": b"? " * 50_000,
    "nested dashes": b"- " * 50_000,
    "huge": b"note: 'x'\n" * 30_000,
    "huge text": b"note: '" + b"x" * 300_000 + b"'\n",
    "long text": b"note: " + b"x" * 100_000 + b"\n",
    "many values": b"[" + b"a," * 100_000 + b"]",
    "anchored": GOOD.replace(b"type: turn", b"type: &a turn").replace(b"from: german", b"from: *a"),
    "bomb": BOMB,
    "merged": b"<<: {type: turn}\n" + GOOD,
    "tagged": GOOD.replace(b"type: turn", b"type: !!python/object/apply:os.system turn"),
    "duplicate key": GOOD.replace(b"seq: '8'", b"seq: '8'\nseq: '9'"),
    "two documents": GOOD + b"---\n" + GOOD,
    "directive": b"%YAML 1.2\n---\n" + GOOD,
    "list": b"- a\n- b\n",
    "one word": b"hello\n",
    "binary": bytes(range(256)) * 400,
    "zeros": bytes(100_000),
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(1000),
    "UTF-16": GOOD.decode("ascii").encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf" + GOOD,
    "Latin 1": GOOD + b"note: Gr\xfc\xdfe\n",
    "tab": GOOD.replace(b"seq: ", b"seq:\t"),
    "escape": GOOD + b"note: \x1b[31mred\x1b[0m\n",
    "written escape": GOOD.replace(b"type: turn", b'type: "\\e[31mturn\\e[2J"'),
    "written escape in a note": GOOD + b'note: "\\e]0;title\\a"\n',
    "escape in a key": GOOD + b'"\\e[31m": x\n',
    "right to left": GOOD + b'note: "\\u202e gnirts"\n',
    "unknown key": GOOD + b"colour: grey\n",
    "number": b"42",
    "JSON": b'{"kursk-pbem": 1}',
    "no number": GOOD.replace(b"seq: '8'", b"seq: '1e3'"),
    "big number": GOOD.replace(b"seq: '8'", b"seq: '" + b"9" * 4000 + b"'"),
    "other version": GOOD.replace(b"kursk-pbem: '1'", b"kursk-pbem: '2'"),
    "letter": b"From: Boris\nSubject: my move\n\nHere it comes, see the attachment: it's good.\n",
    "quadratic": b"a: " + b"1:" * 50_000,
}
COMMANDS_OF_FILES = ("adjudicate", "verify", "check", "accept", "report", "status", "map", "moves", "odds")


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_refused_in_words_and_soon(capsys, german, game, what):
    path = game / "letter.yaml"
    path.write_bytes(HOSTILE[what])
    before = tree(german)
    for command in COMMANDS_OF_FILES:
        more = ["--key", german / "me", "--dir", german] if command == "accept" else []
        began = time.perf_counter()
        said = refused(capsys, 2, command, path, *more)
        assert time.perf_counter() - began < LIMIT
        assert str(path) in said
        assert len(said) < 8000
    assert tree(german) == before


@pytest.mark.parametrize("what", ["empty", "nested lists", "huge", "binary", "duplicate key", "written escape"])
def test_a_hostile_file_in_a_game_folder_is_refused_by_all_that_look(capsys, game, what):
    path = game / "0003.yaml"
    path.write_bytes(HOSTILE[what])
    for command in ("verify", "status", "map", "draft", "moves", "odds"):
        assert str(path) in refused(capsys, 2, command, game)
    assert str(path) in refused(capsys, 2, "resign", game, "--yes")
    assert str(path) in refused(capsys, 2, "report", game, silent=False)  # those before it can be read


def test_a_hostile_letter_on_standard_input(capsys, german, monkeypatch):
    before = tree(german)
    for what in ("empty", "nested lists", "huge", "binary", "written escape"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HOSTILE[what])))
        assert "standard input" in refused(capsys, 2, "adjudicate", "-")
    assert tree(german) == before
    assert "name the file" in refused(capsys, 2, "check", "-")


def test_a_letter_on_standard_input(capsys, german, monkeypatch):
    letter = (german / "inbox" / "from-boris-0007.yaml").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(letter)))
    assert "message 7 was processed before" in well(capsys, "adjudicate", "-")


def test_a_file_without_the_fields_that_place_it_is_refused(capsys, german, game, tmp_path):
    """Only the first four fields are needed to be read at all; whoever needs more must say what is missing."""
    for lost in (b"game", b"prev", b"open", b"commit", b"state-in", b"state-out"):
        letter = game / "letter.yaml"
        letter.write_bytes(b"".join(line for line in GOOD.splitlines(keepends=True) if not line.startswith(lost)))
        before = tree(german)
        for command in ("adjudicate", "accept", "report", "verify"):
            more = ["--key", german / "me", "--dir", german] if command == "accept" else []
            assert run([str(each) for each in (command, letter, *more)]) in (2, 3)
            said = capsys.readouterr()
            assert said.out == ""
            assert "fault of the program" not in said.err
        assert tree(german) == before


def test_a_signed_message_without_state_out_has_no_verified_position(capsys, demo, game):
    """Its signature is good; alone it must not be called a position that was signed."""
    message = folders.read_message(game / "0003.yaml")
    content = {key: value for key, value in message.content.items() if key != "state-out"}
    armour = keys.load(demo / "russian" / "me").sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    path = game / "alone.yaml"
    path.write_text(messages.emit(content, armour, message.state), encoding="ascii")
    assert "not the one that was signed" in refused(capsys, 3, "verify", path)


def test_names_of_files_do_not_reach_the_terminal_as_they_are(capsys, tmp_path, game):
    odd = tmp_path / "a\x1b[31mred\x1b]0;t\x07\u202e"
    try:
        odd.mkdir()
        (odd / "letter.yaml").write_bytes(b"- \n")
    except OSError:
        pytest.skip("this file system has no such names")
    for command in ("verify", "status", "adjudicate"):
        assert run([command, str(odd / "letter.yaml")]) == 2
        said = capsys.readouterr()
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", said.out + said.err)
    shutil.copytree(game, odd / "game")
    assert run(["verify", str(odd)]) == 0
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", capsys.readouterr().out)


def test_notes_and_names_in_other_letters_are_printed_as_written(capsys, tmp_path, monkeypatch):
    with entropy.fixed("letters"):
        table = Table(tmp_path / "table")
        proposal = play.Proposal(
            "battle-for-kursk/citadel", "german", keys.read_public(table.russian.place / "me.pub"),
            {"german": "J\u00fcrgen", "russian": "\u0411\u043e\u0440\u0438\u0441"}, {},
        )  # fmt: skip
        path = play.propose(proposal, table.german.key, table.german.place, table.german.home)
    assert path.read_bytes().isascii()
    assert "J\u00fcrgen" in well(capsys, "report", path)


# Paths that are not there, or are something else


def test_paths_that_do_not_exist_are_named(capsys, german, game, tmp_path):
    gone = tmp_path / "nowhere" / "0001.yaml"
    for command in (
        *([name, gone] for name in ("adjudicate", "verify", "check", "report", "status", "map", "draft", "moves")),
        ["odds", gone],
        ["resign", gone, "--yes"],
        ["sign", gone, "--yes"],
        ["accept", gone, "--key", german / "me"],
        ["keygen", gone],
        ["accept", game / "0000.yaml", "--key", gone],
        ["verify", game / "0001.yaml", "--key", gone],
        ["propose", "battle-for-kursk/citadel", "--as", "german", "--key", german / "me", "--opponent", gone],
        ["sign", game / "0008.draft.yaml", "--yes", "-q", "--key", gone],
        ["draft", game / "nothing"],
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
        *((game, [name, game]) for name in ("adjudicate", "check")),
        (game, ["sign", game, "--yes"]),
        (game, ["accept", game, *mine]),
        (game, ["accept", game / "0000.yaml", "--key", game]),
        (game, [*new, "--key", game]),
        (game, ["verify", game / "0001.yaml", "--key", game]),
        (game, ["keygen", game]),
        *((empty, [name, empty]) for name in ("verify", "status", "report", "map", "draft", "moves", "odds")),
        (empty, ["resign", empty, "--yes"]),
        (file, ["demo", file]),
        (file, ["verify", file]),
        (tmp_path, ["draft", file]),
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
    for command in ("report", "status", "map"):
        assert "is no game folder" in refused(capsys, 2, command, letter)
    assert "no 0000.yaml lies beside it" in refused(capsys, 2, "verify", letter)


def test_a_file_of_another_place_in_the_chain_is_not_reported_as_this_one(capsys, game):
    shutil.copyfile(game / "0003.yaml", game / "0008.yaml")
    assert "this file holds message 3, its name says 8" in refused(capsys, 3, "verify", game)
    (game / "0008.yaml").unlink()
    for seq in (5, 6, 7):
        (game / f"{seq:04d}.yaml").rename(game / f"later-{seq}.yaml")
    for command in ("report", "status", "map"):
        assert "is not message 6 of the game" in refused(capsys, 2, command, game / "later-6.yaml")


# verify


def test_verify_takes_several_and_returns_the_highest_status(capsys, demo, game, tmp_path):
    tampered, unreadable = tmp_path / "tampered", tmp_path / "unreadable"
    shutil.copytree(game, tampered)
    path = tampered / "0004.yaml"
    path.write_text(path.read_text(encoding="ascii").replace("g-esebeck", "g-56-pz", 1), encoding="ascii")
    shutil.copytree(game, unreadable)
    (unreadable / "0002.yaml").write_bytes(HOSTILE["binary"])
    missing = tmp_path / "missing"
    for places, status, good in (
        ([game, demo], 0, 3),
        ([game, unreadable], 2, 1),
        ([unreadable, tampered, game], 3, 1),
        ([tampered, unreadable, missing, game], 3, 1),
        ([missing, game], 2, 1),
        ([tmp_path], 3, 1),  # all below it: german, tampered, unreadable
    ):
        assert run(["verify", *map(str, places)]) == status
        said = capsys.readouterr()
        assert said.out.count(": verified, 8 messages") == good == len(said.out.splitlines())
        bad = {"tampered": tampered, "unreadable": unreadable, "missing": missing}
        named = [name for name, place in bad.items() if str(place) in said.err]
        wanted = [name for name, place in bad.items() if place in places or (places == [tmp_path] and place.exists())]
        assert named == wanted
        assert len(said.err.splitlines()) == len(wanted)


def test_verify_compares_heads(capsys, game, demo):
    head = re.search(r"head ([0-9a-f]{32})", well(capsys, "verify", game))[1]
    whole = folders.read_message(game / "0007.yaml").id
    assert whole.startswith(head)
    for right in (head, whole, head.upper()):
        well(capsys, "verify", game, "--head", right)
        well(capsys, "verify", game / "0007.yaml", "--head", right)
    almost = whole[:-1] + ("0" if whole[-1] != "0" else "1")
    for wrong in ("0" * 32, almost, folders.read_message(game / "0006.yaml").id):
        assert "0007.yaml" in refused(capsys, 3, "verify", game, "--head", wrong)
        assert "0007.yaml" in refused(capsys, 3, "verify", game / "0007.yaml", "--head", wrong)
    for odd in ("a", head[:31], head + "0", "g" * 32, whole + "0"):
        assert "is no id" in refused(capsys, 2, "verify", game, "--head", odd)


def test_verify_one_file_with_and_without_its_key(capsys, german, game, demo, tmp_path):
    assert "the signature holds, its position is the one that was signed" in well(capsys, "verify", game / "0003.yaml")
    assert "(propose)" in well(capsys, "verify", game / "0000.yaml")
    letter = german / "inbox" / "from-boris-0003.yaml"
    assert "the signature holds" in well(capsys, "verify", letter, "--key", demo / "russian" / "me.pub")
    assert "another key" in refused(capsys, 3, "verify", letter, "--key", german / "me.pub")
    text = letter.read_text(encoding="ascii")
    letter.write_text(text.replace("mud: '0'", "mud: '1'"), encoding="ascii")
    assert "not the one that was signed" in refused(capsys, 3, "verify", letter, "--key", demo / "russian" / "me.pub")


# Beginnings


def test_keygen_never_overwrites(capsys, tmp_path):
    path = tmp_path / "me"
    assert "SHA256:" in well(capsys, "keygen", path)
    before = tree(tmp_path)
    assert "never overwritten" in refused(capsys, 2, "keygen", path)
    assert tree(tmp_path) == before
    assert path.stat().st_mode & 0o077 == 0


def test_propose_and_accept_by_commands(capsys, tmp_path, monkeypatch):
    for side in ("german", "russian"):
        (tmp_path / side).mkdir()
        well(capsys, "keygen", tmp_path / side / "me", "-q")
    german, russian = tmp_path / "german", tmp_path / "russian"
    propose = ["propose", "battle-for-kursk/citadel", "--as", "german", "--opponent", russian / "me.pub"]
    propose += ["--dir", german]
    monkeypatch.setenv("KURSK_HOME", str(german / "private"))
    assert "name your key" in refused(capsys, 2, *propose)
    assert "is not KEY=VALUE" in refused(capsys, 2, *propose, "--key", german / "me", "--option", "weather")
    assert "battle-for-kursk" in refused(capsys, 2, "propose", "nowhere/citadel", *propose[2:], "--key", german / "me")
    monkeypatch.setenv("KURSK_KEY", str(german / "me"))
    said = well(capsys, *propose, "--name", "Anna")
    path = next(german.glob("game-*/0000.yaml"))
    assert str(path) in said
    monkeypatch.setenv("KURSK_HOME", str(russian / "private"))
    monkeypatch.setenv("KURSK_KEY", str(russian / "me"))
    said = well(capsys, "accept", path, "--dir", russian)
    assert said.count("SHA256:") == 2
    assert "as russian" in said
    assert next(russian.glob("game-*/0001.draft.yaml")).is_file()
