"""Chapters 2 to 5: refusals at the desks of director and entrant, without a signature."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from helpers import early
from helpers.ledger import Ledger, key_of
from helpers.signing_desk import propose, signed
from helpers.tourney import World, begin_two

from kursk_pbem.cli import run
from kursk_pbem.errors import EarlyError, FileError, UsageError
from kursk_pbem.game import folders
from kursk_pbem.tournament import boards, private, summary
from kursk_pbem.tournament.director import desk as offices
from kursk_pbem.tournament.director import setup
from kursk_pbem.tournament.entrant import desk
from kursk_pbem.tournament.papers import forms
from kursk_pbem.tournament.rules import KNOCK_OUT, SWISS
from kursk_pbem.trust import messages

SCENARIO = "battle-for-kursk/citadel"


@pytest.fixture(scope="module")
def bidders(tmp_path_factory):
    """Return two players before their bids for a board."""
    return begin_two(tmp_path_factory.mktemp("bidders"), "--knock-out", edit={"sides: balance": "sides: bids"})


def too_early(world):
    """Return a handwritten proposal for board 1-1, before the sides are known."""
    book = world.book()
    board = book.boards["1-1"]
    people = world.players_of(board)
    path = world.propose_wild(board, people, {boards.FIELD: boards.build_field(book, board)})
    return path, list(people.values())[1]


def kinds(world):
    return [paper.type for paper in world.book().log]


class TestDirector:
    def test_a_game_comes_after_the_bids_for_its_sides(self, bidders):
        """8.3: before the bids the sides are open, and the log accepts no game."""
        path, acceptor = too_early(bidders)
        told = "the sides of board 1-1 are not known yet"
        acceptor.kursk("accept", path, "--dir", acceptor.place, status=3, told=told)
        shutil.copyfile(path, bidders.director.inbox / "0000.yaml")
        assert "the sides of board 1-1 are not known yet" in bidders.inbox(status=1)
        assert not list(bidders.folder.glob("games/*"))
        shutil.copytree(path.parent, bidders.folder / "games" / path.parent.name)
        bidders.pair()
        assert "game" not in kinds(bidders)
        shutil.rmtree(bidders.folder / "games")

    @pytest.mark.parametrize(
        ("words", "why"),
        [
            (("end",), "board 1-1 is not decided"),
            (("standings", "--round", 2), "no round 2 yet: the newest is round 1"),
            (("judge", "1-1", "silence", "german", "--yes"), "the game has until"),
            (("withdraw", "eve", "--yes"), "'eve'"),
            (("refuse", "abcd", "no", "--yes"), "'abcd'"),
            (("forfeit", "1-1", "--yes"), "board 1-1 has no game yet: judge it by silence"),
            (("substitute", "1", "gone", "--yes"), "nobody has offered to play for entrant number 1"),
            (("key", "1"), "number 1 has signed no change of key"),
        ],
    )
    def test_impossible_requests_are_refused_without_accusation(self, bidders, words, why):
        """A director's mistake has status 2; an unsigned paper is not a false paper."""
        where = (bidders.folder,) if words[0] in ("end", "standings") else ("--in", bidders.folder)
        assert why in bidders.director.kursk("tournament", *words, *where, status=2)

    def test_an_absence_is_of_whole_days(self, four):
        anna = four.entrants["anna"]
        away = ("tournament", "absent", "2027-01-05", "2027-01-09", "--in", anna.tournament)
        anna.kursk(*away)
        (paper,) = private.list_records(anna.home)[0].path.glob("journal/absent-*.yaml")
        said = forms.read_paper(paper.read_bytes(), paper.name)
        assert (said.text("first"), said.text("last")) == ("2027-01-05T00:00:00Z", "2027-01-09T23:59:59Z")
        assert "type the earlier day first" in anna.kursk(*away[:2], "2027-01-05", "2027-01-04", *away[4:], status=2)
        assert "'soon' is no time" in anna.kursk(*away[:2], "soon", "2027-01-04", *away[4:], status=2)

    def test_a_folder_whose_rules_are_not_signed_says_how(self, bidders, tmp_path):
        (tmp_path / "rules.yaml").write_text("", encoding="ascii")
        told = f"'kursk tournament new {tmp_path}' signs the rules"
        bidders.director.kursk("tournament", "close", tmp_path, status=2, told=told)
        stranger = bidders.person("stranger")
        assert "you are in no tournament" in stranger.kursk("tournament", "status", status=2)

    def test_after_the_loss_of_the_private_folder_the_director_goes_on(self, four):
        """Chapter 5: folder and key are enough; the next draw opens the committed secret."""
        shutil.rmtree(four.director.home)
        restore = ("tournament", "restore", four.folder)
        other = four.entrants["anna"].key
        four.director.kursk(*restore, "--key", other, status=2, told="is not the director's key in paper 0, the rules")
        with pytest.raises(UsageError, match="give the director's key with --key"):
            offices.restore_desk(four.folder, four.director.home, None)
        four.director.kursk(*restore, told="all entrants are asked for their logs; anna, boris, ")
        grant = ("tournament", "grant", "all", 2, "flood", "--yes", "--in", four.folder)
        assert "not logged: papers that you have signed may be missing here" in four.director.kursk(*grant, status=2)
        four.director.kursk(*restore, "--answered")
        four.later(20)
        four.director.kursk("tournament", "forfeit", "1-2", "--yes", "--in", four.folder)
        four.pair()
        four.exchange()
        four.pair()
        assert four.book().round == 2
        four.verify()


