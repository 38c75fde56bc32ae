"""Missed terms: the director reads a list and ends games; no game ends automatically (decision 77)."""

from email import message_from_bytes, policy

from helpers.postmen import text

from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import people
from post.boards_by_mail import writer
from post.refereed_mail import deliver_message, owes_in_two, pass_hours, played_on


def lists(world):
    """Return the lists mailed to the director."""
    mails = (raw for _at, _from, reader, raw in world.office.mails if reader == "boss@example.test")
    return [message_from_bytes(raw, policy=policy.default).get_body().get_content() for raw in mails]


def test_no_game_ends_by_itself_and_a_letter_names_the_missed_term_when_the_list_changes(directed):
    played_on(directed)
    pass_hours(directed, 20 * 24, step=24)
    assert "forfeit.yaml" not in directed.papers()
    late = [" ".join(said.split()) for said in lists(directed) if "message 3 of the" in said]
    assert len(late) == 2
    assert "24 hours of grace: the other player is asked for message 3, and has not answered" in late[0]
    assert "by the receipt of message 2, with 24 hours of grace: 'kursk referee forfeit" in late[-1]  # after seven days


def misses(world):
    """Let Boris miss a term; Anna's program answers that she has no message of his, either."""
    pass_hours(world, 9 * 24, step=3 * 24)
    for _day in range(2):
        world.member["anna"].post()
        pass_hours(world, 25, step=25)


def warned(world):
    """Return the warning of a forfeit; the answer to the question is no."""
    return world.ref.kursk("referee", "forfeit", world.folder, status=130, answer="n\n")


def test_a_forfeit_says_what_speaks_against_it_and_asks(directed):
    played_on(directed)
    misses(directed)
    said = warned(directed)
    assert "warning" not in said
    assert "is final" in said
    directed.asks("I am ill, please wait", "boris")
    assert "a mail from the" in warned(directed)
    directed.ref.kursk("referee", "forfeit", "--overdue", "--yes", told="but a mail from the")
    day = text(directed.time.now)[:10]
    directed.asks(f"ABSENT {day} {day}", "boris", Subject="away")
    assert f"away from {day} to {day}" in warned(directed)
    people.record_return(directed.ref.home, directed.boris.address)
    assert "no letter reaches the" in warned(directed)
    deliver_message(directed, directed.boris, 3)
    assert "lists late messages" in warned(directed)
    assert "forfeit.yaml" not in directed.papers()
    directed.ref.kursk("referee", "forfeit", directed.folder, answer="y\n")
    assert "forfeit.yaml" in directed.papers()


def test_overdue_lists_all_games_and_ends_those_that_are_ticked(directed):
    other = owes_in_two(directed)
    misses(directed)
    places = [directed.folder, directed.ref.folder(other)]
    for answer, listed, ended in (("\n", 2, 0), ("1\n", 2, 1), ("all\n", 1, 2)):
        said = directed.ref.kursk("referee", "forfeit", "--overdue", answer=answer)
        assert [f"{number}. game" in said for number in (1, 2, 3)] == [number <= listed for number in (1, 2, 3)]
        assert sum((place / "forfeit.yaml").exists() for place in places) == ended


def test_overdue_ends_boards_of_tournaments_too(played):
    _late, waiting = writer(played, played.played)
    for hours, member in ((9 * 24, played.ref), (25, waiting), (25, waiting)):
        member.post()
        played.time.passes(hours * 3600)
        played.ref.post()
    played.ref.friend.kursk("referee", "forfeit", "--overdue", answer="1\n")
    assert (played.folder / "games" / folders.folder_name(played.played) / "forfeit.yaml").exists()
