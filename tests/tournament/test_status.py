"""State of a tournament and next commands, for director and entrant, by commands and on the board."""

from __future__ import annotations

import re
import shlex
import shutil

import pytest
from board.seats import Client, Seat
from helpers.ledger import Ledger
from helpers.tourney import Playing, World

from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import folders
from kursk_pbem.tournament import boards, entrant_steps, letters, status, steps
from kursk_pbem.tournament.entrant import games


def status_of(who):
    return who.kursk("tournament")


def commands(said):
    """Return the commands to paste: each has its own line."""
    return [shlex.split(line)[1:] for line in said.splitlines() if line.startswith("    kursk ")]


def next_of(ledger, place):
    return str(steps.next_step(ledger.book, place, ledger.time, status.list_boards(ledger.book, place, ledger.time)))


def test_a_director_reads_what_is_late_what_waits_and_what_comes(four):
    said = status_of(four.director)
    assert said == four.director.kursk("tournament", "status", four.folder)
    assert "message 4, over\n" in said
    four.later(8)
    assert "LATE: due 2027-01-08 12:00 UTC (over for 1 day)" in status_of(four.director)
    four.pair()
    said = status_of(four.director)
    assert "1-1" not in said.partition("before")[0].split()
    assert "not yet: 1 undecided board, the first is 1-2" in said
    assert "  status " in four.director.kursk("tournament", "--help")


def test_each_command_of_a_status_works_as_it_is_pasted(tmp_path):
    """Director and entrants type only commands from status, from the first entry to the second draw."""
    world = World(tmp_path / "my cups")
    world.new("--swiss", 2, "--system", "battle-for-kursk/citadel", edit={"sides: balance": "sides: bids"})
    world.enter(["anna", "boris"])
    pasted = set()

    def paste(who, *names):
        said = status_of(who)
        for words in commands(said):
            name = " ".join(words[:2]) if words[0] == "tournament" else words[0]
            if name not in names and names:
                continue
            pasted.add(name)
            asks = ["--yes"] if words[1:2] and words[1] in ("refuse", "grant", "judge", "forfeit", "withdraw") else []
            where = ["--dir", str(who.place)] if name == "tournament propose" else []
            out = [str(world.root / "site")] if words[-1] == "site" else words[-1:]
            who.kursk(*words[:-1], *out, *where, *asks)
        return said

    def mail():
        world.inform()
        world.collect()

    mail()
    everybody = [world.director, *world.entrants.values()]
    for _round in range(6):
        for who in everybody:
            paste(who)
        mail()
    assert world.book().rounds, pasted
    board = world.book().boards["1-1"]
    assert board.sides_known
    proposer = world.by_number(boards.find_proposer(world.book(), board))
    assert "tournament propose" in pasted
    shutil.rmtree(next(proposer.place.glob("game-*")))
    anna = world.entrants["anna"]
    anna.kursk("tournament", "claim", "1-1", "is it 'mine'?", "--in", anna.tournament)
    anna.kursk("tournament", "absent", "2027-01-01", "2027-01-03", "--in", anna.tournament)
    mail()
    for _day in range(3):
        paste(world.director)
        mail()
        world.later(20)
    for _round in range(3):
        for who in everybody:
            paste(who)
        mail()
    wanted = {"close", "pair", "bid", "propose", "refuse", "grant", "judge"}
    assert {f"tournament {name}" for name in wanted} | {"outbox"} <= pasted


def test_an_entrant_reads_place_boards_and_what_is_theirs_to_do(four):
    """Chapter 3: the proposer reads the task, and the opponent reads the name of the proposer."""
    four.pair()
    four.inform()
    decided = [board for board in four.book().boards.values() if board.outcome is not None]
    numbers = {number for board in decided for number in board.numbers}  # the others read a result after the round
    for who in (who for who in four.entrants.values() if four.book().by_key(who.public).number in numbers):
        (seen,) = status.list_statuses(who.home, four.time)
        assert seen.role == "entrant"
        assert any("of 4 with" in line for line in seen.lines)
        said = status_of(who)
        assert "so far in round 1" in said
        assert "has signed" not in said
    book = four.book()
    board = book.boards["1-2"]
    board.game = ""
    proposes = boards.find_proposer(book, board)
    for number in board.numbers:
        me, other = book.entrant(number), book.entrant(board.against(number))
        (step,) = entrant_steps.list_steps(book, me)
        side = board.side_of(number).capitalize()
        assert f"Board 1-2: you play {side} against {other.name} (number {other.number})" in step.words
        assert step.command == ("kursk tournament propose 1-2" if number == proposes else "")
        assert number == proposes or f"{other.name} proposes the game" in step.words


