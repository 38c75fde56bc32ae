"""A rolling referee: commands of players, limits of the referee, offers, the end (protocol 2.9, 2.11)."""

from __future__ import annotations

from random import Random

import pytest
from helpers.signed_play import RefereedTable
from rulesets.battle_for_kursk.first_turn import BATTLE, ENGAGE, OPENING, ORDERS, SEAL_2, other
from rulesets.battle_for_kursk.random_play import Chooser

from kursk_pbem.audit import verify
from kursk_pbem.desk.draft import cautions, drafts, prospects
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import UsageError
from kursk_pbem.game import entropy, folders, games
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.rulesets.battle_for_kursk import combat


class TestCommandsOfThePlayers:
    def test_check_odds_and_sign(self, joined, kursk):
        german = joined.german
        draft = german.fill(ORDERS)
        _status, said = kursk(german, "check", draft, ends=0)
        assert "plan in the open: retreat away 2713" in " ".join(said.split())
        assert "Hidden" not in said
        _status, said = kursk(german, "odds", draft, ends=0, told="ponyri")
        assert "he has not answered yet" not in said
        kursk(german, "sign", draft, "--yes", ends=0, told="mail it")
        content = folders.read_message(german.folder / "0003.yaml").content
        assert content["orders"]["battles"][0]["retreat"] == ["away 2713"]
        assert not {"open", "commit", "secret", "dice"} & content.keys()
        assert kursk(german, "odds", german.folder / "0003.yaml")[0] == 0

    def test_status_names_the_referee_and_counts_his_mails(self, joined, kursk):
        _status, said = kursk(joined.german, "status", joined.german.folder, ends=0)
        assert "due is message 3 of the German side: posture, with orders or without" in said
        assert "this turn will take 4 to 12 more mails" in said
        joined.german.fill(ORDERS)
        joined.german.sign()
        due = "due is message 4 of the referee: dice and results of the German battles"
        kursk(joined.german, "status", joined.german.folder, ends=0, told=due)
        assert kursk(joined.referee, "status", joined.referee.folder)[1].count("you are the referee") == 1

    def test_positions_of_all_stages_can_be_looked_at(self, tmp_path):
        with entropy.fix_random_bytes("looked at"):
            table = RefereedTable(tmp_path / "table", "battle-for-kursk/campaign", {"weather": "die"}).begin()
            chooser, looked = Chooser(table.game.setting, Random(3)), set()
            wanted = {"weather-die", "german-rolls", "posture", "first-binding"}
            while not looked >= wanted:
                writer = table.due
                assert writer.desk.seq < 30
                writer.fill(writer.choose(chooser))
                path = writer.sign()
                table.referee.take(table.mail(path, REFEREE))
                stage = table.game.state.stage
                if stage not in looked:
                    seen = prospects.open_prospect(table.referee.folder, table.referee.home, ahead=False)
                    assert bool(prospects.compute_odds(seen)) == stage.endswith("-rolls")
                    assert prospects.compute_outlook(seen, "").side == table.game.state.side
                looked |= {stage}
                table.players[other(writer.side)].take(table.mail(path, other(writer.side)))
                table.spread(table.referee.answer(), REFEREE)

    def test_T38_a_standing_policy_goes_into_the_open_and_that_is_told(self, rolled, kursk, tmp_path):
        (file := tmp_path / "policy.yaml").write_text("exchange-dr: full\nunits:\n  r-70: {exchange-drl: never}\n")
        russian = rolled.russian
        assert kursk(russian, "policy", russian.folder, file)[0] == 0
        assert "exchange-dr: full" in kursk(russian, "policy", russian.folder)[1]
        rolled.turn({})
        draft = russian.draft().read_text()
        assert "Your opponent reads the answers." in " ".join(draft.replace("#", "").split())
        assert "exchange-dr: full" in draft
        checked = russian.check()
        assert checked.content["policy"] == {"exchange-dr": "full", "units": {"r-70": {"exchange-drl": "never"}}}
        said = " ".join(kursk(russian, "policy", "--help")[1].split())
        assert "If a referee rolls" in said

    def test_the_standing_policy_of_messages_answers_the_next_battles(self, joined):
        joined.turn({"choice": {"posture/turn-1": ENGAGE}})
        joined.turn({"policy": {"exchange-drl": "never", "exchange-dr": "never", "stand-fast": "never"}})
        held = joined.game.state.agenda["policy-russian"]
        assert held["seq"] == "5"
        joined.turn({"orders": {"battles": [BATTLE]}})
        assert joined.game.state.agenda["policy-russian"] == held
        report = (joined.german.folder / "report-0005.txt").read_text()
        assert "Russian standing answers, in the open until replaced" in " ".join(report.split())
        joined.turn({})
        joined.russian.fill({"policy": {"units": {"r-70": {"exchange-drl": "never"}}}})
        told = [left.text for left in cautions.list_cautions(joined.russian.sit(), joined.russian.check())]
        gone = "exchange-dr never; exchange-drl never; stand-fast never"
        assert told == [f"your new answers replace the answers of message 5: {gone}"]  # bug: not reported

    def test_resigning_ends_it_without_the_referee(self, rolled, kursk):
        german = rolled.german
        kursk(german, "resign", german.folder, "--yes", ends=0, told="0005.yaml")
        told = "Russian victory: the German side resigned"
        kursk(rolled.referee, "inbox", "--report", rolled.mail(german.folder / "0005.yaml", REFEREE), ends=0, told=told)
        assert not (rolled.referee.folder / "0006.yaml").exists()
        assert "resigned" in verify.verify_game(rolled.referee.folder).text

    def test_not_before_the_game_is_bound(self, joined):
        with pytest.raises(UsageError, match="the game does not bind you before message 4"):
            drafts.make_resignation(joined.german.desk)
        with pytest.raises(UsageError, match="an offer is possible from message 5 on"):
            drafts.make_offer(joined.german.desk, "draw")

    def test_T41_3_7_equal_choices_give_the_message_again_and_a_note_another_seed(self, rolled):
        """``mix`` follows from the player's secret and all choices, so nobody else can foresee the message."""
        german = rolled.german

        def sign():
            message, _slot = drafts.sign_draft(german.desk, german.check(), desks.load_signer(german.desk.own, None))
            return message, games.extend(german.desk.game, message)[0].chain

        (one, first), (again, _chain) = sign(), sign()
        assert one.id == again.id
        with german.draft().open("a", encoding="ascii") as draft:
            draft.write("note: x\n")
        other, second = sign()
        assert len(bytes.fromhex(one.text("mix"))) == 32
        assert one.text("mix") != other.text("mix")
        opening = desks.derive_opening(rolled.referee.desk.game.chain, rolled.referee.desk.own.secret, 6)
        assert first.seed_with(opening) != second.seed_with(opening)

    def test_mixes_are_fresh_in_every_message(self, rolled):
        rolled.turn({})
        rolled.turn(SEAL_2)
        mixes = [rolled.sent(seq).text("mix") for seq in (1, 3, 5, 7)]
        assert len(set(mixes)) == 4


