"""What the home page of the board says of tournaments: a director sees all of it, an entrant their place."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import pytest
from board.seats import Client, Seat
from helpers.ledger import Ledger
from helpers.tourney import Playing, World

from kursk_pbem.desk import begin
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import entropy, folders
from kursk_pbem.tournament import boards, glance, private, status
from kursk_pbem.tournament.entrant import games
from kursk_pbem.tournament.office import post

pytestmark = pytest.mark.slow


def test_a_director_sees_boards_what_waits_and_what_comes(four):
    four.later(20)
    (seen,) = glance.every(four.director.home, four.time)
    assert (seen.role, seen.fault) == ("director", "")
    late = seen.rows[0]
    assert late.late
    assert late.due == "2027-01-08 12:00 UTC (over for 13 days)"
    assert "writes" in late.stands
    assert f"next: 'kursk tournament pair {four.folder}' logs how 1-1 ended" in seen.next
    four.pair()
    (seen,) = glance.every(four.director.home, four.time)
    assert "before what comes next: 1 undecided board, the first is 1-2" in seen.next
    assert "round 1" in seen.lines[0]


def test_an_entrant_sees_place_and_boards(four):
    four.pair()
    four.post()
    four.take()
    for who in four.entrants.values():
        (seen,) = glance.every(who.home, four.time)
        assert seen.role == "entrant"
        assert "of 4 with" in seen.lines[0]
        assert len(seen.rows) == 1


def status_of(who, folder):
    return who.kursk("tournament", "status", folder)


def test_a_game_that_is_over_waits_for_nobody_but_the_director(four):
    """By a forfeit, as by a resignation: nobody is late any more."""
    said = status_of(four.director, four.folder)
    assert "message 4, over\n" in said
    assert "writes; due 2027-01-08 12:00 UTC (7 days left)" in said
    four.later(8)
    assert "writes; LATE: due 2027-01-08 12:00 UTC (over for 1 day)" in status_of(four.director, four.folder)
    four.director.kursk("tournament", "forfeit", "1-2", "--yes", "--in", four.folder)
    said = status_of(four.director, four.folder)
    assert "LATE" not in said
    assert "logs how 1-1, 1-2 ended" in said


def test_status_and_inbox_say_what_is_each_ones_own_to_do(four):
    """Chapter 3: who proposes is told so, and the other one whose mail they wait for; neither is the director."""
    book = four.book()
    board = book.boards["1-1"]
    board.games.clear()
    proposes = boards.proposer(book, board)
    for number in board.numbers:
        me, other = book.entrant(number), book.entrant(board.against(number))
        own = private.need(four.by_number(number).home, book.id, private.ENTRANT)
        (line,) = [line for line in glance.of_entrant(own, book) if line.startswith("Board")]
        if number == proposes:
            assert line.startswith(
                "Board 1-1: you propose it: if you have not yet, mail what 'kursk tournament propose'"
            )
            assert f" writes to {other.name} and to the director" in line
        else:
            assert line == f"Board 1-1: {other.name} proposes it, and you take their mail with 'kursk accept FILE'."
        said = status_of(four.entrants[me.name], four.entrants[me.name].tournament)
        assert f"You are number {number}, place" in said
        assert "so far in round 1" in said
        assert "waits for you" not in said
    four.director.kursk("tournament", "grant", "all", 1, "flood", "--yes", "--in", four.folder)
    four.post()
    anna = four.entrants["anna"]
    said = anna.kursk("tournament", "inbox", *sorted(anna.inbox.glob("*-log-*.eml")), "--in", anna.tournament)
    assert "You are number" in said


def test_once_everybody_has_opened_the_draw_comes_next(tmp_path):
    ledger = Ledger().enter(["anna", "boris"])
    ledger.close()
    until = "until 2027-01-08 12:00 UTC"
    assert status.next_lines(ledger.book, tmp_path)[0].startswith(f"draw 0 waits for 2 openings, {until}: ")
    ledger.open_all(silent=["anna"])
    assert status.next_lines(ledger.book, tmp_path) == [f"draw 0 waits for 1 opening, {until}: anna"]
    ledger.receive(ledger.opening("anna", 0))
    assert status.next_lines(ledger.book, tmp_path) == [f"next: 'kursk tournament pair {tmp_path}' draws"]


def test_a_guest_who_signs_stands_in_the_list_too():
    ledger = Ledger(rounds_=3, form={"odd": "guest"}).enter(["anna", "boris", "carla"])
    ledger.enter(["greta"], guest="yes")
    ledger.close()
    ledger.open_all()
    ledger.draw()
    number = ledger.of("greta").number
    ledger.receive(ledger.player("withdraw", "greta", {"note": "ill"}))
    (line,) = status.waiting(ledger.book, ledger.time)
    assert line == f"number {number} (greta) has signed a withdrawal: withdraw {number}"


def test_what_waits_for_the_director_says_what_to_type_and_goes_once_it_is_done(tmp_path):
    """Chapter 5: a claim by what decides its board, an absence by a holiday that lasts, both by a withdrawal."""
    ledger = Ledger().begin(["anna", "boris", "carla", "dmitri"])
    book, number = ledger.book, ledger.of("anna").number
    board = next(board for board in book.boards.values() if number in board.numbers)
    claim = ledger.player("claim", "anna", {"board": board.name, "note": "the time"})
    away = ledger.player("absent", "anna", {"first": "2027-01-05T00:00:00Z", "last": "2027-01-09T00:00:00Z"})
    ledger.receive(claim, away)
    said = list(status.waiting(book, ledger.time))
    assert said[0].endswith(
        f"about board {board.name}: 'the time'; decide it, or say why not: refuse {claim.id[:8]} WHY"
    )
    assert said[1].endswith(f"once that begins, grant {number} DAYS WHY --holiday (8 from today)")
    ledger.result(board.name)
    assert list(status.waiting(book, ledger.time)) == said[1:]
    ledger.sign("clock", {"who": number, "until": "2027-01-09T12:00:00Z", "why": "away"})
    assert list(status.waiting(book, ledger.time)) == []
    assert "  on holiday until 2027-01-09 12:00 UTC: anna (number " in "\n".join(
        status.lines(book, tmp_path, ledger.time)
    )


def test_the_list_of_letters_says_whom_each_is_for(four):
    """Chapter 2: no paper holds an address, so the director must know whose each letter is."""
    four.post()
    four.director.kursk("tournament", "grant", "all", 1, "flood", "--yes", "--in", four.folder)
    listed = four.director.kursk("tournament", "letters", four.folder).splitlines()
    book = four.book()
    for name, who in four.entrants.items():
        number = book.by_key(who.public).number
        assert any(line.startswith(f"for {name} {number}: {post.owner(who.public)}-log-") for line in listed)
    assert listed[-1].endswith(f"letters: {len(listed) - 1}")


def test_the_time_that_everybody_was_given_counts(four):
    anna = four.entrants["anna"]
    (before,) = glance.every(anna.home, four.time)
    four.director.kursk("tournament", "grant", "all", 3, "flood", "--yes", "--in", four.folder)
    four.post()
    four.take()
    (after,) = glance.every(anna.home, four.time)
    assert (before.rows[0].due, after.rows[0].due) == (
        "2027-04-01 12:00 UTC (90 days left)",
        "2027-04-04 12:00 UTC (93 days left)",
    )


def test_a_folder_that_is_gone_says_so_and_hides_nothing(four):
    anna = four.entrants["anna"]
    shutil.rmtree(anna.tournament)
    (seen,) = glance.every(anna.home, four.time)
    assert "no folder of a tournament" in seen.fault


def test_the_home_page_of_a_board_shows_it(four):
    for who, words in ((four.director, "you direct it"), (four.entrants["anna"], "You are number")):
        page = Client(Seat("german", who.place)).enter().get("/").text
        assert words in page
        assert "1-2" in page or who is not four.director


def test_a_proposal_that_is_not_as_paired_is_not_accepted_on_the_board(four):
    """The same guard as that of 'kursk accept'."""
    board = four.book().boards["1-2"]
    people = Playing(four, board).people
    more = {"tournament": {"id": four.book().id, "board": "1-1", "seq": "5", "head": four.book().log[5].id}}
    proposal = folders.proposal_path(four.folder / "games" / folders.folder_name(four.wild(board, people, more)))
    other = next(iter(reversed(people.values())))
    with pytest.raises(TrustError):
        games.guard_text(proposal.read_text(), other.home)
    with pytest.raises(UsageError, match="no copy"):
        games.guard_text(proposal.read_text(), four.director.place / "nobody")


def test_a_round_of_one_board_is_told_in_the_singular(tmp_path, capsys):
    world = World(tmp_path, capsys)
    world.new("--round-robin", "--system", "kursk-1971/july4")
    world.enter(["anna", "boris"])
    world.post()
    world.inbox()
    world.director.kursk("tournament", "close", world.folder)
    world.exchange()
    assert "round 1 paired: 1 board, due" in world.pair()


def test_an_entrant_reads_that_a_game_has_begun_whose_messages_lie_elsewhere(tmp_path):
    ledger = Ledger().begin(["anna", "boris", "clara", "dora"])
    game = ledger.game("1-1")
    said = status.lines(ledger.book, tmp_path, ledger.time)
    assert [line.split("  ")[-1] for line in said[1:]] == [
        "has not begun; due 2027-01-15 12:00 UTC (14 days left)",
        f"has begun: game {game[:8]}; due 2027-04-01 12:00 UTC (90 days left)",
    ]


def test_who_has_a_bye_reads_so_and_so_does_the_director(tmp_path):
    """6.3, 8.1: nobody who has no game waits for one."""
    ledger = Ledger().begin(["anna", "boris", "clara"])
    (number,) = ledger.book.rounds[-1].spent
    idle = ledger.book.entrant(number)
    (tmp_path / "me.pub").write_text(idle.key + "\n", encoding="ascii")
    said = glance.of_entrant(SimpleNamespace(key=tmp_path / "me", entries=list), ledger.book)
    assert said[1] == "You have no game in round 1: bye."
    assert f"  no game in round 1: {idle.name} (bye)" in status.lines(ledger.book, tmp_path, ledger.time)


def test_a_board_is_one_game_at_a_desk(four):
    """Who proposes a second game for a board could play both, and hand in the better one."""
    board = four.book().boards["1-1"]
    playing = Playing(four, board)
    (first,) = (
        path
        for who in playing.people.values()
        for path in who.place.glob("game-*/0000.yaml")
        if folders.read_message(path).mapping("tournament").get("board") == "1-1"
        and folders.read_message(path).sender in playing.people
        and playing.people[folders.read_message(path).sender] is who
    )
    said = folders.read_message(first).content
    side = said["from"]
    other = next(each for each in playing.people if each != side)
    proposer, acceptor = playing.people[side], playing.people[other]
    games.guard(folders.read_message(first), acceptor.home)
    system = four.book().rules.systems[0]
    proposal = begin.Proposal(
        system.scenario,
        side,
        said["keys"][other],
        said["names"],
        system.options,
        said["keys"]["referee"],
        more={"tournament": said["tournament"], "ruleset": said["ruleset"]},
        sha256=system.sha256,
    )
    with proposer.at_home(), entropy.fixed("again"):
        again = begin.propose(proposal, proposer.key, proposer.place, proposer.home).newest
    with pytest.raises(UsageError, match=r"your desk has game .* for board 1-1 already"):
        games.guard(folders.read_message(again), acceptor.home)
    acceptor.kursk("accept", again, status=2)
    with pytest.raises(UsageError, match="already, a proposal that waits"):
        games.only_game(folders.read_message(again), acceptor.home, [folders.read_message(first)])
    said = acceptor.kursk("inbox", again, status=2)
    assert f"is refused: your desk has game {folders.read_message(first).id[:8]} for board 1-1 already" in said