def test_once_everybody_has_opened_the_draw_comes_next(tmp_path):
    ledger = Ledger().enter(["anna", "boris"])
    assert next_of(ledger, tmp_path).endswith(f"'kursk tournament close {tmp_path}'")
    ledger.close()
    until = "until 2027-01-08 12:00 UTC"
    assert next_of(ledger, tmp_path).startswith(f"lots 0 wait for 2 reveals, {until}: ")
    ledger.open_all(silent=["anna"])
    assert next_of(ledger, tmp_path) == f"lots 0 wait for 1 reveal, {until}: anna"
    ledger.receive(ledger.opening("anna", 0))
    all_ = "2 of 2 entrants have answered for round 1. To draw the round now, before the deadline"
    assert next_of(ledger, tmp_path) == f"{all_}: 'kursk tournament pair {tmp_path}'"


def test_a_guest_who_signs_stands_in_the_list_too(tmp_path):
    ledger = Ledger(rounds_=3, form={"odd": "guest"}).enter(["anna", "boris", "carla"])
    ledger.enter(["greta"], guest="yes")
    ledger.draw_field()
    number = ledger.of("greta").number
    ledger.receive(ledger.player("withdraw", "greta", {"note": "ill"}))
    (step,) = steps.list_decisions(ledger.book, tmp_path, ledger.time)
    assert step.words == f"number {number} (greta) has signed a withdrawal"
    assert step.command == f"kursk tournament withdraw {number} --in {tmp_path}"


def test_what_waits_for_the_director_says_what_to_type_and_goes_once_it_is_done(tmp_path):
    """Chapter 5: a decision answers a claim, a long holiday answers an absence, a withdrawal answers both."""
    ledger = Ledger().begin(["anna", "boris", "carla", "dmitri"])
    book, number = ledger.book, ledger.of("anna").number
    board = next(board for board in book.boards.values() if number in board.numbers)
    claim = ledger.player("claim", "anna", {"board": board.name, "note": "the time"})
    away = ledger.player("absent", "anna", {"first": "2027-01-01T00:00:00Z", "last": "2027-01-09T00:00:00Z"})
    ledger.receive(claim, away)
    claimed, absent = steps.list_decisions(book, tmp_path, ledger.time)
    assert f"about board {board.name}: 'the time'" in claimed.words
    assert claimed.command == f'kursk tournament refuse {claim.id[:8]} "no decision is needed" --in {tmp_path}'
    assert absent.command == (f'kursk tournament grant {number} 8 "an announced absence" --holiday --in {tmp_path}')
    ledger.result(board.name)
    assert list(steps.list_decisions(book, tmp_path, ledger.time)) == [absent]
    ledger.sign("clock", {"who": number, "until": "2027-01-09T12:00:00Z", "why": "away"})
    assert list(steps.list_decisions(book, tmp_path, ledger.time)) == []
    seen = status.make_status(book, tmp_path, None, ledger.time)
    assert any("on holiday until 2027-01-09 12:00 UTC: anna (number " in line for line in seen.lines)


def test_a_decision_and_a_mailed_letter_are_noticed(four):
    """Bug: 'pair' named no decision, and a letter mailed by hand stayed unsent although its paper was in the log."""
    four.post()
    anna = four.entrants["anna"]
    anna.kursk("tournament", "claim", "1-2", "the time", "--in", anna.tournament)
    for path in anna.letters():
        shutil.copyfile(path, four.director.inbox / path.name)
    assert "1 unsent letter;" in status_of(anna)
    four.inbox()
    assert "claim about board 1-2: 'the time'; decide, or refuse" in four.pair()
    for path in four.director.letters():
        if path.name.startswith(letters.reader_digits(anna.public)):
            shutil.copyfile(path, anna.inbox / path.name)
    four.take(only=["anna"])
    assert "unsent letter" not in status_of(anna)


