"""Protocol 2.10 and docs/directors.md 6.3: somebody takes over a game whose player has fallen silent."""

from __future__ import annotations

import shutil

import pytest
from helpers.substituting import catch_up, handed_on, proposed, silent_one, stand_in

from kursk_pbem.desk import begin
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Opened, Term
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, histories, successor
from kursk_pbem.game.successor import Terms
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.office import games
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score.counted import count

pytestmark = pytest.mark.slow


def test_a_substitute_takes_over_a_game_and_the_points_go_to_the_number(four):
    playing, place, side = handed_on(four)
    assert (place / "forfeit.yaml").is_file()
    old = histories.load(place).game
    assert old.verdict.how == "successor"
    assert "fell silent" in old.verdict.text
    loser = next(each for each in playing.people if each != side)
    playing.go(3, loser)
    four.inbox()
    said = four.pair()
    assert "board 1-2: " in said
    assert "resignation" in said
    four.verify()
    book = four.book()
    assert len(book.boards["1-2"].games) == 2
    number = book.boards["1-2"].sides[side]
    assert book.entrant(number).name == "Greta"
    assert count(book).points(number) == 4


def test_before_the_game_is_handed_on_verify_says_what_is_missing(four):
    number, _side, _place = silent_one(four)
    four.later(8)
    stand_in(four, number)
    proof = verify.verify(four.folder)
    assert proof.status == 1
    assert any("nothing here shows that number" in each for each in proof.missing)


def test_nobody_is_replaced_before_their_term_is_over(four):
    number, side, place = silent_one(four)
    stand_in(four, number)
    catch_up(four)
    _people, _proposer, path = proposed(four, side, four.entrants["greta"], place)
    shutil.copyfile(path, four.director.inbox / "0000.yaml")
    four.inbox()
    said = four.director.kursk("tournament", "vacate", "1-2", "--yes", "--in", four.folder, status=2)
    assert "has time until" in said


def test_nobody_is_replaced_within_what_the_log_alone_has_granted(four):
    """As where it does so while they owe nothing, which no extension carries: verify said that the director lied."""
    number, side, place = silent_one(four)
    four.director.kursk("tournament", "grant", number, "10", "ill", "--holiday", "--yes", "--in", four.folder)
    for path in place.glob("extension-*.yaml"):
        path.unlink()
    four.later(8)
    greta = stand_in(four, number)
    catch_up(four)
    _people, _proposer, path = proposed(four, side, greta, place)
    shutil.copyfile(path, four.director.inbox / "0000.yaml")
    four.inbox()
    vacate = ("tournament", "vacate", "1-2", "--yes", "--in", four.folder)
    assert "has time until" in four.director.kursk(*vacate, status=2)
    assert not (place / "forfeit.yaml").exists()
    four.later(3)
    four.director.kursk(*vacate)
    four.verify()


def test_a_game_that_allows_no_substitutes_is_handed_on_to_nobody(four):
    """Protocol 2.10: the referee's word does it only where message 0 says that both sides agree to it."""
    board = four.book().boards["1-2"]
    people = {side: four.by_number(number) for side, number in board.sides.items()}
    game = four.wild(board, people, {}, loser="")
    place = four.folder / "games" / folders.folder_name(game)
    with four.director.at_home():
        timekeeper.receipt(Opened(place, histories.load(place)), four.director.key, Term(days=7))
    four.later(8)
    with four.director.at_home(), pytest.raises(UsageError, match="message 0 allows no substitutes"):
        timekeeper.forfeit(place, four.director.key, "", None, "a" * 64)
    with four.director.at_home():
        timekeeper.forfeit(place, four.director.key)
    assert histories.load(place).game.verdict.how == "forfeit"


def own_way(world, place, nonce="ab"):
    """Message 0 of a game with which the two of board 1-2 would go on under the keys of now."""
    board, history = world.book().boards["1-2"], histories.load(place)
    seq = len(world.book().log) - 1
    more = {boards.FIELD: boards.said(world.book(), board, seq), "names": boards.names(world.book(), board)}
    terms = Terms(keys={}, options={}, at=successor.latest(history.games), more={**more, "nonce": nonce * 32})
    side, pinned, state = successor.plan(history.games, terms)
    who = world.by_number(board.sides[side])
    with who.at_home():
        path = begin.issue(side, pinned, state, who.key, who.place, who.home, "").newest
    raw = path.read_bytes()
    shutil.rmtree(path.parent)
    return raw


def taken(world, raw):
    """What the director's desk says of it."""
    (world.director.inbox / "way.yaml").write_bytes(raw)
    return world.director.kursk("tournament", "inbox", world.director.inbox, "--in", world.folder, status=None)


@pytest.mark.parametrize("after", [False, True])
def test_no_proposal_to_go_on_takes_the_place_of_a_substitutes(four, after):
    """The first one stood for good: whoever had fallen silent proposed one, and played on instead of the substitute."""
    number, side, place = silent_one(four)
    raw = own_way(four, place)
    if not after:
        taken(four, raw)
    four.later(8)
    greta = stand_in(four, number)
    catch_up(four)
    if after:
        taken(four, raw)
    _people, _proposer, path = proposed(four, side, greta, place)
    taken(four, path.read_bytes())
    four.director.kursk("tournament", "vacate", "1-2", "--yes", "--in", four.folder)
    assert four.book().boards["1-2"].game == folders.read_message(path).id
    assert len(list((four.folder / "games").glob("game-*"))) == len(four.book().boards) + 2
    four.verify()


def test_T49_by_one_key_no_board_goes_on_in_more_ways_than_are_kept(four, monkeypatch):
    monkeypatch.setattr(games, "MOST_ONWARD", 1)
    _number, _side, place = silent_one(four)
    assert "refused" not in taken(four, own_way(four, place))
    assert "was proposed 1 times with this key" in taken(four, own_way(four, place, "cd"))


def test_a_side_is_handed_on_to_no_game_from_an_older_position(four):
    """The last proposal by its folder's name was taken: a forfeit in favour of a game that no desk accepts."""
    number, side, place = silent_one(four)
    four.later(8)
    greta = stand_in(four, number)
    catch_up(four)
    board, history = four.book().boards["1-2"], histories.load(place)
    _people, _proposer, path = proposed(four, side, greta, place)
    good, seq = folders.read_message(path).id, len(four.book().log) - 1
    keys, older = (
        boards.keys(four.book(), board, seq),
        successor.latest(history.games[: successor.latest(history.games)]),
    )
    more = {boards.FIELD: boards.said(four.book(), board, seq), "names": boards.names(four.book(), board)}
    nonce, id_ = 0, ""
    while id_ <= good:
        nonce += 1
        terms = Terms(keys=keys, options={}, at=older, more={**more, "nonce": f"{nonce:064x}"})
        _by, pinned, state = successor.plan(history.games, terms)
        with greta.at_home():
            bad = begin.issue(side, pinned, state, greta.key, greta.place, greta.home, "").newest
        id_, raw = folders.read_message(bad).id, bad.read_bytes()
        shutil.rmtree(bad.parent)
    taken(four, raw)
    taken(four, path.read_bytes())
    four.director.kursk("tournament", "vacate", "1-2", "--yes", "--in", four.folder)
    assert four.book().boards["1-2"].game == good
