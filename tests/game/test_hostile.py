"""A player with a real key who signs what no honest program would: refused, or read as the rules say, and soon.

The numbers are those of the threats (docs/protocol.md, section 6). Each message is right in everything but the one
thing it is named after: opening, reveals, dice and both positions are computed as an honest player would.
"""

import copy
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from signed_play import Table, other

from kursk_pbem.cli import proving, run
from kursk_pbem.errors import FileError, KurskError, UsageError
from kursk_pbem.formats import data, files
from kursk_pbem.formats.canonical import MAX_BYTES, canon
from kursk_pbem.game import demo as players
from kursk_pbem.game import desk as desks
from kursk_pbem.game import entropy, prooffile, prove, record, reports
from kursk_pbem.game import folder as folders
from kursk_pbem.game.private import SIGNED, Slot
from kursk_pbem.kernel.orders import filing
from kursk_pbem.rulesets.battle_for_kursk.standing import LONGEST_WISH, MOST_WISHES, plan_of
from kursk_pbem.trust import commit, keys, sshsig
from kursk_pbem.trust import message as messages

ENGAGE = {"posture": "engage", "reaction": "no"}
OPENING = {"orders": {"distribution": sorted(players.DISTRIBUTION)}, "seal": {"posture/turn-1": ENGAGE}}
BATTLE = {"id": "ponyri", "hex": "2011", "attackers": ["g-41-pz", "g-46-pz", "g-47-pz"]}
ORDERS = {"choice": {"posture/turn-1": ENGAGE}, "waive": "posture", "orders": {"battles": [BATTLE]}}
ZERO = "0" * 64
SALT = b"\x01" * 16


class Cheat:
    """The side that is due at a table, signing by hand."""

    def __init__(self, table):
        self.table, self.player = table, table.due
        self.desk = self.player.desk
        self.key = keys.load(self.player.key)

    def envelope(self):
        """The fields that an honest program writes before anything is chosen."""
        desk, own, chain = self.desk, self.desk.own, self.desk.game.chain
        opened = desks.opening(desk, own)
        following = commit.next_opening(own.secret, desk.seq + 2, bytes.fromhex(chain.head_id), opened)
        content = {
            "kursk-pbem": "1", "type": "turn", "game": chain.game, "seq": str(desk.seq), "from": self.player.side,
            "prev": chain.head_id, "open": opened.hex(),
            "commit": commit.commitment(chain.nonce, desk.seq + 2, following).hex(),
        }  # fmt: skip
        revealed = desks.reveals(desk, own)
        return {**content, "reveal": copy.deepcopy(dict(revealed))} if revealed else content

    def content(self, choices):
        """Envelope and choices with the dice and positions that they lead to."""
        content = {**self.envelope(), **copy.deepcopy(choices)}
        values = {label: entry["value"] for label, entry in content.get("reveal", {}).items()}
        opened = desks.opening(self.desk, self.desk.own)
        done = record.preview(self.desk.game, opened, replace(filing(content), reveal=values))
        if done.dice:
            content["dice"] = dict(sorted(done.dice.items()))
        return content | {"state-in": done.middle.sha256(), "state-out": done.after.sha256()}

    def seal(self, label, value):
        """A ``secret`` that hides ``value``, whatever it is."""
        chain = self.desk.game.chain
        return {"secret": {label: commit.choice_hash(chain.nonce, self.desk.seq, label, SALT, value).hex()}}

    def armour(self, content):
        return self.key.sign(sshsig.NAMESPACE, canon(content))

    def text(self, content):
        return messages.emit(content, self.armour(content))

    def keep(self, text, sealed):
        """Take the own message into folder and journal, as signing does."""
        message = messages.read(text.encode(), "own")
        seals = {label: {"salt": SALT.hex(), "value": value} for label, value in sealed.items()}
        self.desk.own.enter(Slot(message.seq, SIGNED, message.id, text, seals))
        folders.write(folders.message_path(self.player.folder, message.seq), text)
        self.player.desk = desks.with_game(self.desk, record.extend(self.desk.game, message)[0])

    @property
    def victim(self):
        return self.table.players[other(self.player.side)]

    def heard(self, text):
        """What the other side makes of a text: 0 and nothing is written yet, or the status and words of a refusal."""
        try:
            message = messages.read(text.encode(), "letter")
            game, result = record.extend(self.victim.desk.game, message)
            reports.of_message(self.victim.desk.game, game, message, result)
        except KurskError as error:
            return error.exit_status, str(error)
        return 0, ""


