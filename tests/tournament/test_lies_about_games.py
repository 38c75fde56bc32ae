"""Chapter 11: lies of a director that only the games show. A test has the number of its lie."""

from __future__ import annotations

import shutil

import pytest
from helpers.tourney import Playing

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.referee import grants, timekeeper
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.desk.referee.timekeeper import Opened, Term
from kursk_pbem.formats import times
from kursk_pbem.game import folders as game_folders
from kursk_pbem.game import histories
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.director import desk as offices
from kursk_pbem.tournament.director import games
from kursk_pbem.tournament.papers import fields, forms, store
from kursk_pbem.tournament.proof import verify
from kursk_pbem.trust import keys
from kursk_pbem.trust import papers as referees
from tournament.dated import lie, place_of


def found(world, paper, place, words, status=3):
    proof = verify.verify_tournament(world.folder)
    assert proof.status == status, proof
    assert (proof.paper, proof.place) == (paper if isinstance(paper, str) else paper.name, place), proof.text
    assert words in proof.text, proof.text


def honest_result(world, board="1-1"):
    with world.director.sitting():
        desk = offices.open_desk(world.folder, world.director.home)
        place = desk.book.boards[board]
        return boards.build_result(place, games.read_result(desk, place))


def test_the_honest_one_is_verified(four):
    four.verify()
    four.pair()
    assert "verified" in four.verify()


@pytest.mark.parametrize(
    ("field", "value"),
    [("winner", "german"), ("how", "operational"), ("head", "c" * 64), ("margin", "2"), ("margin", "")],
)
def test_L6_a_result_changed(four, field, value):
    said = honest_result(four)
    assert said["winner"] == "russian"
    assert said["how"] == "resignation"
    said = {name: text for name, text in {**said, field: value}.items() if text}
    found(four, lie(four, fields.RESULT, said), field, "the game says" if field != "x" else "")


def test_L6_a_result_of_a_game_that_goes_on(four):
    game = four.book().boards["1-2"].game
    said = {"board": "1-2", "game": game, "head": "c" * 64, "winner": "german", "how": "resignation"}
    found(four, lie(four, fields.RESULT, said), "game", "has not ended")


def people(world, board):
    return {side: world.by_number(number) for side, number in board.sides.items()}


def without_game(world, board):
    """Return the tournament before the log has the game of a board."""
    seq = world.book().boards[board].game_seq
    for path in (world.folder / "log").iterdir():
        if int(path.stem) >= seq:
            path.unlink()
    shutil.rmtree(world.folder / "games")
    return seq


@pytest.fixture
def unplayed(four):
    without_game(four, "1-1")
    return four


def field_of(world, name, **changes):
    book = world.book()
    return {boards.FIELD: {**boards.build_field(book, book.boards[name]), **changes}}


def test_L2_sides_exchanged_in_the_game(unplayed):
    board = unplayed.book().boards["1-1"]
    one, other = people(unplayed, board).values()
    game = unplayed.wild(board, {"german": other, "russian": one}, field_of(unplayed, "1-1"))
    found(
        unplayed, lie(unplayed, fields.GAME, {"board": "1-1", "game": game}), "game", "keys/german: the german side is"
    )


def test_L5_a_friendly_game_counted(unplayed):
    board = unplayed.book().boards["1-1"]
    game = unplayed.wild(board, people(unplayed, board), {})
    found(unplayed, lie(unplayed, fields.GAME, {"board": "1-1", "game": game}), "game", "played outside the tournament")


def test_L5_a_game_of_another_board_counted(unplayed):
    board = unplayed.book().boards["1-1"]
    game = unplayed.wild(board, people(unplayed, board), field_of(unplayed, "1-1", board="1-2"))
    found(unplayed, lie(unplayed, fields.GAME, {"board": "1-1", "game": game}), "game", "names board 1-2")


def test_L19_a_game_that_names_another_log(unplayed):
    board = unplayed.book().boards["1-1"]
    game = unplayed.wild(board, people(unplayed, board), field_of(unplayed, "1-1", head="d" * 64))
    found(unplayed, lie(unplayed, fields.GAME, {"board": "1-1", "game": game}), "game", "two logs exist")


