"""A rolling referee and two players at three desks, by commands (protocol 2.11)."""

from __future__ import annotations

import json
import shutil

import pytest
from helpers.commands import tree
from helpers.signed_play import RefereedTable
from rulesets.battle_for_kursk.first_turn import ENGAGE, OPENING, ORDERS

from kursk_pbem.audit import verify
from kursk_pbem.cli import run
from kursk_pbem.desk.deals import director as rolling
from kursk_pbem.game import entropy, folders
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.trust import keys

CITADEL = "battle-for-kursk/citadel"


class TestPropose:
    @pytest.fixture
    def director(self, tmp_path, monkeypatch, capsys):
        """Return a referee with three keys, before the proposal."""
        for name in ("me", "german", "russian"):
            keys.generate_key_pair(tmp_path / name, entropy.random_bytes())
        monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
        monkeypatch.setenv("KURSK_KEY", str(tmp_path / "me"))
        monkeypatch.chdir(tmp_path)

        def propose(*words, players=("german", "russian")):
            named = [word for side in players for word in ("--player", f"{side}={tmp_path / side}.pub")]
            status = run(["propose", CITADEL, *named, *words])
            said = capsys.readouterr()
            return status, " ".join((said.out + said.err).split())

        return propose

    def test_the_proposal(self, director, tmp_path):
        status, said = director("--referee", "--player-name", "german=Anna", "--option", "uncovered=ask")
        assert (status, "to both players" in said) == (0, True)
        assert said.count(": SHA256:") == 3  # the referee sees whose keys the proposal pins
        (path,) = tmp_path.glob("game-*/0000.yaml")
        content = folders.read_message(path).content
        assert (content["from"], content["dice-from"], content["next"]) == ("referee", "referee", "russian")
        assert content["names"] == {"german": "Anna", "russian": "russian"}
        assert list(content["keys"]) == ["german", "russian", "referee"]
        assert content["options"] == {"uncovered": "ask"}
        assert content["keys"]["referee"] == keys.read_public(tmp_path / "me.pub")

    @pytest.mark.parametrize(
        ("words", "players", "said"),
        [
            ((), ("german",), "the public key of the russian side is missing: add --player russian=FILE.pub"),
            ((), (), "the public key of the german side is missing"),
            (("--player", "soviet=russian.pub"), ("german", "russian"), "has no side 'soviet'; the sides are german"),
            (("--player", "russian=german.pub"), ("german",), "three different keys"),
            (("--player", "russian=me.pub"), ("german",), "three different keys"),
            (("--player", "russian"), ("german",), "is not KEY=VALUE"),
            (("--player", "russian=nowhere.pub"), ("german",), "nowhere.pub"),
            (("--as", "german"), ("german", "russian"), "a referee plays no side; leave --as out"),
            (("--opponent", "german.pub"), ("german", "russian"), "a referee plays no side; leave --opponent out"),
            (("--opponent-name", "Karl"), ("german", "russian"), "a referee plays no side; leave --opponent-name out"),
            (("--relay", "german.pub"), ("german", "russian"), "--relay is for a referee who rolls no dice"),
            (("--option", "weather=rain"), ("german", "russian"), "weather"),
            (("--option", "dice=mine"), ("german", "russian"), "dice"),
            (("--player-name", "german=\u202eanna"), ("german", "russian"), "cannot be sent"),
        ],
    )
    def test_refused(self, director, tmp_path, words, players, said):
        status, found = director("--referee", *words, players=players)
        assert (status, said in found) == (2, True), found
        assert not list(tmp_path.glob("game-*"))
        assert not (tmp_path / "private").exists()

    def test_the_referee_is_named_and_the_key_is_remembered(self, director, tmp_path, monkeypatch, capsys):
        monkeypatch.delenv("KURSK_KEY")
        assert run(["keygen", str(tmp_path / "dora")]) == 0
        capsys.readouterr()
        assert director("--referee", "--name", "Dora")[0] == 0
        (path,) = tmp_path.glob("game-*/0000.yaml")
        content = folders.read_message(path).content
        assert content["names"]["referee"] == "Dora"
        assert content["keys"]["referee"] == keys.read_public(tmp_path / "dora.pub")

    def test_players_of_a_referee_and_an_opponent_do_not_go_together(self, director, tmp_path):
        for words in (("--as", "german", "--opponent", "russian.pub"), ("--as", "german"), ()):
            status, said = director(*words)
            assert (status, "--referee" in said) == (2, True)
        assert not list(tmp_path.glob("game-*"))

    def test_the_key_of_the_referee_must_be_named(self, director, monkeypatch):
        monkeypatch.delenv("KURSK_KEY")
        status, said = director("--referee")
        assert (status, "give your key with --key FILE" in said) == (2, True)