def test_the_list_of_letters_says_whom_each_is_for(four):
    """Chapter 2: papers have no addresses, so the director must know the reader of a letter."""
    four.post()
    four.director.kursk("tournament", "grant", "all", 1, "flood", "--yes", "--in", four.folder)
    listed = four.director.kursk("tournament", "letters", four.folder).splitlines()
    book = four.book()
    for name, who in four.entrants.items():
        number = book.by_key(who.public).number
        assert any(line.startswith(f"for {name} {number}: {letters.reader_digits(who.public)}-log-") for line in listed)
    assert listed[-1].endswith(f"letters: {len(listed) - 1}")


def test_a_folder_that_is_gone_says_so_and_hides_nothing(four):
    anna = four.entrants["anna"]
    shutil.rmtree(anna.tournament)
    (seen,) = status.list_statuses(anna.home, four.time)
    assert "not the folder of a tournament" in seen.fault


def test_the_home_page_of_a_board_shows_it(four):
    for who, words in ((four.director, "you direct it"), (four.entrants["anna"], "You are number")):
        page = Client(Seat("german", who.place)).enter().get("/").text
        assert words in page
        assert "1-2" in page or who is not four.director
        assert not re.search(
            "[0-9a-f]{32}", page.partition('aria-label="Tournament')[2].partition("<summary>Verify")[0]
        )
        assert re.search("<summary>Verify</summary><p>Log paper [0-9]+, head [0-9a-f]{32}", page)


def test_a_proposal_that_is_not_as_paired_is_not_accepted_on_the_board(four):
    """The board uses the checks of 'kursk accept'."""
    board = four.book().boards["1-2"]
    people = Playing(four, board).people
    more = {"tournament": {"id": four.book().id, "board": "1-1", "seq": "5", "head": four.book().log[5].id}}
    proposal = folders.proposal_path(four.folder / "games" / folders.folder_name(four.wild(board, people, more)))
    other = next(iter(reversed(people.values())))
    with pytest.raises(TrustError):
        games.check_proposal_text(proposal.read_text(), other.home)
    with pytest.raises(UsageError, match="no copy"):
        games.check_proposal_text(proposal.read_text(), four.director.place / "nobody")


def test_an_entrant_reads_that_a_game_has_begun_whose_messages_lie_elsewhere(tmp_path):
    ledger = Ledger().begin(["anna", "boris", "clara", "dora"])
    game = ledger.game("1-1")
    seen = status.make_status(ledger.book, tmp_path, None, ledger.time)
    assert [(row.stands, row.term) for row in seen.rows] == [
        ("has not begun", "2027-01-15 12:00 UTC (14 days left)"),
        (f"has begun: game {game[:8]}", "2027-04-01 12:00 UTC (90 days left)"),
    ]
    ledger.sign("clock", {"who": "all", "days": "3", "why": "flood"})
    *_others, row = status.make_status(ledger.book, tmp_path, None, ledger.time).rows
    assert row.term == "2027-04-04 12:00 UTC (93 days left)"


def test_player_and_director_read_about_a_bye(tmp_path):
    """6.3, 8.1: a player without a game must not wait for a game."""
    ledger = Ledger().begin(["anna", "boris", "clara"])
    (number,) = ledger.book.rounds[-1].spent
    idle = ledger.book.entrant(number)
    assert entrant_steps.describe_idle(ledger.book, idle).startswith("You have no game in round 1: bye, 4 points. ")
    seen = status.make_status(ledger.book, tmp_path, None, ledger.time)
    assert f"  no game in round 1: {idle.name} (bye)" in seen.lines


def test_a_board_is_one_game_at_a_desk(four):
    """A player with two games of a board could play both, and submit the better game."""
    board = four.book().boards["1-1"]
    people = four.players_of(board)
    proposer, acceptor = people.values()
    (first,) = proposer.place.glob("game-*/0000.yaml")
    field = {"tournament": folders.read_message(first).content["tournament"]}
    games.check_proposal(folders.read_message(first), acceptor.home)
    again = four.propose_wild(board, people, field)
    with pytest.raises(UsageError, match=r"you have game .* for board 1-1 already"):
        games.check_proposal(folders.read_message(again), acceptor.home)
    acceptor.kursk("accept", again, status=2)
    with pytest.raises(UsageError, match="already, a waiting proposal"):
        games.check_only_game(folders.read_message(again), acceptor.home, [folders.read_message(first)])
    told = f"is refused: you have game {folders.read_message(first).id[:8]} for board 1-1 already"
    acceptor.kursk("inbox", again, status=2, told=told)
