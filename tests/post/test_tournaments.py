"""Tournaments by mail: addressed letters of the director, accepted papers, waiting entries of strangers."""

from __future__ import annotations

import email
import shlex

import pytest
from helpers import sweeps
from helpers.cup_by_mail import Cup, announced, close_field, enters, pair_first_round
from helpers.mails import attached
from helpers.mails import letter as plain_letter

from kursk_pbem.post.mailbox import events, people
from kursk_pbem.post.referee import terms
from kursk_pbem.post.tournaments import entries
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament import private
from kursk_pbem.tournament.book import plan
from kursk_pbem.tournament.papers import store
from post.refereed_mail import DAY


def waits(cup):
    return [draft.stem for draft in drafts.list_unsent(private.list_records(cup.ref.friend.home)[0].letters)]


def mailed(cup, sender):
    """Return a person's mails to entrants and the director as (reader, mail)."""
    sent = ((reader, raw) for _at, by, reader, raw in cup.office.mails if by == sender and "boss" not in reader)
    return [(reader, email.message_from_bytes(raw)) for reader, raw in sent]


def paste_first(cup, *more):
    """Type the first command of the director's status."""
    said = cup.direct("tournament", "status")
    first = next(line for line in said.splitlines() if line.startswith("    kursk "))
    cup.direct(*shlex.split(first)[1:], *more)


def test_a_strangers_entry_waits_for_the_directors_word(time, tmp_path):
    """A stranger can make a key and mail an entry, and an acknowledged entry stays in the log forever."""
    cup = announced(tmp_path, time)
    day = enters(cup)
    assert [line for line in day.done if "'p01' enters: type 'kursk tournament inbox'" in line]
    assert len(cup.book().log) == 1
    assert any(" asks to take part" in line for line in cup.ref.session.referee.list_pending())
    assert [line for line in day.done if line.endswith("; it came from p01@example.test")]
    assert people.load_people(cup.ref.friend.home) == []  # keys cost nothing (T49)
    paste_first(cup)
    assert len(people.load_people(cup.ref.friend.home)) == 1
    assert [entrant.name for entrant in cup.book().entrants.values()] == ["p01"]
    assert list(entries.list_papers(cup.ref.friend.home, cup.book().id)) == []
    paste_first(cup, "--yes")
    assert people.load_people(cup.ref.friend.home)[0].reached == "p01@example.test"


def test_a_director_takes_one_entry_and_lets_others_wait(time, tmp_path):
    cup = announced(tmp_path, time, players=3)
    for name in cup.players:
        enters(cup, name)
    home = cup.ref.friend.home
    (last,) = [paper for paper in entries.list_papers(home, cup.book().id) if paper.text("name") == "p03"]
    said = cup.direct("tournament", "inbox", "eve", status=2)
    assert "no file eve, and no waiting paper has this name: " in said
    assert f"'p03' {last.id[:8]}" in said
    cup.direct("tournament", "inbox", "p02", last.id[:8])
    assert sorted(entrant.name for entrant in cup.book().entrants.values()) == ["p02", "p03"]
    assert [paper.text("name") for paper in entries.list_papers(home, cup.book().id)] == ["p01"]


def test_an_entrants_address_is_used_once_the_director_says_yes(entered):
    """The sender's address of a paper is only noted, the entrant's and the director's."""
    assert len(waits(entered)) == 2
    entered.ref.post()
    assert mailed(entered, entered.ref.address) == []
    asked = " ".join(entered.ref.session.referee.list_pending())
    assert (
        "no address of p01 may be used; perhaps p01@example.test (sender of their entry): "
        "'kursk people confirm p01 p01@example.test'"
    ) in asked
    entered.direct("people", "confirm", "--all", "--yes")
    entered.ref.sits()
    for _round in range(3):
        entered.ref.post()
    assert waits(entered) == []
    sent = mailed(entered, entered.ref.address)
    assert sorted(reader for reader, _mail in sent) == ["p01@example.test", "p02@example.test"]
    for reader, mail in sent:
        assert mail["To"] == reader
        assert mail["References"].split()[0] == f"<k1.game.{entered.book().id[:32]}@kursk.invalid>"
        assert mail["Auto-Submitted"] == "auto-generated"
    player = entered.players["p01"]
    people.delete_address(player.friend.home, people.person_of(player.friend.home, entered.ref.friend.public))
    entered.time.now += DAY
    player.post()
    (person,) = [found for found in people.list_people(player.friend.home, ()) if found.name == "director of cup"]
    assert [entry.state for entry in person.addresses] == [people.SEEN]


def test_each_letter_holds_what_its_reader_has_not_shown_to_have(entered):
    """The next letter repeats lost log papers, so no reader waits forever."""
    entered.direct("people", "confirm", "--all", "--yes")
    entered.ref.sits()
    entered.ref.post()
    lost = entered.players["p01"]
    entered.office.boxes[lost.address].clear()
    entered.direct("tournament", "close")
    entered.ref.post()
    entered.time.now += DAY
    day = lost.post()
    assert day.faults == []
    assert events.list_tournaments(lost.friend.home)[0].book.head.id == entered.book().head.id


def test_what_nobody_acknowledged_is_sent_again_after_three_days_and_not_for_ever(time, tmp_path):
    cup = announced(tmp_path, time)
    player = cup.players["p01"]
    player.friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", "p01", "--yes")
    for _day in range(30):
        player.post()
        cup.office.boxes.clear()
        time.now += DAY
    sent = mailed(cup, player.address)
    assert len(sent) == 5
    assert len({mail["Message-ID"] for _reader, mail in sent}) == 5