@pytest.fixture(scope="module")
def second(tmp_path_factory):
    """Message 2 is due: the German has his orders to write. Only for messages that are not taken."""
    with entropy.fixed("hostile orders"):
        table = Table(tmp_path_factory.mktemp("second") / "table").begin()
        table.turn(OPENING)
    return Cheat(table)


def sealed_plans(root, value):
    """Message 4 is due, which must show ``value`` as the plan of the battle declared in message 2."""
    with entropy.fixed("hostile plans"):
        table = Table(root).begin()
        table.turn(OPENING)
        cheat = Cheat(table)
        text = cheat.text(cheat.content({**ORDERS, **cheat.seal("plans/2", value)}))
        cheat.victim.take(table.mail(_written(root / "letter", text), cheat.victim.side))
        cheat.keep(text, {"plans/2": value})
        table.turn({})
    return Cheat(table)


def _written(path, text):
    path.write_text(text, encoding="ascii")
    return path


def test_the_honest_neighbour_is_accepted(second):
    assert second.heard(second.text(second.content(ORDERS))) == (0, "")


MISFITS = {
    "T20 dice before they may fall": ({"dice": {"ponyri/combat": "6"}}, 3),
    "T20 a decision that nothing waits for": ({"pending": {"owner": "german"}}, 3),
    "T20 another position before": ({"state-in": ZERO}, 3),
    "T20 another position after": ({"state-out": ZERO}, 3),
    "T2 another opening": ({"open": "11" * 32}, 3),
    "T9 another predecessor": ({"prev": ZERO}, 3),
    "T12 another game": ({"game": ZERO}, 3),
    "T15 the other side's name": ({"from": "russian"}, 3),
    "T15 a referee who is none": ({"from": "referee"}, 3),
    "T10 a number that has been": ({"seq": "0"}, 3),
    "T10 a number to come": ({"seq": "999999999"}, 3),
    "T28 a number with a zero": ({"seq": "02"}, 2),
    "T28 a number with a sign": ({"seq": "+2"}, 2),
    "T28 large letters in a hash": ({"prev": "A" * 64}, 2),
    "T21 resigning before the game is bound": ({"type": "resign"}, 3),
    "T21 accepting once more": ({"type": "accept"}, 3),
    "T23 plain text of a seal": ({"seal": {"plans/2": {}}}, 3),
    "T22 a reveal of nothing": ({"reveal": {"posture/turn-1": {"salt": "00" * 16, "value": ENGAGE}}}, 3),
    "T15 keys": ({"keys": {"german": "ssh-ed25519 " + "A" * 68, "russian": "ssh-ed25519 " + "A" * 68}}, 3),
    "T26 a list as type": ({"type": ["turn"]}, 2),
    "T29 a note that turns the writing": ({"note": "a\u202eb"}, 2),
    "T29 a note that moves the cursor": ({"note": "\x1b[2J"}, 2),
    "T21 an unknown field": ({"win": "yes"}, 2),
}  # fmt: skip


@pytest.mark.parametrize("what", MISFITS)
def test_a_signed_message_with_one_thing_wrong_is_refused(second, what):
    change, status = MISFITS[what]
    content = {**second.content(ORDERS), **change}
    assert second.heard(second.text(content))[0] == status


ILLEGAL = {
    "T21 orders/distribution": {"orders": {"distribution": ["r-13"]}},
    "T21 policy": {"policy": {"stand-fast": "always"}},
    "T21 decisions": {"decisions": {"ponyri": "accept"}},
    "T21 a second posture": {"choice": {"posture/turn-1": ENGAGE, "posture/turn-2": ENGAGE}},
    "T21 orders that wait for what was not waived": {"waive": ""},
    "T22 a seal of a strange name": {"secret": {"ponyri/combat": ZERO}},
    "T22 a seal of another message": {"secret": {"plans/4": ZERO}},
    "T22 two thousand seals": {"secret": {f"plans/x{n}": ZERO for n in range(2000)}},
    "T21 the same battle twice": {"orders": {"battles": [BATTLE, BATTLE]}},
    "T21 nobody attacks": {"orders": {"battles": [{**BATTLE, "attackers": []}]}},
    "T21 one attacker twenty times": {"orders": {"battles": [{**BATTLE, "attackers": ["g-41-pz"] * 20}]}},
    "T21 a lead of the enemy": {"orders": {"battles": [{**BATTLE, "offensive": {"lead": "r-13", "support": []}}]}},
    "T21 a hex nowhere": {"orders": {"battles": [{**BATTLE, "hex": "9999"}]}},
    "T27 two hundred battles": {"orders": {"battles": [{**BATTLE, "id": f"b{n}"} for n in range(200)]}},
    "T27 five hundred moves": {"orders": {"armor-and-rail": [{"unit": "g-41-pz", "to": "2010"}] * 500}},
    "T27 three thousand replacements": {"orders": {"replacements": [{"unit": "g-41-pz", "gain": "flip"}] * 3000}},
    "T27 two thousand choices": {"choice": {f"posture/turn-{n}": ENGAGE for n in range(2000)}},
}  # fmt: skip


