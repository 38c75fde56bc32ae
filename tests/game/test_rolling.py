"""A referee who rolls the dice, and his two players: at three desks and by the commands (protocol 2.1-2.4, 2.8)."""

from __future__ import annotations

import json
import shutil
from random import Random

import pytest
from random_play import Chooser
from signed_play import RefereedTable, other
from test_play import BATTLE, ENGAGE, OPENING, ORDERS, tree

from kursk_pbem.cli import run
from kursk_pbem.errors import UsageError
from kursk_pbem.game import desk as desks
from kursk_pbem.game import drafts, entropy, outlook, record, rolling, verify
from kursk_pbem.game import folder as folders
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.rulesets.battle_for_kursk import combat, entry
from kursk_pbem.trust import keys

CITADEL = "battle-for-kursk/citadel"
PAUSE = {"posture": "pause", "reaction": "no"}
SEAL_2 = {"seal": {"posture/turn-2": PAUSE}}
OPEN_GROUND = {"id": "izyum", "hex": "2218", "attackers": ["g-42", "g-57-pz"]}


@pytest.fixture
def three(tmp_path):
    """A referee and two players who have the proposal; message 1 is due."""
    with entropy.fixed("three desks"):
        yield RefereedTable(tmp_path / "three").begin()


@pytest.fixture
def begun(three):
    """Message 1 is sent and handed on; the German accepts with message 3."""
    three.turn(OPENING)
    return three


@pytest.fixture
def rolled(begun):
    """The German has attacked, the referee has rolled; message 5 is the German's."""
    begun.turn(ORDERS)
    return begun


def game_of(table):
    return table.referee.desk.game


def sent(table, seq):
    return folders.read_message(table.referee.folder / f"{seq:04d}.yaml")


class TestPropose:
    @pytest.fixture
    def director(self, tmp_path, monkeypatch, capsys):
        """A referee with his own key and those of two players, before anything: runs ``propose``."""
        for name in ("me", "german", "russian"):
            keys.generate(tmp_path / name, entropy.fresh())
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
        assert (status, "mail it to both players" in said) == (0, True)
        (path,) = tmp_path.glob("game-*/0000.yaml")
        content = folders.read_message(path).content
        assert (content["from"], content["dice-from"], content["next"]) == ("referee", "referee", "russian")
        assert content["names"] == {"german": "Anna", "russian": "russian player"}
        assert list(content["keys"]) == ["german", "russian", "referee"]
        assert content["options"] == {"uncovered": "ask"}
        assert content["keys"]["referee"] == keys.read_public(tmp_path / "me.pub")

    @pytest.mark.parametrize(("words", "players", "said"), [
        ((), ("german",), "the public key of the russian side is missing: --player russian=FILE.pub"),
        ((), (), "the public key of the german side is missing"),
        (("--player", "soviet=russian.pub"), ("german", "russian"), "has no side 'soviet'; there are german"),
        (("--player-name", "referee=Karl"), ("german", "russian"), "has no side 'referee'"),
        (("--player", "russian=german.pub"), ("german",), "keys of their own, all different"),
        (("--player", "russian=me.pub"), ("german",), "keys of their own, all different"),
        (("--player", "russian"), ("german",), "is not KEY=VALUE"),
        (("--player", "russian=nowhere.pub"), ("german",), "nowhere.pub"),
        (("--as", "german"), ("german", "russian"), "a referee plays no side"),
        (("--opponent", "german.pub"), ("german", "russian"), "a referee plays no side"),
        (("--name", "Karl"), ("german", "russian"), "a referee plays no side"),
        (("--relay", "german.pub"), ("german", "russian"), "a referee who rolls needs no other who relays"),
        (("--option", "weather=rain"), ("german", "russian"), "weather"),
        (("--option", "dice=mine"), ("german", "russian"), "dice"),
        (("--player-name", "german=\u202eanna"), ("german", "russian"), "cannot be sent"),
    ])  # fmt: skip
    def test_refused(self, director, tmp_path, words, players, said):
        status, found = director("--referee", *words, players=players)
        assert (status, said in found) == (2, True), found
        assert not list(tmp_path.glob("game-*"))
        assert not (tmp_path / "private").exists()

    def test_players_of_a_referee_and_an_opponent_do_not_go_together(self, director, tmp_path):
        for words in (("--as", "german", "--opponent", "russian.pub"), ("--as", "german"), ()):
            status, said = director(*words)
            assert (status, "--referee" in said) == (2, True)
        assert not list(tmp_path.glob("game-*"))

    def test_the_key_of_the_referee_must_be_named(self, director, monkeypatch):
        monkeypatch.delenv("KURSK_KEY")
        status, said = director("--referee")
        assert (status, "name your key with --key FILE" in said) == (2, True)