def test_L19_a_game_that_names_a_log_paper_beyond_the_end(unplayed):
    board = unplayed.book().boards["1-1"]
    game = unplayed.wild(board, people(unplayed, board), field_of(unplayed, "1-1", seq="99"))
    found(unplayed, lie(unplayed, fields.GAME, {"board": "1-1", "game": game}), "game", "the log here ends with")


def test_a_handicap_that_nobody_bid(unplayed):
    board = unplayed.book().boards["1-1"]
    game = unplayed.wild(board, people(unplayed, board), field_of(unplayed, "1-1", handicap={"german": "5"}))
    found(unplayed, lie(unplayed, fields.GAME, {"board": "1-1", "game": game}), "game", "tournament/handicap")


def test_L4_a_game_that_an_entrant_had_and_no_board_has(unplayed):
    """The entrant's opening names the game. This convicts no player; verify asks for the game."""
    board = unplayed.book().boards["1-1"]
    who = people(unplayed, board)
    game = unplayed.wild(board, who, field_of(unplayed, "1-1"))
    shutil.rmtree(unplayed.folder / "games")
    contents = store.load_papers(unplayed.folder)
    seen = {"seq": str(contents.log[-1].seq), "id": contents.log[-1].id}
    opening = {"draw": "0", "open": "1" * 64, "next": "1", "commit": "2" * 64}
    said = {"kursk-tournament": "2", "type": "open", "tournament": contents.log[0].id, "from": who["german"].public}
    said |= {"seen": seen, "time": unplayed.time, **opening, "games": [{"id": game, "head": "3" * 64}]}
    paper = forms.sign_paper(said, keys.load_key(who["german"].key), "x")
    store.write_paper(store.paper_path(unplayed.folder, paper), paper)
    lie(unplayed, fields.RECEIVED, {"papers": [paper.id]})
    proof = verify.verify_tournament(unplayed.folder)
    assert proof.status == 1
    assert any(f"papers/{paper.id[:16]}.yaml" in each and "log has no such game" in each for each in proof.missing)


def judged(world, head, by="word", **more):
    board = world.book().boards["1-2"]
    said = {"board": "1-2", "by": by, "winner": "german", "why": "so", "game": board.game, "head": head}
    return lie(world, fields.JUDGED, {**said, **more}, times.add_days(world.time, 91))


def test_L7_a_game_cut_before_its_last_messages_and_judged(four):
    place = place_of(four)
    history = histories.load(place)
    cut = history.game.chain.ids[-2]
    margin = {"margin": str(0)}
    paper = judged(four, cut, "points", winner="draw", **margin)
    left_out(four, paper, "receipt-0003.yaml")


def test_L7_the_same_with_the_last_message_taken_away(four):
    """A receipt or a player's paper names the last message: verify names the missing message."""
    place = place_of(four)
    last = game_folders.message_files(place)[-1]
    cut = game_folders.read_message(game_folders.message_files(place)[-2]).id
    paper = judged(four, cut, "points", winner="draw", margin="0")
    last.unlink()
    left_out(four, paper, "receipt-0003.yaml")


def left_out(world, paper, proof):
    """Check that verify asks for a correction, because the director had a later message by this proof."""
    (missing,) = verify.verify_tournament(world.folder).missing
    assert proof in missing
    assert f"{paper.name} leaves it out" in missing


def written_late(world, by="points"):
    """Judge board 1-2, and let a player write a message after the judgement; return the message."""
    board = world.book().boards["1-2"]
    playing = Playing(world, board)
    for side, who in playing.people.items():
        with who.sitting():
            playing.desks[side] = desks.open_desk(who.place / game_folders.folder_name(board.game), who.home)
    world.later(91)
    world.director.kursk("tournament", "judge", "1-2", by, "--yes", "--in", world.folder)
    playing.go(4, copy=False)
    return next(iter(playing.desks.values())).newest


def test_messages_written_after_a_judgement_break_no_proof(four):
    """Step g: the tournament is valid with or without the late message, and verify mentions the message."""
    message = written_late(four)
    shutil.copyfile(message, place_of(four) / message.name)
    assert "board 1-2 was decided by log/" in (said := four.verify())
    assert "1 later message left out" in said