@pytest.mark.parametrize("what", ILLEGAL)
def test_signed_orders_against_the_rules_are_void_and_found_soon(second, what):
    content = second.content({**ORDERS, **ILLEGAL[what]})
    began = time.monotonic()
    assert second.heard(second.text(content))[0] == 1
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("note", ["\U0001f600" * 4096, "a\u0300\u0301" * 1365, "\n" * 4096, "\u0429" * 4096])
def test_T27_a_long_note_in_other_letters_is_reported_soon(second, note):
    content = second.content(ORDERS) | {"note": note}
    began = time.monotonic()
    assert second.heard(second.text(content)) == (0, "")
    assert time.monotonic() - began < 3


def flow(value):
    """A value in as few characters as YAML allows."""
    if isinstance(value, str):
        return value if value.isalnum() and value[0].isalpha() else '"' + value.replace("\\", "\\\\") + '"'
    if isinstance(value, list):
        return f"[{','.join(map(flow, value))}]"
    return "{" + ",".join(f"{key}: {flow(inner)}" for key, inner in value.items()) + "}"


def nested(depth, entries):
    value = {f"k{number}": "x" for number in range(entries)}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize("value", [nested(8, 9000), {"a": ["'" * 4090] * 55}], ids=["nested", "quotes"])
def test_T27_a_message_that_would_grow_beyond_reading_is_refused(tmp_path, value):
    """Short as mailed, too long as its receiver keeps it: taken, it would have stopped his game for good."""
    cheat = sealed_plans(tmp_path / "table", value)
    content = cheat.content({})
    lines = [f"{key}: {flow(each)}" for key, each in content.items()]
    armour = [f"  {line}" for line in cheat.armour(content).splitlines()]
    letter = _written(tmp_path / "letter.yaml", "\n".join([*lines, "signature: |", *armour, ""]))
    assert letter.stat().st_size < MAX_BYTES
    with pytest.raises(FileError, match="written line by line"):
        cheat.victim.take(letter)
    assert cheat.victim.sit().seq == 4


def test_T27_a_position_that_does_not_fit_is_left_out():
    content = {"kursk-pbem": "1", "note": "n"}
    position = {"type": "state", "agenda": {f"k{number}": "x" * 60 for number in range(4000)}}
    assert "state:" in messages.mailed(content, "armour", {"type": "state"})
    assert messages.mailed(content, "armour", position) == messages.emit(content, "armour")


def test_T27_of_a_sealed_plan_only_what_an_open_one_may_hold_is_read():
    plan = plan_of({"retreat": ["toward 2113"] * 10_000, "losses": "x" * (LONGEST_WISH + 1), "advance": {"a": "b"}})
    assert plan.retreat == ("toward 2113",) * MOST_WISHES
    assert plan.losses == plan.advance == ()
    assert plan_of({"losses": "x" * LONGEST_WISH}).losses == ("x" * LONGEST_WISH,)


# What was sealed unseen may have any shape; its owner must not be able to stop a game with it.

WORDS = st.sampled_from(["2011", "2113", "toward 2113", "away 9999", "toward", "2010-2011", "-", " ", "g-41-pz", "yes",
                         "g-46-pz if-free", "g-46-pz if-", "r-13", "engage", "pause", "x" * 4096, ""])  # fmt: skip
NAMES = st.sampled_from(["ponyri", "retreat", "losses", "advance", "posture", "reaction", "plan", "0"])
PLAINS = st.recursive(WORDS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4))
PLANS = st.fixed_dictionaries({"ponyri": st.fixed_dictionaries({}, optional={
    "retreat": PLAINS, "losses": PLAINS, "advance": PLAINS})})  # fmt: skip


@pytest.fixture(scope="module")
def fourth(tmp_path_factory):
    """Message 4 is due. Only for messages that are not taken."""
    return sealed_plans(tmp_path_factory.mktemp("fourth") / "table", {})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=PLAINS | PLANS, face=st.integers(1, 6))