def test_whoever_has_not_opened_is_reminded_with_all_that_they_lack(entered):
    pair_first_round(entered, "p02")
    entered.office.boxes.clear()
    entered.time.now += 2 * DAY
    day = entered.ref.post()
    assert [line for line in day.done if "reminded" in line] == [
        "cup: reminded p02: type 'kursk post' for round 1 by 2026-09-10 00:00 UTC"
    ]
    entered.time.now += DAY / 2
    entered.players["p02"].post()
    entered.time.now += DAY / 8
    entered.ref.post()
    entered.direct("tournament", "pair")
    assert entered.book().round == 1


def test_T49_what_comes_after_the_end_of_a_tournament_is_neither_signed_nor_kept(time, tmp_path, monkeypatch):
    """After the end the log accepts only corrections. Bug: waiting papers stopped every round."""
    cup = announced(tmp_path, time)
    enters(cup)
    monkeypatch.setattr(plan, "find_hindrance", lambda _book: plan.NO_ROUND)
    cup.direct("tournament", "end")
    path = terms.terms_path(cup.ref.friend.home)
    path.write_text(path.read_text(encoding="utf-8").replace('entries = "ask"', 'entries = "automatic"'), "utf-8")
    cup.ref.sits()
    day = enters(cup, "p02")
    assert [str(error) for error in day.faults] == ["cup has ended; not taken: 2 papers"]
    assert list(entries.list_papers(cup.ref.friend.home, cup.book().id)) == []
    assert cup.ref.post().faults == []


@pytest.mark.parametrize("at", sweeps.some(range(1, 5), 2))
def test_T48_an_entrant_who_was_killed_between_two_papers_takes_the_rest_in_the_next_round(entered, monkeypatch, at):
    """Bug: the log lacked an acknowledged entry, so no paper was read and no draw was opened."""
    close_field(entered, *entered.players)
    player, real, left = entered.players["p01"], store.write_paper, [at]

    def killed(path, paper):
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return real(path, paper)

    with monkeypatch.context() as patch:
        patch.setattr(store, "write_paper", killed)
        with pytest.raises(KeyboardInterrupt):
            player.post()
    player.sits()
    assert "cup: signed automatically: open-0-1" in player.post().done


@pytest.mark.parametrize("damaged", ["folder", "record"])
def test_a_damaged_tournament_is_named_in_each_round_and_mails_wait_for_it(time, tmp_path, damaged):
    cup = announced(tmp_path, time)
    path = cup.folder / "log" / "0000.yaml"
    cup.players["p01"].friend.kursk("tournament", "enter", path, "p01", "--yes")
    cup.players["p01"].post()
    if damaged == "record":
        (path,) = cup.ref.friend.home.glob("tournaments/*/tournament.json")
    whole = path.read_bytes()
    path.write_bytes(b"[]")
    events._load_book.cache_clear()
    cup.ref.sits()
    for _round in range(2):
        cup.time.now += DAY
        assert any("the tournament is stopped" in str(fault) for fault in cup.ref.post().faults)
    path.write_bytes(whole)
    cup.ref.post()
    assert [paper.text("name") for paper in entries.list_papers(cup.ref.friend.home, cup.book().id)] == ["p01"]


@pytest.mark.parametrize("by_cards", sweeps.some([True, False], 2))
def test_the_witness_opens_by_mail(time, tmp_path, by_cards):
    """Directors.md 7: the director and every entrant receive the secret; the director passes on the entrants' cards."""
    cup = Cup(tmp_path, time, players=2)
    wera = cup.comes("wera")
    if by_cards:
        people.save_own(cup.players["p01"].friend.home, cup.players["p01"].address, cards=True)
        for name in ("p01", "p02"):
            people.delete_address(wera.friend.home, people.person_of(wera.friend.home, cup.players[name].friend.public))
    cup.new("--round-robin", "--system", "hex-toy/fords", "--witness", f"{wera.friend.key}.pub")
    wera.friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", "--yes")
    wera.post()
    for name in ("p01", "p02"):
        enters(cup, name)
    cup.direct("tournament", "inbox")
    close_field(cup)
    for _each in range(4):
        cup.ref.post()
        cup.direct("tournament", "pair")
        cup.ref.post()
        cup.time.now += DAY
        wera.post()
    assert cup.book().draws[0].reveal is not None
    assert cup.book().round == 1
    assert len({reader for reader, _mail in mailed(cup, wera.address)}) == (2 if by_cards else 3)
    assert ("No copy of your paper went to p02" in wera.friend.kursk("tournament", "status")) == by_cards


def test_R1_an_unreadable_mail_of_an_entrant_whose_opening_is_due_is_named(entered):
    cup = entered
    for after in (False, True):
        if after:
            close_field(cup)
        mail = attached(plain_letter("Here it comes.\n"), b"7z\xbc\xaf\x27\x1c" + bytes(40), name="opening.7z")
        mail.replace_header("From", "p01@example.test")
        mail.replace_header("Subject", str(after))
        cup.office.put(mail.as_bytes(), cup.ref.address)
        assert ["'opening.7z' is a 7-Zip" in str(fault) for fault in cup.ref.post().faults] == [True] * after