class TestEntrant:
    def test_where_the_director_rolls_no_player_proposes(self, tmp_path):
        world = begin_two(tmp_path, "--knock-out", "--roll")
        for who in world.entrants.values():
            told = "the director rolls"
            who.kursk("tournament", "propose", "--dir", who.place, "--in", who.tournament, status=2, told=told)
            assert not list(who.place.glob("game-*"))

    def test_a_proposal_is_taken_with_the_key_of_the_entry(self, tmp_path, monkeypatch):
        """Bug: the advised command 'kursk accept FILE' was refused without --key for a player without games."""
        world = begin_two(tmp_path, "--knock-out")
        for who in (anna := world.entrants["anna"], boris := world.entrants["boris"]):
            who.kursk("tournament", "propose", "--dir", who.place, "--in", who.tournament, status=None)
        (path,) = [path for who in (anna, boris) for path in who.place.glob("game-*/0000.yaml")]
        other = boris if path.is_relative_to(anna.place) else anna
        assert "kursk accept FILE" in other.kursk("tournament", "status", other.tournament)
        monkeypatch.setenv("KURSK_HOME", str(other.home))
        monkeypatch.delenv("KURSK_KEY", raising=False)
        assert run(["accept", str(path), "--dir", str(other.place)]) == 0

    def test_a_word_that_was_given_stands(self, four):
        anna = four.entrants["anna"]
        absent = ("tournament", "absent", "--in", anna.tournament, "2027-02-01T00:00:00Z")
        anna.kursk(*absent, "2027-02-05T00:00:00Z")
        anna.kursk(*absent, "2027-02-05T00:00:00Z")
        anna.kursk(*absent, "2027-02-09T00:00:00Z", status=2, told="your earlier paper absent has another last")

    def test_a_wish_is_signed_only_where_a_draw_is_to_come(self, four):
        anna = four.entrants["anna"]
        anna.kursk("tournament", "plays", "no", "--in", anna.tournament)
        book = four.book()
        assert desk.may_draw_again(replace(book, draws=[]))
        assert not desk.may_draw_again(replace(book, ended=True))
        for form, most in ((SWISS, 1), (KNOCK_OUT, 2)):
            assert not desk.may_draw_again(replace(book, rules=replace(book.rules, format=form, rounds=most)))