def test_T24_a_revealed_plan_of_any_shape_stops_nothing(fourth, value, face):
    game, seq = fourth.victim.desk.game, fourth.desk.seq

    class Die:
        def __init__(self):
            self.seq = seq

        def roll(self, _label, n):
            return str(face) * n

    asked = replace(filing(fourth.envelope() | {"reveal": {}}), reveal={"plans/2": value})
    done = record.adjudicate(game.ruleset, game.setting, game.state, asked, Die())
    assert done.legal
    assert not game.ruleset.invariants(game.setting, done.after)


@settings(max_examples=60, deadline=None)
@given(value=PLAINS | st.fixed_dictionaries({"posture": PLAINS}, optional={"reaction": PLAINS}))
def test_T24_a_revealed_posture_of_any_shape_stops_nothing(second, value):
    game = second.desk.game
    marks = {**game.state.marks, "german": {"previous": "pause", "posture": "engage"}}
    state = game.state.with_(stage="reveal", side="russian", marks=marks)
    asked = replace(filing(second.envelope() | {"from": "russian"}), reveal={"posture/turn-1": value})
    done = record.adjudicate(game.ruleset, game.setting, state, asked, None)
    assert done.legal
    assert done.after.mark("russian", "posture") in ("pause", "reposition", "deploy", "engage")


# Files that are none.


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe"
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo(path)
    return path


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
def test_T27_devices_are_not_read():
    with pytest.raises(OSError, match=files.NOT_ORDINARY):
        files.read(Path("/dev/zero"), 10)


def test_T27_a_pipe_in_the_place_of_a_file_is_refused_at_once(pipe, table, monkeypatch, capsys):
    monkeypatch.setenv("KURSK_HOME", str(table.russian.home))
    proposal = table.german.folder / "0000.yaml"
    for command in (["adjudicate", pipe], ["verify", pipe], ["check", pipe], ["report", pipe], ["moves", pipe],
                    ["accept", pipe, "--key", table.russian.key], ["accept", proposal, "--key", pipe],
                    ["verify", proposal, "--key", pipe]):  # fmt: skip
        assert run([str(word) for word in command]) == 2
        assert "ordinary file" in capsys.readouterr().err
    proposal.unlink()
    os.mkfifo(proposal)
    for command in ("verify", "report", "status", "map", "moves", "odds", "draft"):
        assert run([command, str(table.german.folder)]) == 2


def test_T30_a_name_that_no_disk_takes_and_a_loop_are_no_fault_of_ours(tmp_path, capsys):
    (tmp_path / "loop").symlink_to("loop")
    for name in ("x" * 300, "x/" * 3000, str(tmp_path / "loop")):
        for command in ("adjudicate", "verify", "report", "status", "map", "moves", "draft", "resign", "keygen"):
            assert run([command, name]) == 2, (command, name)
            assert "fault" not in capsys.readouterr().err


@pytest.mark.parametrize("line", [b"\r\n", b"\r", b"\n", b" \r\n", b"#\r\n", b"\n\r"])
def test_T27_a_thousand_empty_lines_are_soon_no_proof(line):
    began = time.monotonic()
    assert not prooffile.is_proof(line * 1000 + b"x")
    assert time.monotonic() - began < 1
    assert prooffile.is_proof(line * 1000 + b"kursk-pbem-proof: '1'")


