"""A game between two desks, function by function: what is refused, what is a no-op, what stays hidden."""

import re
import shutil

import pytest
from signed_play import Table

from kursk_pbem.cli import run
from kursk_pbem.errors import FileError, RulesError, TrustError, UsageError
from kursk_pbem.game import demo as players
from kursk_pbem.game import desk as desks
from kursk_pbem.game import drafts, entropy, play, record
from kursk_pbem.game import folder as folders
from kursk_pbem.trust import commit
from kursk_pbem.trust import message as messages

ENGAGE = {"posture": "engage", "reaction": "no"}
OPENING = {"orders": {"distribution": sorted(players.DISTRIBUTION)}, "seal": {"posture/turn-1": ENGAGE}}
BATTLE = {
    "id": "ponyri",
    "hex": "2011",
    "attackers": ["g-41-pz", "g-46-pz", "g-47-pz"],
    "retreat": ["away 2713"],
    "losses": ["g-47-pz"],
    "advance": ["g-46-pz if-supplied"],
}
ORDERS = {"choice": {"posture/turn-1": ENGAGE}, "waive": "posture", "orders": {"battles": [BATTLE]}}


def tree(*places):
    """Every file below: path -> bytes."""
    return {path: path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()}


@pytest.fixture
def begun(table):
    """Message 1 is sent; the German orders of turn 1 are due."""
    table.turn(OPENING)
    return table


@pytest.fixture
def declared(begun):
    """Message 2 is sent, with a battle; the Russian answer is due."""
    begun.turn(ORDERS)
    return begun


# The flow, and messages that come again


def test_from_proposal_to_the_dice_both_desks_agree(declared):
    table = declared
    table.turn({"policy": {"stand-fast": "always"}})
    letter = table.turn({})
    assert folders.read_message(letter).mapping("dice").keys() == {"ponyri/combat"}
    german, russian = table.german.sit().game, table.russian.sit().game
    assert (german.chain, german.state) == (russian.chain, russian.state)
    assert german.chain.next_seq == 5
    for seq in range(5):
        name = f"{seq:04d}.yaml"
        assert (table.german.folder / name).read_bytes() == (table.russian.folder / name).read_bytes()


def test_a_message_that_comes_again_changes_nothing(begun, monkeypatch, capsys):
    german = begun.german
    letter = german.place / "inbox" / "0001.yaml"
    before = tree(german.place)
    got = german.adjudicate(letter)
    assert got.result is None
    assert got.written == ()
    assert tree(german.place) == before
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    assert run(["adjudicate", str(letter)]) == 0
    assert "message 1 was processed before; nothing changed" in capsys.readouterr().out
    assert tree(german.place) == before
    begun.turn(ORDERS)
    before = tree(german.place)
    assert run(["adjudicate", str(letter)]) == 0  # also when the game has gone on since
    assert tree(german.place) == before


def test_another_message_for_a_slot_is_refused_and_the_first_stays(begun, tmp_path):
    """The Russian signs message 1 twice, from two copies of his machine: the German keeps the one that came first."""
    german = begun.german
    with entropy.fixed("another nonce"):
        twin = Table(tmp_path / "twin")
    shutil.rmtree(twin.russian.place)
    shutil.copytree(begun.russian.place, twin.russian.place)
    own = next((twin.russian.home / "games").iterdir())
    (own / "journal" / "0001.json").unlink()
    folder = next(twin.russian.place.glob("game-*"))
    (folder / "0001.yaml").unlink()
    with entropy.fixed("another nonce"):
        twin.russian.desk = desks.sit(folder, twin.russian.home)
        play.write_draft(twin.russian.desk)
        twin.russian.fill(OPENING)
        second = twin.russian.sign()
    before = tree(german.place)
    with pytest.raises(TrustError, match="another message 1 was accepted before this one"):
        german.adjudicate(second)
    assert tree(german.place) == before


def test_a_message_that_comes_too_early_names_the_missing_one(declared, tmp_path):
    table = declared
    letter = table.turn({"policy": {}})
    late = table.german.place / "copy"
    shutil.copytree(table.german.folder, late / table.german.folder.name)
    for path in (late / table.german.folder.name).glob("000[23]*"):
        path.unlink()
    with pytest.raises(TrustError, match="message 2 is missing"):
        play.receive(letter.read_bytes(), str(letter), tmp_path / "nobody", late)