class TestAccept:
    def test_both_take_it_in_either_order(self, tmp_path, kursk):
        """The German may take it last, when the Russian has long signed: he then takes what has been mailed."""
        with entropy.fixed("either order"):
            for first in ("german", "russian"):
                table = RefereedTable(tmp_path / first)
                table.begin()
                if first == "russian":  # the German has not been there yet
                    shutil.rmtree(table.german.folder)
                    shutil.rmtree(table.german.home)
                    table.russian.fill(OPENING)
                    table.referee.take(table.mail(table.russian.sign(), REFEREE))
                    table.referee.answer()
                german = table.german
                letter = table.mail(table.referee.folder / "0000.yaml", "german")
                status, said = kursk(german, "accept", letter, "--key", german.key, "--dir", german.place)
                assert status == 0
                assert "message 1 is the russian side's; 'kursk adjudicate' takes what the referee mails" in said
                assert "as german" in said
                assert not list(german.place.glob("game-*/*.draft.yaml"))
                if first == "german":
                    continue
                mails = [table.mail(table.referee.folder / f"000{seq}.yaml", "german") for seq in (1, 2)]
                assert kursk(german, "adjudicate", *mails, "-q") == (0, "")
                draft = (german.folder / "0003.draft.yaml").read_text()
                assert "type: accept" in draft

    def test_what_is_agreed_to_is_told(self, three, kursk):
        russian = three.russian
        status, said = kursk(russian, "accept", russian.place / "inbox" / "0000.yaml", "--key", russian.key,
                             "--dir", russian.place)  # fmt: skip
        said = " ".join(said.split())
        assert status == 0
        assert "The dice are the referee's. He commits to each before he knows your message" in said
        assert "he knows them before you do, and could tell your opponent" in said
        assert "Your plans and standing answers are open" in said
        for side in ("german", "russian", "referee"):
            assert f"key of {side}: SHA256:" in said
        assert "0001.draft.yaml" in said

    def test_the_referee_and_strangers_accept_nothing(self, three, kursk, tmp_path):
        keys.generate(tmp_path / "stranger", entropy.fresh())
        letter = three.russian.place / "inbox" / "0000.yaml"
        for key in (three.referee.key, tmp_path / "stranger"):
            status, said = kursk(three.russian, "accept", letter, "--key", key, "--dir", tmp_path / "elsewhere")
            assert (status, "names another key" in said) == (2, True)
        assert not (tmp_path / "elsewhere").exists()

    def test_message_3_accepts_too(self, begun):
        begun.turn(ORDERS)
        kinds = [sent(begun, seq).type for seq in range(5)]
        assert kinds == ["propose", "accept", "turn", "accept", "turn"]
        assert [sent(begun, seq).content.get("next") for seq in (0, 2, 4)] == ["russian", "german", "german"]