@pytest.mark.skipif(os.name == "nt", reason="paths there are not so long")
@pytest.mark.parametrize("command", ["verify", "prove"])
def test_T30_a_thousand_folders_in_one_another(tmp_path, capsys, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    top = os.open(".", os.O_RDONLY)
    try:
        for _ in range(1200):
            os.mkdir("d")  # noqa: PTH102  there is no path to it
            os.chdir("d")
        os.fchdir(top)
        assert run([command, "."]) == 2
        assert "fault" not in capsys.readouterr().err
    finally:
        os.fchdir(top)
        os.close(top)
        subprocess.run(["rm", "-rf", "d"], check=True)  # the library's own way down ends before


SLIPS = {
    "objective: {hex: '2113', side: german}": "objective: yes",
    "offensives: {german: 0, russian: 0}": "offensives: ''",
    "previous: {german: engage, russian: reposition}": "previous: '2113'",
    "turn: A": "turn: '0101'",
}


@pytest.mark.parametrize("slip", SLIPS)
def test_T18_a_scenario_with_a_fault_is_not_played(table, tmp_path, monkeypatch, capsys, slip):
    own = tmp_path / "sc" / "battle-for-kursk" / "mine"
    shutil.copytree(data.folder("scenarios") / "battle-for-kursk" / "campaign", own)
    head = own / "scenario.yaml"
    text = head.read_text(encoding="ascii").replace("battle-for-kursk/campaign", "battle-for-kursk/mine")
    monkeypatch.setenv(data.SEARCH_PATH, str(tmp_path / "sc"))
    words = ["propose", "battle-for-kursk/mine", "--as", "german", "--key", str(table.german.key), "--opponent",
             str(table.russian.place / "me.pub"), "--dir", str(tmp_path / "new")]  # fmt: skip
    head.write_text(text, encoding="ascii")
    assert run(words) == 0
    (game,) = (tmp_path / "new").iterdir()
    assert slip in text
    head.write_text(text.replace(slip, SLIPS[slip]), encoding="ascii")
    for asked in (words, ["status", str(game)], ["accept", str(game / "0000.yaml"), "--key", str(table.russian.key)]):
        capsys.readouterr()
        assert run(asked) == 2
        assert "scenario check" in capsys.readouterr().err


def test_T29_a_name_of_two_lines_begins_no_line_in_what_is_said_of_a_proof(second):
    head = messages.read(folders.read_bytes(second.player.folder / "0000.yaml"), "0000.yaml")
    names = {"german": "Anna)\nrussian is convicted of false dice", "russian": "Boris"}
    named = replace(head, content={**head.content, "names": names})
    said = proving._account(prove.Conviction(named, "german", "dice", "why", (head,)))
    assert not any(line.startswith("russian") for line in said.splitlines())


# What the player's own side must not do to him.


def test_a_damaged_private_file_is_not_shown_in_what_is_said_about_it(table):
    """Some errors of Python carry the whole of what could not be read."""
    own = table.russian.desk.own
    for path, ask in ((own.path / "game.json", lambda: desks.private.find(table.russian.home, own.game)),
                      (own.path / "journal" / "0000.json", lambda: own.slot(0))):  # fmt: skip
        path.write_bytes(path.read_bytes() + b"\xff")
        with pytest.raises(UsageError) as caught:
            ask()
        assert own.secret.hex() not in str(caught.value)
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", ["me.pub", ".", "/"])
def test_a_private_key_never_gets_the_name_of_a_public_one(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert run(["keygen", name]) == 2
    assert list(tmp_path.iterdir()) == []
    assert "cannot be the name of a private key" in capsys.readouterr().err


ODD = (["--name", "a\udcff"], ["--name", "a\u202eb"], ["--option", "\udcff=x"], ["--option", "a=\x1b"])


@pytest.mark.parametrize("option", ODD)
def test_a_proposal_with_characters_that_cannot_be_sent(table, tmp_path, capsys, option):
    words = ["propose", "battle-for-kursk/citadel", "--as", "german", "--key", str(table.german.key), "--opponent",
             str(table.russian.place / "me.pub"), "--dir", str(tmp_path / "new"), *option]  # fmt: skip
    assert run(words) == 2
    assert "cannot be sent" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_without_standard_input(table, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setenv("KURSK_HOME", str(table.russian.home))
    assert run(["adjudicate", "-"]) == 2
    assert "there is no standard input" in capsys.readouterr().err


def test_T29_an_unknown_option_is_not_printed_as_it_is(capsys):
    assert run(["status", "--\u202e\x1b[31m"]) == 2
    said = capsys.readouterr().err
    assert "\u202e" not in said
    assert "\x1b" not in said


def test_a_disk_that_is_full_is_no_fault_of_ours(table, monkeypatch, capsys):
    def full(*_arguments, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    monkeypatch.setenv("KURSK_HOME", str(table.russian.home))
    table.russian.draft().unlink()
    assert run(["draft", str(table.russian.folder)]) == 2
    assert "No space left" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setattr("tempfile.mkdtemp", full)
    monkeypatch.setattr("kursk_pbem.game.record.load", lambda _folder: 1 // 0)
    assert run(["status", str(table.russian.folder)]) == 70
    assert "the command that you typed" in capsys.readouterr().err


def test_a_reader_who_has_gone_away_is_no_fault(table):
    """Not ``1``, which would say that orders break the rules."""
    program = "import sys; from kursk_pbem.cli import main; sys.argv = ['kursk', 'report', sys.argv[1]]; main()"
    with subprocess.Popen([sys.executable, "-c", program, str(table.german.folder)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as shown:  # fmt: skip
        assert shown.stdout
        assert shown.stderr
        shown.stdout.close()
        assert shown.wait(60) == 0
        assert shown.stderr.read() == b""