# Illegal drafts

TEN = """\
choice:
  posture/turn-1: {posture: engage, reaction: no}
waive: posture
policy: {stand-fast: always}
orders:
  distribution: [r-3]
  objective: 0113
  replacements:
  - {unit: r-46, gain: flip}
  armor-and-rail:
  - {unit: g-24-pz, to: 0899}
  - {unit: g-2-ss, path: [2113]}
  battles:
  - id: good
    hex: 2011
    attackers: [g-41-pz, g-46-pz, g-47-pz]
  - id: twice
    hex: 2010
    attackers: [g-41-pz]
  - id: empty
    hex: 2113
    attackers: [g-48-pz]
  - id: nowhere
    hex: 0101
    attackers: [g-1]
  - id: far
    hex: 2218
    attackers: [g-42, g-55]
  - id: led
    hex: 2015
    attackers: [g-48-pz, g-52]
    offensive: {lead: g-52, support: [g-11]}
  movement:
  - {unit: g-27, to: 1505}
"""

TEN_FOUND = [  # (words of the line it points to, paragraph, reason)
    ("policy:", "4.0", "has no place in this message"),
    ("distribution:", "4.0", "has no place in this message"),
    ("objective:", "12.1", "the marker cannot be moved now"),
    ("unit: r-46", "10.0", "is no unit of your side"),
    ("to: 0899", "8.0", "cannot reach 0899"),
    ("path: [2113]", "8", "2113"),
    ("hex: 2010", "9.0", "no enemy unit stands in 2010"),
    ("hex: 2113", "9.0", "no enemy unit stands in 2113"),
    ("hex: 0101", "9.0", "0101 is not a hex of this map"),
    ("g-42, g-55", "9.0", "g-55 in 1908 is not adjacent to 2218"),
    ("lead: g-52", "9.2.1", "must be armor or shock"),
    ("lead: g-52", "9.2.1", "g-11 is not adjacent to the lead unit"),
    ("unit: g-27", "9.0", "movement follows the dice"),
]