class TestAccept:
    def test_both_take_it_in_either_order(self, tmp_path, kursk):
        with entropy.fix_random_bytes("either order"):
            for first in ("german", "russian"):
                table = RefereedTable(tmp_path / first)
                table.begin()
                if first == "russian":  # before the German accepts
                    shutil.rmtree(table.german.folder)
                    shutil.rmtree(table.german.home)
                    table.russian.fill(OPENING)
                    table.referee.take(table.mail(table.russian.sign(), REFEREE))
                    table.referee.answer()
                german = table.german
                letter = table.mail(table.referee.folder / "0000.yaml", "german")
                _status, said = kursk(german, "accept", letter, "--key", german.key, "--dir", german.place, ends=0)
                assert "the Russian side writes message 1; read the referee's mails with 'kursk inbox'" in said
                assert "as the german side" in said
                assert not list(german.place.glob("game-*/*.draft.yaml"))
                if first == "german":
                    continue
                mails = [table.mail(table.referee.folder / f"000{seq}.yaml", "german") for seq in (1, 2)]
                assert kursk(german, "inbox", "--report", *mails, "-q") == (0, "")
                draft = (german.folder / "0003.draft.yaml").read_text()
                assert "type: accept" in draft

    def test_what_is_agreed_to_is_told(self, three, kursk):
        russian = three.russian
        status, said = kursk(
            russian, "accept", russian.place / "inbox" / "0000.yaml", "--key", russian.key, "--dir", russian.place
        )
        said = " ".join(said.split())
        assert status == 0
        assert "The referee rolls the dice" in said
        assert "could tell your opponent" in said
        assert "Your plans and standing answers are open" in said
        for side in ("german", "russian", "referee"):
            assert f"key of {side}: SHA256:" in said
        assert "0001.draft.yaml" in said

    def test_the_referee_and_strangers_accept_nothing(self, three, kursk, tmp_path):
        keys.generate_key_pair(tmp_path / "stranger", entropy.random_bytes())
        letter = three.russian.place / "inbox" / "0000.yaml"
        told = {
            three.referee.key: "types 'kursk referee receipt FILE --days 7'",
            tmp_path / "stranger": "the proposal has the key",
        }
        for key, why in told.items():
            status, said = kursk(three.russian, "accept", letter, "--key", key, "--dir", tmp_path / "elsewhere")
            assert (status, why in said) == (2, True)
        assert not (tmp_path / "elsewhere").exists()


class TestDraft:
    def test_it_says_what_the_message_will_be_and_who_writes_then(self, joined, kursk):
        joined.german.fill(ORDERS)
        path = folders.draft_path(joined.german.folder, 3)
        status, said = kursk(joined.german, "check", path)
        assert (status, "Type accept, from the German side" in said, "Owed next: the referee's dice" in said) == (
            0,
            True,
            True,
        )
        joined.german.fill({"choice": {"posture/turn-1": ENGAGE}})
        kursk(joined.german, "check", path, ends=0, told="Owed next: the referee to hand on")