USUAL = setup.usual_rules(setup.RulesOptions("Spring", "swiss", (SCENARIO,), 3))
OTHERWISE = {
    "title": "Autumn",
    "rounds": "4",
    "systems": [{**USUAL["systems"][0], "options": {"weather": "die"}}],
    "mirror": "yes",
    "sides": "bids",
    "order": "rating",
    "award": {**USUAL["award"], "bye": ["3"]},
    "odd": "guest",
    "tie-breaks": ["lot"],
    "substitutes": "no",
    "dice-from": "referee",
    "witness": key_of("boris").public,
    "publish": {"games": "after-turn", "turn": "3"},
    "late": {"until": "2", "points": "0"},
    "assistants": [key_of("anna").public],
    "note": "Be kind.",
}
TERMS = {name: ["draw"] if name == "ends" else "yes" if name == "adjourn" else "99" for name in USUAL["terms"]}
RATING = {"start": "5000"}


class TestRules:
    def test_every_field_is_among_those_that_follow(self):
        assert {*USUAL} - {*OTHERWISE} == {"format", "method", "terms"}

    @pytest.mark.parametrize("name", OTHERWISE)
    def test_every_rule_is_shown_before_signing_or_entering(self, name):
        """6.2: directors and entrants read every field of paper 0 before they sign."""
        rated = {"rating": RATING} if name == "order" else {}
        shown = summary.summarize_rules(Ledger(form=rated).book.rules)
        assert summary.summarize_rules(Ledger(form={**rated, name: OTHERWISE[name]}).book.rules) != shown

    @pytest.mark.parametrize("name", TERMS)
    def test_every_term_is_told_before_anybody_agrees(self, name):
        other = {"terms": {**USUAL["terms"], name: TERMS[name]}}
        assert summary.summarize_rules(Ledger(form=other).book.rules) != summary.summarize_rules(Ledger().book.rules)

    def test_what_is_seldom_said_is_told_too(self):
        shown = summary.summarize_rules(Ledger(form={"cap": "7", "tie-breaks": ["margin", "lot"]}).book.rules)
        assert any("margin, lot (each up to 7)" in line for line in shown)
        pods = summary.summarize_rules(Ledger("pods").book.rules)
        assert "pods of about 4 entrants; the best 4 entrants play the final, a pod" in pods

    def test_rules_are_signed_as_they_were_shown(self, tmp_path):
        keyfile = World(tmp_path).director.place / "me"
        form = tmp_path / setup.FORM
        form.write_text(setup.make_form(setup.RulesOptions("Spring", "knock-out", (SCENARIO,), 0)), encoding="ascii")
        shown = setup.preview_rules(tmp_path, keyfile)
        form.write_text(form.read_text(encoding="ascii").replace("days: '7'", "days: '1'"), encoding="ascii")
        assert setup.sign_rules(tmp_path, shown, keyfile, tmp_path / "home").terms.days == 7


class TestPapers:
    def test_a_message_of_a_game_is_no_paper_of_a_tournament(self):
        text = messages.emit_message({**signed(propose()).content, "signature": "x"}).encode("ascii")
        with pytest.raises(FileError, match="a message or paper of a game"):
            forms.read_paper(text, "log/0003.yaml")

    def test_a_system_plays_a_scenario_of_its_own(self):
        usual = setup.usual_rules(setup.RulesOptions("Spring", "swiss", (SCENARIO,), 2))
        other = [{**usual["systems"][0], "ruleset": "kursk-1971"}]
        with pytest.raises(FileError, match="battle-for-kursk/citadel is no scenario of kursk-1971"):
            Ledger(form={"systems": other}).book  # noqa: B018  it is read when it is asked for


def test_saved_rules_are_not_mistaken_for_a_game(four):
    """Chapter 3: an entrant types 'enter 0000.yaml' in the folder of the games."""
    anna = four.entrants["anna"]
    shutil.copy(four.folder / "log" / "0000.yaml", anna.place / "0000.yaml")
    assert "0000.yaml" not in anna.kursk("status")
    assert "kursk-tournament" not in anna.kursk("order", status=None)
    assert not folders.is_game_folder(anna.place)


def test_1_a_tournament_without_the_rule_of_times_is_from_before_release_1():
    """Directors signed such rules before release 1.0; they had not promised the order of times."""
    ledger = Ledger()
    content = {name: value for name, value in ledger.book.rules.paper.content.items() if name != "times"}
    with pytest.raises(EarlyError, match=early.EARLY):
        forms.sign_paper(content, ledger.signer, "log/0000.yaml")