def test_every_offence_of_a_draft_is_told_at_once_and_nothing_is_written_or_opened(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(TEN)
    lines = path.read_text(encoding="ascii").splitlines()
    before = tree(german.place)
    found = german.check().result.violations
    assert [str(each.where.file) for each in found] == [str(path)] * len(found)
    for words, rule, reason in TEN_FOUND:
        fitting = [each for each in found if words in lines[each.where.line - 1] and reason in each.message]
        assert fitting, f"{words}: {reason} is not among\n" + "\n".join(map(str, found))
        assert all(each.rule.startswith(rule) for each in fitting)
    assert len(found) == len(TEN_FOUND)
    assert [each.where.line for each in found] == sorted(each.where.line for each in found)

    monkeypatch.setenv("KURSK_HOME", str(german.home))
    for command in (["check", str(path)], ["sign", str(path), "--yes"]):
        assert run(command) == 1
        said = capsys.readouterr()
        assert said.out == ""
        told = said.err.splitlines()
        for each in found:
            assert re.search(rf"{re.escape(str(path))}:{each.where.line}: \[{re.escape(each.rule)}\]", said.err)
        assert len(told) == len(found) + 1
        assert tree(german.place) == before
        opening = desks.opening(german.desk, german.desk.own)
        for secret in (opening.hex(), german.desk.own.secret.hex()):
            assert secret not in said.err
    with pytest.raises(RulesError):
        play.sign(german.desk, german.check(), None)
    assert tree(german.place) == before


def test_a_draft_with_a_fault_of_form_is_refused_before_the_rules_look(begun, capsys, monkeypatch):
    german = begun.german
    path = german.fill(ORDERS)
    good = path.read_text(encoding="ascii")
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    for wrong, right, words in (
        ("hex: '2011'", "hex: '201'", "hex"),
        ("waive: posture", "waive: everything", "found 'everything'"),
        ("seq: '2'", "seq: '4'", "this draft is not for the message that is due"),
        ("waive: posture", "opne: posture", "opne"),
        ("waive: posture", f"open: {'0' * 64}", "signing writes this field"),
    ):
        assert wrong in good
        path.write_text(good.replace(wrong, right), encoding="ascii")
        before = tree(german.place)
        assert run(["check", str(path)]) == 2
        said = capsys.readouterr().err
        assert words in said
        assert re.search(re.escape(str(path)) + r":[0-9]+: ", said)
        assert tree(german.place) == before


@pytest.mark.parametrize("word", ["0113", "0899", "2113", "NO", "12:30", "1e3", "~", "null", "0x1F", "1943-07-05"])
def test_every_plain_word_is_text(begun, word):
    german = begun.german
    german.fill(f"choice:\n  posture/turn-1: {{posture: engage, reaction: no}}\nnote: {word}\n")
    checked = german.check()
    assert checked.result.legal
    assert checked.content["choice"] == {"posture/turn-1": ENGAGE}  # no is not False
    assert checked.content["note"] == word
    letter = begun.mail(german.sign(checked), "russian")
    assert folders.read_message(letter).content["note"] == word
    begun.russian.take(letter)
    assert begun.russian.folder.joinpath("report-0002.txt").read_text(encoding="utf-8").count(word) >= 1


def test_hex_labels_are_never_numbers(begun):
    german = begun.german
    choice = "choice:\n  posture/turn-1: {posture: deploy}\nwaive: posture\norders:\n"
    german.fill(f"{choice}  armor-and-rail: [{{unit: g-24-pz, to: 0113}}, {{unit: g-2-ss, to: 0899}}]\n")
    assert [each.message for each in german.check().result.violations] == [
        f"cannot reach {label} from {place} in this phase" for label, place in (("0113", "2221"), ("0899", "2117"))
    ]
    german.fill(f"{choice}  armor-and-rail: [{{unit: g-24-pz, to: NO}}]\n")
    with pytest.raises(FileError, match=r"0002\.draft\.yaml:[0-9]+: .*'NO'"):
        german.check()


# Signing


def test_signing_again_gives_the_same_bytes_and_never_another_message(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(ORDERS)
    draft = path.read_bytes()
    sent = german.sign()
    first = sent.read_bytes()
    assert not path.exists()
    monkeypatch.setenv("KURSK_HOME", str(german.home))

    for lost in (False, True):  # the signed file is there, or it is lost: the journal gives the same bytes
        for note in (b"", b"note: other orders\n"):  # the same draft, found again; another one does not get the slot
            path.write_bytes(draft + note)
            if lost:
                sent.unlink()
            assert run(["sign", str(path), "--yes"]) == 0
            assert "message 2 was signed before" in capsys.readouterr().out
            assert sent.read_bytes() == first
            assert not path.exists()
            assert german.desk.own.slot(2).id == folders.read_message(sent).id


def test_a_forged_own_message_in_the_folder_is_noticed(declared):
    """A folder in which an own message differs from the journal is not played on."""
    german = declared.german
    slot = german.desk.own.path / "journal" / "0002.json"
    slot.write_text(slot.read_text(encoding="utf-8").replace(german.desk.own.slot(2).id, "f" * 64), encoding="utf-8")
    with pytest.raises(TrustError, match="another message 2 than the one you signed"):
        german.sit()


def test_a_folder_without_its_private_record_cannot_sign(begun, tmp_path, monkeypatch, capsys):
    german = begun.german
    german.fill(ORDERS)
    copy = tmp_path / "elsewhere" / german.folder.name
    shutil.copytree(german.folder, copy)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "no home"))
    before = tree(copy)
    for command in ("check", "sign"):
        assert run([command, str(copy / "0002.draft.yaml"), *(["--yes"] if command == "sign" else [])]) == 2
        assert "no private record" in capsys.readouterr().err
    assert run(["resign", str(copy), "--yes"]) == 2
    assert tree(copy) == before
    assert not (tmp_path / "no home").exists()
    assert run(["verify", str(copy)]) == 0  # but anyone may look


def test_a_record_older_than_the_folder_does_not_sign(declared):
    table = declared
    table.turn({"policy": {}})
    german = table.german
    (german.desk.own.path / "journal" / "0002.json").unlink()
    german.sit()
    with pytest.raises(UsageError, match="journal does not know your own message 2"):
        german.desk.unlocked()