class TestAdjudicate:
    def declared(self, table):
        """Return the letter of a German attack, not processed by the referee."""
        table.german.fill(ORDERS)
        return table.mail(table.german.sign(), REFEREE)

    def test_the_referee_rolls_and_signs_at_once(self, joined, kursk):
        _status, said = kursk(joined.referee, "inbox", "--report", self.declared(joined), ends=0)
        folder = joined.referee.folder
        assert f"mail {folder / '0003.yaml'} and {folder / '0004.yaml'} to both players" in said
        assert "Report of message 3" in said
        assert "Report of message 4" in said
        assert joined.sent(4).mapping("dice").keys() == {"ponyri/combat"}
        assert joined.sent(4).text("state-in") == joined.sent(4).text("state-out")
        assert not list(folder.glob("*.draft*"))
        assert (folder / "report-0004.txt").exists()

    def test_again_it_changes_nothing(self, joined, kursk):
        letter = self.declared(joined)
        kursk(joined.referee, "inbox", "--report", letter)
        before = tree(joined.referee.place)
        kursk(joined.referee, "inbox", "--report", letter, ends=0, told="processed before; nothing changed")
        assert tree(joined.referee.place) == before

    def test_after_a_crash_between_taking_and_signing(self, joined, kursk, monkeypatch):
        letter = self.declared(joined)
        with monkeypatch.context() as crash:
            crash.setattr(rolling, "sign_answer", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            assert kursk(joined.referee, "inbox", "--report", letter)[0] == 130
        assert (joined.referee.folder / "0003.yaml").exists()
        assert not (joined.referee.folder / "0004.yaml").exists()
        kursk(joined.referee, "inbox", "--report", letter, ends=0, told="0004.yaml to both players")
        assert verify.verify_game(joined.referee.folder).messages == 5

    def test_after_a_crash_between_journal_and_file_the_same_message_comes(self, joined, kursk):
        letter = self.declared(joined)
        kursk(joined.referee, "inbox", "--report", letter)
        path = joined.referee.folder / "0004.yaml"
        before = tree(joined.referee.folder)
        path.unlink()
        (joined.referee.folder / "report-0004.txt").unlink()
        kursk(joined.referee, "inbox", "--report", letter, ends=0, told="0004.yaml to both players")
        assert tree(joined.referee.folder) == before

    def test_without_his_key_the_message_is_taken_and_not_answered(self, joined, kursk, tmp_path):
        letter, referee = self.declared(joined), joined.referee
        shutil.move(referee.key, tmp_path / "moved")
        status, said = kursk(referee, "inbox", "--report", letter)
        assert (status, str(referee.key) in said) == (2, True)
        assert (referee.folder / "0003.yaml").exists()
        assert not (referee.folder / "0004.yaml").exists()
        told = "not the key of the referee"
        kursk(referee, "inbox", "--report", letter, "--key", joined.german.key, ends=2, told=told)
        assert kursk(referee, "inbox", "--report", letter, "--key", tmp_path / "moved")[0] == 0
        assert (referee.folder / "0004.yaml").exists()

    def test_several_letters_in_one_call(self, joined, kursk):
        letter = self.declared(joined)
        joined.referee.take(letter)
        joined.referee.answer()
        mails = [joined.mail(joined.referee.folder / f"000{seq}.yaml", "russian") for seq in (3, 4)]
        kursk(joined.russian, "inbox", "--report", *reversed(mails), ends=3, told="message 3 is missing")
        told = "\nmessage 5, German movement after the dice: Anna (German) writes the message"
        kursk(joined.russian, "inbox", "--report", *mails, ends=0, told=told)
        _status, said = kursk(joined.german, "inbox", "--report", mails[1], "--json", ends=0)
        told = json.loads(said)
        assert (told["seq"], told["from"], told["next"], told["signed"]) == (4, "referee", "german", "")
        assert any(path.endswith("0005.draft.yaml") for path in told["wrote"])

    def test_for_machines(self, joined, kursk):
        letter = self.declared(joined)
        status, said = kursk(joined.referee, "inbox", "--report", letter, "--json")
        (told,) = map(json.loads, said.splitlines())
        assert status == 0
        assert told["signed"] == str(joined.referee.folder / "0004.yaml")
        assert (told["seq"], told["from"], told["new"]) == (3, "german", True)
        assert told["next"] == "german"  # the writer after the signed message

    def test_the_players_draft_follows_the_dice(self, rolled):
        draft = rolled.german.draft().read_text()
        assert rolled.german.draft().name == "0005.draft.yaml"
        assert "German movement after the dice" in " ".join(draft.replace("#", "").split())
        assert "YOUR DICE" not in draft
        assert not rolled.russian.draft().exists()