class TestAdjudicate:
    def declared(self, table):
        """The German has attacked; the letter as it comes to the referee, who has not taken it."""
        table.german.fill(ORDERS)
        return table.mail(table.german.sign(), REFEREE)

    def test_the_referee_rolls_and_signs_at_once(self, begun, kursk):
        status, said = kursk(begun.referee, "adjudicate", self.declared(begun))
        assert status == 0
        folder = begun.referee.folder
        assert f"mail {folder / '0003.yaml'} and {folder / '0004.yaml'} to both players" in said
        assert "Report of message 3" in said
        assert "Report of message 4" in said
        assert sent(begun, 4).mapping("dice").keys() == {"ponyri/combat"}
        assert sent(begun, 4).text("state-in") == sent(begun, 4).text("state-out")
        assert not list(folder.glob("*.draft*"))
        assert (folder / "report-0004.txt").exists()

    def test_again_it_changes_nothing(self, begun, kursk):
        letter = self.declared(begun)
        kursk(begun.referee, "adjudicate", letter)
        before = tree(begun.referee.place)
        status, said = kursk(begun.referee, "adjudicate", letter)
        assert (status, "processed before; nothing changed" in said) == (0, True)
        assert tree(begun.referee.place) == before

    def test_after_a_crash_between_taking_and_signing(self, begun, kursk, monkeypatch):
        letter = self.declared(begun)
        with monkeypatch.context() as crash:
            crash.setattr(rolling, "answer", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            assert kursk(begun.referee, "adjudicate", letter)[0] == 130
        assert (begun.referee.folder / "0003.yaml").exists()
        assert not (begun.referee.folder / "0004.yaml").exists()
        status, said = kursk(begun.referee, "adjudicate", letter)
        assert (status, "0004.yaml to both players" in said) == (0, True)
        assert verify.verify_game(begun.referee.folder).messages == 5

    def test_after_a_crash_between_journal_and_file_the_same_message_comes(self, begun, kursk):
        letter = self.declared(begun)
        kursk(begun.referee, "adjudicate", letter)
        path = begun.referee.folder / "0004.yaml"
        before = tree(begun.referee.folder)
        path.unlink()
        (begun.referee.folder / "report-0004.txt").unlink()
        status, said = kursk(begun.referee, "adjudicate", letter)
        assert (status, "0004.yaml to both players" in said) == (0, True)
        assert tree(begun.referee.folder) == before

    def test_without_his_key_the_message_is_taken_and_not_answered(self, begun, kursk, tmp_path):
        letter, referee = self.declared(begun), begun.referee
        shutil.move(referee.key, tmp_path / "moved")
        status, said = kursk(referee, "adjudicate", letter)
        assert (status, str(referee.key) in said) == (2, True)
        assert (referee.folder / "0003.yaml").exists()
        assert not (referee.folder / "0004.yaml").exists()
        status, said = kursk(referee, "adjudicate", letter, "--key", begun.german.key)
        assert (status, "is not the key that signs for the referee" in said) == (2, True)
        assert kursk(referee, "adjudicate", letter, "--key", tmp_path / "moved")[0] == 0
        assert (referee.folder / "0004.yaml").exists()

    def test_several_letters_in_one_call(self, begun, kursk):
        """A player's and the referee's, as they are mailed together; in the order named."""
        letter = self.declared(begun)
        begun.referee.take(letter)
        begun.referee.answer()
        mails = [begun.mail(begun.referee.folder / f"000{seq}.yaml", "russian") for seq in (3, 4)]
        status, said = kursk(begun.russian, "adjudicate", *reversed(mails))
        assert (status, "message 3 is missing" in said) == (3, True)
        status, said = kursk(begun.russian, "adjudicate", *mails)
        assert status == 0
        assert "message 5 is for the german side to write" in said
        status, said = kursk(begun.german, "adjudicate", mails[1], "--json")
        assert status == 0
        told = json.loads(said)
        assert (told["seq"], told["from"], told["next"], told["signed"]) == (4, "referee", "german", "")
        assert any(path.endswith("0005.draft.yaml") for path in told["wrote"])

    def test_for_machines(self, begun, kursk):
        letter = self.declared(begun)
        status, said = kursk(begun.referee, "adjudicate", letter, "--json")
        (told,) = map(json.loads, said.splitlines())
        assert status == 0
        assert told["signed"] == str(begun.referee.folder / "0004.yaml")
        assert (told["seq"], told["from"], told["new"]) == (3, "german", True)
        assert told["next"] == "german"  # who writes after what was signed

    def test_the_players_draft_follows_the_dice(self, rolled):
        draft = rolled.german.draft().read_text()
        assert rolled.german.draft().name == "0005.draft.yaml"
        assert "German movement after the dice" in " ".join(draft.replace("#", "").split())
        assert "YOUR DICE" not in draft
        assert not rolled.russian.draft().exists()

    def test_a_wrong_message_is_not_answered(self, begun, kursk):
        letter = self.declared(begun)
        text = letter.read_text()
        letter.write_text(text.replace("away 2713", "away 2714"))
        status, said = kursk(begun.referee, "adjudicate", letter)
        assert (status, "this copy is not what" in said) == (3, True)
        assert not (begun.referee.folder / "0003.yaml").exists()
        assert not (begun.referee.folder / "0004.yaml").exists()


class TestCommandsOfThePlayers:
    def test_check_odds_and_sign(self, begun, kursk):
        german = begun.german
        draft = german.fill(ORDERS)
        status, said = kursk(german, "check", draft)
        assert status == 0
        assert "plan in the open: retreat away 2713" in " ".join(said.split())
        assert "Hidden" not in said
        status, said = kursk(german, "odds", draft)
        assert (status, "ponyri" in said) == (0, True)
        assert "he has not answered yet" not in said
        status, said = kursk(german, "sign", draft, "--yes")
        assert (status, "mail it" in said) == (0, True)
        content = folders.read_message(german.folder / "0003.yaml").content
        assert content["orders"]["battles"][0]["retreat"] == ["away 2713"]
        assert not {"open", "commit", "secret", "dice"} & content.keys()
        assert kursk(german, "odds", german.folder / "0003.yaml")[0] == 0

    def test_status_names_the_referee_and_counts_his_mails(self, begun, kursk):
        status, said = kursk(begun.german, "status", begun.german.folder)
        assert status == 0
        assert "message 3 is for the german side: posture; orders too if the reveal is waived" in said
        assert "this turn will take 4 to 12 more mails" in said
        begun.german.fill(ORDERS)
        begun.german.sign()
        status, said = kursk(begun.german, "status", begun.german.folder)
        assert "message 4 is for the referee: dice and results of the German battles" in said
        assert kursk(begun.referee, "status", begun.referee.folder)[1].count("you are referee") == 1

    def test_positions_of_all_stages_can_be_looked_at(self, tmp_path):
        """moves and odds at the referee's desk, each stage once: his own too, in which he has no choice."""
        with entropy.fixed("looked at"):
            table = RefereedTable(tmp_path / "table", "battle-for-kursk/campaign", {"weather": "die"}).begin()
            chooser, looked = Chooser(game_of(table).setting, Random(3)), set()
            wanted = {"weather-die", "german-rolls", "posture", "first-binding"}
            while not looked >= wanted:
                writer = table.due
                assert writer.desk.seq < 30
                writer.fill(chooser.content(desks.duties(writer.desk, writer.desk.own).middle, writer.desk.seq))
                path = writer.sign()
                table.referee.take(table.mail(path, REFEREE))
                stage = game_of(table).state.stage
                if stage not in looked:
                    seen = outlook.look(table.referee.folder, table.referee.home, ahead=False)
                    assert bool(outlook.odds(seen)) == stage.endswith("-rolls")
                    assert outlook.outlook(seen, "").side == game_of(table).state.side
                looked |= {stage}
                table.players[other(writer.side)].take(table.mail(path, other(writer.side)))
                table.spread(table.referee.answer(), REFEREE)

    def test_an_empty_message_is_signed_at_once_on_request(self, begun, kursk):
        """``adjudicate --sign``: the Russian reveal holds nothing to choose."""
        begun.german.fill({"choice": {"posture/turn-1": ENGAGE}})
        begun.spread(begun.german.sign(), "german")
        answer = begun.referee.answer()
        russian = begun.russian
        status, said = kursk(russian, "adjudicate", begun.mail(answer, "russian"), "--sign")
        assert (status, "0005.yaml: mail it" in said) == (0, True), said
        shown = folders.read_message(russian.folder / "0005.yaml")
        assert shown.mapping("reveal").keys() == {"posture/turn-1"}
        assert "policy" not in shown.content

    def test_T38_a_standing_policy_goes_into_the_open_and_that_is_told(self, rolled, kursk, tmp_path):
        """It lies at home, is written into drafts that hold choices, and the draft says who reads it."""
        (file := tmp_path / "policy.yaml").write_text("exchange-dr: full\nunits:\n  r-70: {exchange-drl: never}\n")
        russian = rolled.russian
        assert kursk(russian, "policy", russian.folder, file)[0] == 0
        assert "exchange-dr: full" in kursk(russian, "policy", russian.folder)[1]
        rolled.turn({})
        draft = russian.draft().read_text()
        assert "Your opponent reads them." in " ".join(draft.replace("#", "").split())
        assert "exchange-dr: full" in draft
        checked = russian.check()
        assert checked.content["policy"] == {"exchange-dr": "full", "units": {"r-70": {"exchange-drl": "never"}}}
        said = " ".join(kursk(russian, "policy", "--help")[1].split())
        assert "Where a referee rolls" in said

    def test_the_standing_policy_of_messages_answers_the_next_battles(self, begun):
        begun.turn({"choice": {"posture/turn-1": ENGAGE}})
        begun.turn({"policy": {"exchange-drl": "never", "exchange-dr": "never", "stand-fast": "never"}})
        held = game_of(begun).state.agenda["policy-russian"]
        assert held["seq"] == "5"
        begun.turn({"orders": {"battles": [BATTLE]}})
        assert game_of(begun).state.agenda["policy-russian"] == held
        report = (begun.german.folder / "report-0005.txt").read_text()
        assert "Russian standing answers, in the open until replaced" in " ".join(report.split())

    def test_resigning_ends_it_without_the_referee(self, rolled, kursk):
        german = rolled.german
        status, said = kursk(german, "resign", german.folder, "--yes")
        assert (status, "0005.yaml" in said) == (0, True)
        status, said = kursk(rolled.referee, "adjudicate", rolled.mail(german.folder / "0005.yaml", REFEREE))
        assert (status, "Russian victory: the German side resigned" in said) == (0, True)
        assert not (rolled.referee.folder / "0006.yaml").exists()
        assert "resigned" in verify.verify_game(rolled.referee.folder).text

    def test_not_before_the_game_is_bound(self, begun):
        with pytest.raises(UsageError, match="the game is not bound before message 4"):
            drafts.resignation(begun.german.desk)
        with pytest.raises(UsageError, match="the first offer may be message 5"):
            drafts.offer(begun.german.desk, {"kind": "draw"})

    def test_T41_two_equal_messages_differ_and_the_seed_with_them(self, rolled, monkeypatch):
        """32 fresh bytes of the player stand between an empty answer that the referee foresees and his nonce."""
        german = rolled.german
        found = []
        for drawn in ("one", "other"):
            with entropy.fixed(drawn):
                message, _slot = drafts.sign(german.desk, german.check(), desks.signer(german.desk.own, None))
            game, _result = record.extend(german.desk.game, message)
            found.append((message, game.chain))
        (one, first), (other, second) = found
        assert {key: value for key, value in one.content.items() if key != "mix"} == {
            key: value for key, value in other.content.items() if key != "mix"}  # fmt: skip
        assert len(bytes.fromhex(one.text("mix"))) == 32
        assert one.id != other.id
        opening = desks.opening_of(rolled.referee.desk.game.chain, rolled.referee.desk.own.secret, 6)
        assert first.seed_with(opening) != second.seed_with(opening)

    def test_mixes_are_fresh_in_every_message(self, rolled):
        rolled.turn({})
        rolled.turn(SEAL_2)
        mixes = [sent(rolled, seq).text("mix") for seq in (1, 3, 5, 7)]
        assert len(set(mixes)) == 4


class TestTheReferee:
    def owing(self, table):
        """He has taken message 5 and not answered."""
        table.german.fill({})
        table.referee.take(table.mail(table.german.sign(), REFEREE))
        return table.referee

    def test_he_chooses_nothing(self, rolled, kursk):
        referee = self.owing(rolled)
        before = tree(referee.place)
        for words in (("resign", referee.folder, "--yes"), ("offer", referee.folder, "draw", "--yes")):
            status, said = kursk(referee, *words)
            assert (status, "a referee resigns nothing and offers nothing" in said) == (2, True), said
        status, said = kursk(referee, "draft", referee.folder)
        assert (status, "kursk adjudicate" in said) == (2, True), said
        assert tree(referee.place) == before

    def test_a_draft_of_his_is_not_signed(self, rolled, kursk):
        referee = self.owing(rolled)
        path = referee.folder / "0006.draft.yaml"
        head = f"kursk-pbem: '1'\ntype: turn\nseq: '6'\nfrom: referee\ngame: {referee.desk.game.chain.game}\n"
        path.write_text(head + "orders: {movement: [{unit: g-11, to: '2118'}]}\n")
        for words in (("sign", path, "--yes"), ("check", path)):
            status, said = kursk(referee, *words)
            assert (status, "kursk adjudicate" in said) == (2, True), said
        assert not (referee.folder / "0006.yaml").exists()

    def test_he_waits_for_the_players(self, begun, kursk):
        status, said = kursk(begun.referee, "draft", begun.referee.folder)
        assert (status, "message 3 is the german side's to write; wait for it" in said) == (2, True)

    def test_players_do_not_write_for_him(self, begun, kursk):
        begun.german.fill(ORDERS)
        begun.german.sign()
        status, said = kursk(begun.german, "draft", begun.german.folder)
        assert (status, "message 4 is the referee's to write; wait for it" in said) == (2, True)
        status, said = kursk(begun.german, "adjudicate", begun.german.folder / "0003.yaml", "--sign")
        assert (begun.german.folder / "0004.yaml").exists() is False

    def test_a_player_who_is_the_same_person_has_another_desk(self, three):
        assert rolling.sits(three.referee.desk)
        assert not rolling.sits(three.german.desk)
        assert rolling.answer(three.german.desk, None) is None
        assert rolling.answer(three.referee.desk, None) is None  # message 1 is the Russian's

    def test_his_dice_are_not_shown_before_his_message(self, begun, kursk):
        """No ``YOUR DICE HAVE FALLEN``, and no report of a draft: what he rolls he mails."""
        begun.german.fill(ORDERS)
        letter = begun.mail(begun.german.sign(), REFEREE)
        said = kursk(begun.referee, "adjudicate", letter)[1]
        assert "YOUR DICE" not in said
        assert not list(begun.referee.folder.glob("*draft*"))


class TestOffers:
    def draw(self, table):
        table.send(drafts.offer(table.due.desk, {"kind": "draw"}))

    def answer(self, table, word):
        table.send(drafts.reply(table.due.desk, word))

    def test_accepted(self, rolled, kursk):
        german, russian, referee = rolled.german, rolled.russian, rolled.referee
        assert kursk(german, "offer", german.folder, "draw", "--yes")[0] == 0
        letter = rolled.mail(german.folder / "0005.yaml", REFEREE)
        status, said = kursk(referee, "adjudicate", letter)
        assert (status, "The referee hands on to the Russian side." in said) == (0, True)
        assert "Owed next: the referee to hand on" in said
        status, said = kursk(russian, "adjudicate", letter, rolled.mail(referee.folder / "0006.yaml", "russian"))
        assert (status, "message 7 is your reply to the offer" in said) == (0, True)
        assert not list(russian.folder.glob("*.draft.yaml"))
        assert "reply to an offer, a draw" in kursk(russian, "status", russian.folder)[1]
        status, said = kursk(german, "reply", german.folder, "accept", "--yes")
        assert (status, "message 6 is the referee's" in said) == (2, True)
        assert kursk(russian, "reply", russian.folder, "accept", "--yes")[0] == 0
        status, said = kursk(referee, "adjudicate", rolled.mail(russian.folder / "0007.yaml", REFEREE))
        assert (status, "Draw: both sides agreed on it" in said) == (0, True)
        assert not (referee.folder / "0008.yaml").exists()
        assert verify.verify_game(referee.folder).status == 0

    def test_declined_the_offerer_goes_on_with_his_own_choices(self, rolled):
        path = rolled.german.fill({"orders": {"movement": [{"unit": "g-24-pz", "to": "2219"}]}})
        text = path.read_text()
        self.draw(rolled)
        assert path.read_text() == text
        assert rolled.due.side == "russian"
        self.answer(rolled, "decline")
        assert (rolled.due.side, game_of(rolled).declined) == ("german", {("german", "1")})
        assert sent(rolled, 8).content["next"] == "german"
        assert game_of(rolled).state.stage == "german-dice"
        with pytest.raises(UsageError, match="declined in this turn already"):
            self.draw(rolled)
        assert game_of(rolled).mails_to_come[0] == game_of(rolled).ruleset.mails_to_come("german-dice")[0]
        rolled.turn({})
        self.draw(rolled)  # the Russian, his own first one
        self.answer(rolled, "decline")
        rolled.turn(SEAL_2)
        assert verify.verify_game(rolled.german.folder).status == 0

    def test_what_is_sealed_is_shown_by_the_offer_and_not_by_the_reply(self, rolled):
        """The Russian posture of message 1 is due in his next message: a reply leaves it sealed."""
        self.draw(rolled)
        self.answer(rolled, "decline")
        assert "reveal" not in sent(rolled, 7).content
        assert game_of(rolled).chain.outstanding("russian").keys() == {"posture/turn-1"}
        rolled.turn({})
        self.draw(rolled)  # now the Russian offers, and shows it
        assert sent(rolled, 11).mapping("reveal").keys() == {"posture/turn-1"}
        assert game_of(rolled).state.mark("russian", "posture") == "engage"
        self.answer(rolled, "decline")
        rolled.turn(SEAL_2)
        assert "reveal" not in sent(rolled, 15).content

    def test_no_dice_are_rolled_while_an_offer_is_open(self, begun):
        """Offered where a decision stood, or orders: the referee hands on, and what waits for dice waits."""
        begun.turn({"choice": {"posture/turn-1": ENGAGE}})
        begun.turn({})
        self.draw(begun)  # the German, in place of his orders
        assert sent(begun, 8).mapping("dice") == {}
        self.answer(begun, "decline")
        begun.turn({"orders": {"battles": [BATTLE]}})
        assert sent(begun, 12).mapping("dice").keys() == {"ponyri/combat"}

    def test_a_decision_may_be_an_offer_instead(self, tmp_path):
        for number in range(3, 40):  # the first three do not stop
            with entropy.fixed(f"a stop of a referee {number}"):
                table = RefereedTable(tmp_path / str(number), options={"uncovered": "ask"}).begin()
                table.turn(OPENING)
                table.turn(ORDERS)
                if game_of(table).state.stage != "german-decision":
                    continue
                assert sent(table, 4).content["pending"]["owner"] == "russian"
                assert sent(table, 4).content["next"] == "russian"
                self.draw(table)
                self.answer(table, "decline")
                assert game_of(table).state.stage == "german-decision"
                option = game_of(table).state.agenda["pending"]["options"][0]
                table.turn({"decisions": {"ponyri": option}})
                assert game_of(table).state.stage == "german-dice"
                assert sent(table, 10).mapping("dice") == {}
                assert verify.verify_game(table.russian.folder).status == 0
                return
        pytest.fail("no dice stop for a decision")


def test_the_end_by_the_referees_dice_names_nobody(begun, monkeypatch):
    """A message without ``next``: the rules have ended the game, and nothing is valid any more."""
    monkeypatch.setattr(combat, "_fight", lambda umpire, *_: entry.finish(umpire, "5.0", "german", "moscow"))
    begun.turn(ORDERS)
    last = sent(begun, 4)
    assert "next" not in last.content
    assert last.text("state-in") == last.text("state-out")
    for player in begun.players.values():
        game = player.sit().game
        assert (game.over, game.verdict.how, game.chain.ended) == (True, "moscow", True)
        assert "THE GAME IS OVER" in (player.folder / "report-0004.txt").read_text()
        assert not player.draft().exists()
    assert begun.referee.answer() is None
    with pytest.raises(UsageError, match="the game is over"):
        drafts.write(begun.german.desk)