def test_an_adjourned_game_goes_on(four):
    """6.4: the board counts as a draw for now, and later messages are valid."""
    message = written_late(four, "adjourned")
    shutil.copyfile(message, four.director.inbox / message.name)
    four.inbox()
    assert "left out" not in four.verify()


def test_L7_a_judgement_before_a_message_that_the_director_had_by_its_receipt(four):
    message = written_late(four)
    place = place_of(four)
    shutil.copyfile(message, place / message.name)
    first = store.load_papers(four.folder).log[3]
    (place / "receipt-0003.yaml").unlink()
    with four.director.sitting():
        term = Term(received=four.time, days=7, late=True, log={"seq": "3", "id": first.id})
        timekeeper.sign_receipt(Opened(place, histories.load(place)), four.director.key, term, 4)
    left_out(four, four.book().log[-1], "receipt-0004.yaml")


def test_L17_a_judgement_on_another_margin_than_the_game_has(four):
    place = place_of(four)
    head = histories.load(place).game.chain.head_id
    paper = judged(four, head, "points", winner="german", margin="4")
    found(four, paper, "margin", "the margin of board 1-2 is")


def test_L17_a_word_for_a_game_that_has_points(four):
    head = histories.load(place_of(four)).game.chain.head_id
    found(four, judged(four, head), "by", "points come first")


def test_L17_a_game_that_has_ended_judged(four):
    board = four.book().boards["1-1"]
    head = histories.load(place_of(four, "1-1")).game.chain.head_id
    said = {
        "board": "1-1",
        "by": "points",
        "winner": "draw",
        "why": "so",
        "game": board.game,
        "head": head,
        "margin": "0",
    }
    paper = lie(four, fields.JUDGED, said, times.add_days(four.time, 91))
    found(four, paper, "by", "has ended")


def test_L17_silence_of_a_game_that_had_begun(four):
    board = four.book().boards["1-2"]
    said = {"board": "1-2", "by": "silence", "winner": "german", "why": "so", "game": board.game}
    paper = lie(four, fields.JUDGED, said, times.add_days(four.time, 15))
    found(four, paper, "by", "had begun")


def silent(world):
    """Return the number of the player to move on board 1-2."""
    game = histories.load(place_of(world)).game
    return world.book().boards["1-2"].sides[game.chain.writer(game.chain.next_seq)]


def test_L14_a_forfeit_against_an_extension(four):
    place = place_of(four)
    four.director.kursk("tournament", "grant", silent(four), 5, "a journey", "--yes", "--in", four.folder)
    for path in place.glob("extension-*.yaml"):
        path.unlink()  # the director hides the extension in the game
    head = store.load_papers(four.folder).log[-1]
    after = times.add_days(four.time, 8)
    log = {"seq": str(head.seq), "id": head.id}
    with four.director.sitting(), clock.fix_time(after):
        timekeeper.forfeit(place, four.director.key, after, log)
    found(four, f"games/{place.name}/forfeit.yaml", "declared", "with the added time")
    assert "has time until" in refused(four, after)


def refused(world, at):
    """Check that the director's desk refuses the declaration."""
    world.time = at
    return world.director.kursk("tournament", "forfeit", "1-2", "--yes", "--in", world.folder, status=2)


def test_L14_after_the_extension_it_counts(four):
    four.director.kursk("tournament", "grant", silent(four), 5, "a journey", "--yes", "--in", four.folder)
    four.later(13)
    four.director.kursk("tournament", "forfeit", "1-2", "--yes", "--in", four.folder)
    said = four.pair()
    assert "forfeit" in said
    four.verify()


def test_L15_an_extension_that_nobody_granted_in_public(four):
    """The papers of the game are consistent, but the log does not contain the days."""
    place = place_of(four)
    head = store.load_papers(four.folder).log[-1]
    log = {"seq": str(head.seq), "id": head.id}
    with four.director.sitting(), clock.fix_time(four.time):
        issued = grants.extend_deadline(place, four.director.key, Grant(days=3, log=log))
    assert issued.game.papers.due(issued.paper.seq) == issued.paper.text("due")
    found(four, f"games/{place.name}/extension-{issued.paper.seq:04d}", "due", "with the added time")