def test_another_key_does_not_sign(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(ORDERS)
    before = tree(german.place)
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    assert run(["sign", str(path), "--yes", "--key", str(begun.russian.key)]) == 2
    assert "not the key that signs for the german side" in capsys.readouterr().err
    assert tree(german.place) == before


def test_an_edited_draft_is_left_alone(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(ORDERS)
    before = path.read_bytes()
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    assert run(["adjudicate", str(german.place / "inbox" / "0001.yaml")]) == 0
    assert path.read_bytes() == before
    assert "the draft of message 2 has been edited and stays as it is" in capsys.readouterr().out
    assert run(["draft", str(german.folder)]) == 2
    assert path.read_bytes() == before
    assert run(["draft", str(german.folder), "--force", "--bare"]) == 0
    assert path.read_bytes() != before


# What is hidden


def without_comments(path):
    text = path.read_text(encoding="utf-8")
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def holders(word, *places):
    """The files below in which a word stands, hints in the comments of drafts and what goes with a draft aside."""
    found = re.compile(rf"(?<![a-z-]){re.escape(word)}(?![a-z-])")
    files = [path for place in places for path in place.rglob("*") if path.is_file()]
    return sorted(
        path.name for path in files if path.suffixes != [".draft", ".txt"] and found.search(without_comments(path))
    )


def test_a_sealed_posture_is_nowhere_but_with_its_owner_until_it_is_shown(table):
    """'pause' is in no first position; the Russian seals it."""
    german, russian = table.german, table.russian
    hidden = {"posture": "pause", "reaction": "yes"}
    assert holders("pause", german.place, russian.place) == []
    russian.fill({**OPENING, "seal": {"posture/turn-1": hidden}})
    assert holders("pause", german.place, russian.folder) == ["0001.draft.yaml"]
    letter = table.mail(russian.sign(), "german")
    german.take(letter)
    assert holders("pause", german.place, russian.folder, russian.place / "inbox") == []
    assert holders("pause", russian.home) == ["0001.json"]
    text = letter.read_text(encoding="ascii")
    for posture in ("pause", "reposition", "deploy", "engage"):  # nor can it be found by trying
        for reaction in ("yes", "no"):
            value = {"posture": posture, "reaction": reaction}
            guess = commit.choice_hash(german.desk.game.chain.nonce, 1, "posture/turn-1", bytes(16), value)
            assert guess.hex() not in text

    german.fill({"choice": {"posture/turn-1": ENGAGE}})  # he waits for it
    russian.take(table.mail(german.sign(), "russian"))
    assert holders("pause", german.place, russian.folder) == []
    german.take(table.mail(russian.sign(), "german"))
    assert "0003.yaml" in holders("pause", german.place)


def test_plans_are_nowhere_but_with_their_owner_until_the_dice(begun):
    table, german, russian = begun, begun.german, begun.russian
    german.fill(ORDERS)
    words = ("if-supplied", "away 2713", "advance", "losses")
    everywhere = (german.folder, russian.place)
    letter = table.mail(german.sign(), "russian")
    for word in words[:2]:
        assert holders(word, *everywhere) == []
        assert holders(word, german.home) == ["0002.json"]
    russian.take(letter)
    table.turn({"policy": {"stand-fast": "always"}})
    for word in words[:2]:
        assert holders(word, *everywhere) == []
    assert not any(word in letter.read_text(encoding="ascii") for word in words)
    table.turn({})
    for word in words[:2]:
        assert "0004.yaml" in holders(word, *everywhere)


def test_open_plans_are_shown_at_once_where_asked_for(begun):
    german = begun.german
    path = german.fill(ORDERS)
    checked = drafts.check(german.desk, drafts.read(german.desk, path.read_bytes(), str(path)), open_plans=True)
    message = folders.read_message(german.sign(checked))
    assert message.mapping("orders")["battles"][0]["advance"] == ["g-46-pz if-supplied"]
    assert "secret" not in message.content


def test_the_next_opening_is_in_no_file_before_its_message(declared):
    table = declared
    for player in (table.german, table.russian):
        own = player.desk.own
        chain = player.desk.game.chain
        for k in (3, 4):
            if chain.writer(k) != own.side:
                continue
            opening = commit.next_opening(own.secret, k, bytes.fromhex(chain.ids[k - 3]), chain.openings[k - 2])
            assert commit.commitment(chain.nonce, k, opening) == chain.commitments[k]
            assert holders(opening.hex(), table.root) == []


# Ends, and quiet messages


def test_a_resignation_ends_the_game_for_both(declared, monkeypatch, capsys):
    table, russian, german = declared, declared.russian, declared.german
    monkeypatch.setenv("KURSK_HOME", str(russian.home))
    assert run(["resign", str(russian.folder), "--yes"]) == 0
    sent = folders.message_path(russian.folder, 3)
    assert folders.read_message(sent).type == "resign"
    assert not russian.draft().exists()
    got = german.take(table.mail(sent, "german"))
    assert got.desk.game.over
    assert (got.desk.game.verdict.winner, got.desk.game.verdict.how) == ("german", "resignation")
    capsys.readouterr()
    assert run(["verify", str(german.folder)]) == 0
    assert "German victory: the Russian side resigned" in capsys.readouterr().out
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    assert run(["resign", str(german.folder), "--yes"]) == 2
    assert "the game is over" in capsys.readouterr().err
    assert run(["draft", str(german.folder)]) == 2


def test_there_is_nothing_to_resign_before_the_game_is_bound(begun, monkeypatch, capsys):
    monkeypatch.setenv("KURSK_HOME", str(begun.german.home))
    before = tree(begun.german.place)
    assert run(["resign", str(begun.german.folder), "--yes"]) == 2
    assert "not bound before message 2" in capsys.readouterr().err
    assert tree(begun.german.place) == before


def test_adjudicate_sign_leaves_an_answer_that_can_matter_to_its_owner(begun, monkeypatch, capsys):
    """The 70th Army stands in its fortification: whether it exchanges is the Russian's to say."""
    table, german, russian = begun, begun.german, begun.russian
    german.fill(ORDERS)
    letter = table.mail(german.sign(), "russian")
    monkeypatch.setenv("KURSK_HOME", str(russian.home))
    assert run(["adjudicate", str(letter), "--sign", "-q"]) == 2
    assert "message 3 holds choices" in capsys.readouterr().err
    assert not folders.message_path(russian.folder, 3).exists()


def test_adjudicate_sign_sends_an_empty_answer_at_once(begun, monkeypatch, capsys):
    """The 6th Army stands in the open: no answer can matter."""
    table, german, russian = begun, begun.german, begun.russian
    open_ground = {"id": "izyum", "hex": "2218", "attackers": ["g-42", "g-57-pz"]}
    german.fill({**ORDERS, "orders": {"battles": [open_ground]}})
    letter = table.mail(german.sign(), "russian")
    monkeypatch.setenv("KURSK_HOME", str(russian.home))
    assert run(["adjudicate", str(letter), "--sign", "-q"]) == 0
    sent = folders.message_path(russian.folder, 3)
    answer = folders.read_message(sent)
    assert answer.mapping("policy") == {}
    assert answer.mapping("reveal").keys() == {"posture/turn-1"}
    german.take(table.mail(sent, "german"))
    assert german.desk.game.state.stage == "german-dice"


def test_the_dice_are_told_to_the_one_who_threw_them(declared, monkeypatch, capsys):
    """The answer is taken, and what the attacker's own dice do is shown before he orders anything on top of it."""
    german, russian = declared.german, declared.russian
    russian.fill({"policy": {}})
    letter = declared.mail(russian.sign(), "german")
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    assert run(["adjudicate", str(letter)]) == 0
    told = capsys.readouterr().out
    report, dice = told.split("YOUR DICE HAVE FALLEN.")
    assert "Die (ponyri/combat)" not in report
    assert "Die (ponyri/combat)" in dice
    assert "Die (ponyri/combat)" in folders.report_path(german.folder, 4, draft=True).read_text(encoding="utf-8")


def test_check_and_sign_show_in_plain_words_what_is_sealed(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(ORDERS)
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    hidden = "Hidden, only its hash is mailed:\n  plans/2: ponyri (retreat away 2713, losses g-47-pz, advance"
    for command in (["check"], ["sign", "--open-plans", "--yes"]):
        assert run([*command, str(path)]) == 0
        assert (hidden in capsys.readouterr().out) == (command == ["check"])


def test_adjudicate_sign_does_not_choose_for_anybody(begun, monkeypatch, capsys):
    german = begun.german
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    before = tree(german.place)
    assert run(["adjudicate", str(german.place / "inbox" / "0001.yaml"), "--sign", "-q"]) != 0
    assert capsys.readouterr().err
    assert tree(german.place) == before


# Where things are found


def test_the_players_own_folder_comes_before_the_one_the_mail_lies_in(begun):
    table, german, russian = begun, begun.german, begun.russian
    german.fill(ORDERS)
    sent = german.sign()  # never mailed: the Russian takes it out of the German's own folder
    before = tree(german.place)
    got = russian.adjudicate(sent, near=sent.parent)
    assert got.desk.folder == russian.folder
    assert folders.message_path(russian.folder, 2).read_bytes() == sent.read_bytes()
    assert folders.draft_path(russian.folder, 3).exists()
    assert tree(german.place) == before
    assert table.due is russian


def test_an_auditor_works_in_the_folder_the_file_lies_in(begun, tmp_path):
    table = begun
    shared = tmp_path / "shared" / table.german.folder.name
    shutil.copytree(table.german.folder, shared, ignore=shutil.ignore_patterns("*.draft*"))
    table.german.fill(ORDERS)
    letter = shared / "new.yaml"
    shutil.copyfile(table.german.sign(), letter)
    got = play.receive(letter.read_bytes(), str(letter), tmp_path / "nobody", letter.parent)
    assert got.desk.own is None
    assert not got.desk.mine
    assert {path.name for path in got.written} == {"0002.yaml", "report-0002.txt"}
    report = (shared / "report-0002.txt").read_bytes()
    assert report == (table.german.folder / "report-0002.txt").read_bytes()
    assert list(shared.glob("*.draft*")) == []


def test_a_message_of_an_unknown_game_says_what_to_do(begun, tmp_path):
    letter = begun.german.place / "inbox" / "0001.yaml"
    with pytest.raises(FileError, match=r"no folder of the game .* is known here"):
        play.receive(letter.read_bytes(), str(letter), tmp_path / "nobody", tmp_path)
    proposal = begun.russian.place / "inbox" / "0000.yaml"
    with pytest.raises(UsageError, match="kursk accept"):
        play.receive(proposal.read_bytes(), str(proposal), tmp_path / "nobody", tmp_path)


def test_accepting_again_is_no_harm_and_another_player_is_refused(begun):
    russian, german = begun.russian, begun.german
    proposal = russian.place / "inbox" / "0000.yaml"
    before = tree(russian.place)
    desk = play.accept(proposal, russian.key, russian.place, russian.home)
    assert desk.seq == 2
    assert tree(russian.place) == before
    with pytest.raises(UsageError, match="names another key"):
        play.accept(proposal, german.key, russian.place, russian.home)
    with pytest.raises(UsageError, match="belongs to another game or side"):
        play.accept(proposal, russian.key, german.place, german.home)
    with pytest.raises(UsageError, match="is message 1"):
        play.accept(german.place / "inbox" / "0001.yaml", german.key, german.place, german.home)


def test_proposals_that_cannot_be(begun, tmp_path):
    german, opponent = begun.german, begun.german.desk.game.chain.keys["russian"]

    def propose(scenario="battle-for-kursk/citadel", side="german", opponent=opponent, options=None):
        proposal = play.Proposal(scenario, side, opponent, {}, options or {})
        return play.propose(proposal, german.key, tmp_path / "new", tmp_path / "home")

    for words, arguments in (
        ("no ruleset", {"scenario": "battle-for-moon/citadel"}),
        ("there is no scenario", {"scenario": "battle-for-kursk/nowhere"}),
        ("the german side proposes", {"side": "russian"}),
        ("the german side proposes", {"side": "soviet"}),
        ("your own key", {"opponent": german.desk.game.chain.keys["german"]}),
        ("option 'colour'", {"options": {"colour": "grey"}}),
        ("option 'weather'", {"options": {"weather": "always"}}),
    ):
        with pytest.raises((UsageError, FileError), match=words):
            propose(**arguments)
    assert not (tmp_path / "new").exists()
    assert messages.read(propose().read_bytes(), "0000.yaml").seq == 0


def test_the_same_proposal_needs_fresh_bytes_every_time(begun, tmp_path):
    german = begun.german
    proposal = play.Proposal("battle-for-kursk/campaign", "german", german.desk.game.chain.keys["russian"], {}, {})
    two = [play.propose(proposal, german.key, tmp_path / "new", tmp_path / "home") for _ in range(2)]
    games = [record.begin(folders.read_message(path)) for path in two]
    assert games[0].chain.nonce != games[1].chain.nonce
    assert two[0].parent != two[1].parent