class TestTheReferee:
    def test_he_waits_for_the_players(self, joined, kursk):
        told = "the german side writes message 3: wait"
        kursk(joined.referee, "setup", "draft", joined.referee.folder, ends=2, told=told)

    def test_players_do_not_write_for_him(self, joined, kursk):
        joined.german.fill(ORDERS)
        joined.german.sign()
        kursk(joined.german, "setup", "draft", joined.german.folder, ends=2, told="the referee writes message 4: wait")
        kursk(joined.german, "inbox", "--report", joined.german.folder / "0003.yaml", "--sign")
        assert (joined.german.folder / "0004.yaml").exists() is False

    def test_his_dice_are_not_shown_before_his_message(self, joined, kursk):
        joined.german.fill(ORDERS)
        letter = joined.mail(joined.german.sign(), REFEREE)
        said = kursk(joined.referee, "inbox", "--report", letter)[1]
        assert "YOUR DICE" not in said
        assert not list(joined.referee.folder.glob("*draft*"))


class TestOffers:
    def draw(self, table):
        table.send(drafts.make_offer(table.due.desk, "draw"))

    def answer(self, table, word):
        table.send(drafts.make_reply(table.due.desk, word))

    def test_accepted(self, rolled, kursk):
        german, russian, referee = rolled.german, rolled.russian, rolled.referee
        assert kursk(german, "offer", german.folder, "draw", "--yes")[0] == 0
        letter = rolled.mail(german.folder / "0005.yaml", REFEREE)
        _status, said = kursk(referee, "inbox", "--report", letter, ends=0)
        assert "The referee hands on to the Russian side." in said
        assert "Owed next: the referee to hand on" in said
        answer = rolled.mail(referee.folder / "0006.yaml", "russian")
        kursk(russian, "inbox", "--report", letter, answer, ends=0, told="message 7, the reply to an offer")
        assert not list(russian.folder.glob("*.draft.yaml"))
        assert "reply to an offer, a draw" in kursk(russian, "status", russian.folder)[1]
        kursk(german, "reply", german.folder, "accept", "--yes", ends=2, told="the referee writes message 6")
        assert kursk(russian, "reply", russian.folder, "accept", "--yes")[0] == 0
        status, said = kursk(referee, "inbox", "--report", rolled.mail(russian.folder / "0007.yaml", REFEREE))
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
        assert (rolled.due.side, rolled.game.declined) == ("german", {("german", "1")})
        assert rolled.sent(8).content["next"] == "german"
        assert rolled.game.state.stage == "german-dice"
        with pytest.raises(UsageError, match="declined in this turn already"):
            self.draw(rolled)
        game = rolled.game
        assert game.mails_to_come[0] == game.ruleset.mails_to_come(game.setting, "german-dice")[0]
        rolled.turn({})
        self.draw(rolled)  # the first Russian message
        self.answer(rolled, "decline")
        rolled.turn(SEAL_2)
        assert verify.verify_game(rolled.german.folder).status == 0

    def test_what_is_sealed_is_shown_by_the_offer_and_not_by_the_reply(self, rolled):
        self.draw(rolled)
        self.answer(rolled, "decline")
        assert "reveal" not in rolled.sent(7).content
        assert rolled.game.chain.outstanding_seals("russian").keys() == {"posture/turn-1"}
        rolled.turn({})
        self.draw(rolled)  # now the Russian offers, and shows the posture
        assert rolled.sent(11).mapping("reveal").keys() == {"posture/turn-1"}
        assert rolled.game.state.mark("russian", "posture") == "engage"
        self.answer(rolled, "decline")
        rolled.turn(SEAL_2)
        assert "reveal" not in rolled.sent(15).content

    def test_no_dice_are_rolled_while_an_offer_is_open(self, joined):
        joined.turn({"choice": {"posture/turn-1": ENGAGE}})
        joined.turn({})
        self.draw(joined)  # the German, instead of orders
        assert joined.sent(8).mapping("dice") == {}
        self.answer(joined, "decline")
        joined.turn({"orders": {"battles": [BATTLE]}})
        assert joined.sent(12).mapping("dice").keys() == {"ponyri/combat"}

    def test_a_decision_may_be_an_offer_instead(self, tmp_path):
        for number in range(3, 40):  # the first three do not stop
            with entropy.fix_random_bytes(f"a stop of a referee {number}"):
                table = RefereedTable(tmp_path / str(number), options={"uncovered": "ask"}).begin()
                table.turn(OPENING)
                table.turn(ORDERS)
                if table.game.state.stage != "german-decision":
                    continue
                assert table.sent(4).content["pending"]["owner"] == "russian"
                assert table.sent(4).content["next"] == "russian"
                self.draw(table)
                self.answer(table, "decline")
                assert table.game.state.stage == "german-decision"
                option = table.game.state.agenda["pending"]["options"][0]
                table.turn({"decisions": {"ponyri": option}})
                assert table.game.state.stage == "german-dice"
                assert table.sent(10).mapping("dice") == {}
                assert verify.verify_game(table.russian.folder).status == 0
                return
        pytest.fail("no dice stop for a decision")


def test_the_end_by_the_referees_dice_names_nobody(joined, monkeypatch):
    monkeypatch.setattr(combat, "fight_battle", lambda umpire, *_: umpire.finish("5.0", "german", "moscow"))
    joined.turn(ORDERS)
    last = joined.sent(4)
    assert "next" not in last.content
    assert last.text("state-in") == last.text("state-out")
    for player in joined.players.values():
        game = player.sit().game
        assert (game.over, game.verdict.how, game.chain.ended) == (True, "moscow", True)
        assert "THE GAME IS OVER" in (player.folder / "report-0004.txt").read_text()
        assert not player.draft().exists()
    assert joined.referee.answer() is None
    with pytest.raises(UsageError, match="the game is over"):
        drafts.render_draft(joined.german.desk)