def test_granted_time_is_carried_into_the_games_and_verifies(four):
    """Players and a referee's mailbox use the deadline of the log; a holiday covers the next deadline too."""
    place = place_of(four)
    last = histories.load(place).game.chain.next_seq - 1
    before = histories.load(place).game.papers.due(last)
    four.director.kursk("tournament", "grant", silent(four), 2, "ill", "--yes", "--in", four.folder)
    papers = histories.load(place).game.papers
    assert papers.due(last) == times.add_days(before, 2)
    four.director.kursk("tournament", "grant", "all", 14, "Christmas", "--holiday", "--yes", "--in", four.folder)
    papers = histories.load(place).game.papers
    assert [paper.text("cause") for paper in papers.extensions(last)] == ["bank", "pause"]
    assert papers.due(last) == times.add_days(four.time, 14)
    four.verify()


def signed_receipt(world, place, days, log=None):
    """Replace the receipt of message 3."""
    for path in (*place.glob("receipt-*.yaml"), *place.glob("extension-*.yaml")):
        path.unlink()
    head = store.load_papers(world.folder).log[-1]
    term = Term(received=world.time, days=days, late=True, log=log or {"seq": str(head.seq), "id": head.id})
    with world.director.sitting():
        timekeeper.sign_receipt(Opened(place, histories.load(place)), world.director.key, term)


@pytest.mark.parametrize(("days", "words"), [(30, "with the added time"), (2, "paper 0 gives until")])
def test_L15_time_given_secretly_or_taken(four, days, words):
    place = place_of(four)
    signed_receipt(four, place, days)
    found(four, f"games/{place.name}/receipt-0003.yaml", "due", words)


def test_L15_a_clock_logged_after_the_term_it_moves(four):
    """The clock comes too late: the forfeit is valid, a longer receipt is not."""
    place = place_of(four)
    four.later(8)
    four.director.kursk("tournament", "grant", silent(four), 5, "afterwards", "--yes", "--in", four.folder)
    four.director.kursk("tournament", "forfeit", "1-2", "--yes", "--in", four.folder)
    four.verify()
    (place / "forfeit.yaml").unlink()
    four.time = times.add_days(four.time, -8)
    before = next(paper for paper in four.book().log if paper.type == fields.GAME)
    signed_receipt(four, place, 12, {"seq": str(before.seq), "id": before.id})
    found(four, f"games/{place.name}/receipt-0003.yaml", "due", "with the added time")


def test_L15_a_holiday_granted_before_the_term_began_holds_for_it(four):
    """A receipt signed during a holiday may run until the end of the holiday."""
    place = place_of(four)
    four.director.kursk("tournament", "grant", "all", 14, "Christmas", "--holiday", "--yes", "--in", four.folder)
    four.later(1)
    signed_receipt(four, place, 13)
    four.verify()


def test_deadlines_after_the_year_9999_stop_no_program(four):
    """Bug: a deadline after the year 9999 stopped every reader of the log."""
    for time in ({"until": "9999-12-31T00:00:00Z"}, {"days": "9999"}):
        lie(four, fields.CLOCK, {"who": "all", **time, "why": "for ever"})
    assert clocks.round_due(four.book(), 1) == "9999-12-31T23:59:59Z"
    four.verify()


def test_L19_a_receipt_that_names_another_log(four):
    place = place_of(four)
    signed_receipt(four, place, 7, {"seq": "3", "id": "e" * 64})
    proof = verify.verify_tournament(four.folder)
    assert (proof.status, "different log paper 3" in proof.missing[0]) == (1, True), proof
    (path,) = place.glob("receipt-*.yaml")
    assert referees.read_paper(path.read_bytes(), "x").content["log"] == {"seq": "3", "id": "e" * 64}


def test_L15_a_receipt_that_names_no_log(four):
    place = place_of(four)
    for path in place.glob("receipt-*.yaml"):
        path.unlink()
    with four.director.sitting():
        timekeeper.sign_receipt(Opened(place, histories.load(place)), four.director.key, Term(four.time, days=7))
    found(four, f"games/{place.name}/receipt-0003.yaml", "log", "the paper names no log paper")
