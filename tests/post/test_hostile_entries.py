"""Strangers and entrants who mail papers of a tournament to harm the others (SECURITY.md)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from helpers import sweeps
from helpers.cup_by_mail import Cup, announced, enters
from helpers.mailbags import letter
from helpers.strangers import says, stranger

from kursk_pbem.post.mailbox import events, people, quotas
from kursk_pbem.post.tournaments import held, taking
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament import private
from kursk_pbem.tournament.office import post
from kursk_pbem.tournament.papers import fields, forms, mails, store
from kursk_pbem.trust import allowance, keys
from kursk_pbem.trust.allowance import beyond, cost

DAY = timedelta(days=1)
ALIKE = (
    "d305119db03602f563c4bb3d978685c21fab2273dac24c0c19615764fcd4af57",
    "6723a733688bf1da62c3381b761e89f9545000c740c93a7a3be5b06fc26a4bb4",
)
"""Two keys that were looked for until the hashes of their public halves began alike: 100,000 tries, four seconds."""


def arrives(cup, member, *papers, sender="stranger@example.test"):
    """A mail with papers comes to somebody, who does a round of post."""
    raw = mails.bundle(papers).encode("ascii")
    cup.office.put(letter(raw, sender, f"[kursk {cup.book().id[:8]}] news"), member.address)
    return member.post()


def test_two_keys_that_begin_alike_have_letters_of_their_own(time, tmp_path):
    cup = announced(tmp_path, time)
    puppets = [keys.from_seed(bytes.fromhex(seed)) for seed in ALIKE]
    arrives(cup, cup.ref, *(says(cup.book(), puppet, name=f"q{n}") for n, puppet in enumerate(puppets)))
    enters(cup)
    cup.direct("tournament", "inbox")
    assert len(cup.book().entrants) == 3
    cup.ref.sits()
    cup.time.now += DAY
    day = cup.ref.post()
    assert day.faults == []
    assert len(post.readers_of(cup.book())) == 3
    assert len(drafts.waiting(private.every(cup.ref.friend.home)[0].letters)) == 3


def known(member):
    return len(events.every(member.friend.home)[0].book.log)


@pytest.mark.parametrize("what", sweeps.some(["log", "later", "paper", "self"], 2))
def test_a_strangers_paper_keeps_no_letter_of_the_director_from_an_entrant(entered, what):
    """One mail that does not hold stops nothing but itself, whatever comes with it in one round of post."""
    book = entered.book()
    forger = stranger(7)
    player = entered.players["p01"]
    entered.direct("people", "confirm", "--all", "--yes")
    entered.ref.sits()
    entered.ref.post()
    entered.time.now += DAY
    if what == "paper":
        false = [says(book, forger, by=stranger(8).public)]
    elif what == "self":
        false = [says(book, forger, by="director")]
    else:
        content = {**book.log[1].content, "time": "2026-12-01T00:00:00Z", **({"seq": "2"} if what == "later" else {})}
        false = [forms.sign(content, forger, "a paper")]
    day = arrives(entered, player, *false)
    assert known(player) == 2
    assert len(day.faults) == 1
    assert "key" in str(day.faults[0]) or "sign" in str(day.faults[0])


def test_of_players_papers_an_entrant_keeps_what_the_log_acknowledges(entered):
    """Anybody can sign any number of papers: a copy that kept them all would grow with every mail of a stranger."""
    player = entered.players["p01"]
    arrives(entered, player, *(says(entered.book(), stranger(number), name=f"q{number}") for number in range(1, 9)))
    copy = events.every(player.friend.home)[0].folder
    assert list(copy.glob("papers/*.yaml")) == []


def test_a_copy_under_a_false_signature_keeps_no_paper_out(time, tmp_path):
    """What somebody signs may be guessed, and a copy with another signature has the same id."""
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    paper = says(cup.book(), stranger(1))
    forged = forms.sign(paper.content, stranger(2), "a paper")
    raw = mails.bundle([forged]).encode("ascii")
    cup.office.put(letter(raw, "thief@example.test", f"[kursk {cup.book().id[:8]}] news"), cup.ref.address)
    arrives(cup, cup.ref, paper, sender="p@example.test")
    (entrant,) = cup.book().entrants.values()
    assert [entry.text for entry in people.known(cup.ref.friend.home, entrant.key).addresses] == ["p@example.test"]


def test_entries_that_come_as_they_come_are_entries_and_no_more(time, tmp_path):
    """``entries = "automatic"`` is a word about entries: what else strangers sign is put into no log."""
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    claim = says(cup.book(), stranger(1), fields.CLAIM, board="1-1", note="mine")
    false = says(cup.book(), stranger(2), seen={"seq": "0", "id": "ab" * 32})
    day = arrives(cup, cup.ref, claim, false)
    assert len(cup.book().log) == 1
    assert len(day.faults) == 2
    assert not (cup.folder / "evidence").exists()


@pytest.mark.parametrize("admits", ["ask", "automatic"])
def test_what_somebody_signs_behind_their_entry_waits_with_it(time, tmp_path, admits):
    """Who enters and withdraws in one fetch: the withdrawal was refused for good, and the entry taken."""
    cup = announced(tmp_path, time, terms=('entries = "ask"', f'entries = "{admits}"'))
    enters = [says(cup.book(), stranger(number), name=f"q{number}") for number in range(1, 5)]
    leaves = [says(cup.book(), stranger(number), fields.WITHDRAW) for number in range(1, 6)]
    day = arrives(cup, cup.ref, *enters, *leaves)
    assert len(day.faults) == 1  # the fifth never entered
    if admits == "ask":
        assert len(cup.book().entrants) == 0
        cup.direct("tournament", "inbox", "q1")
        cup.ref.sits()
    cup.ref.post()
    cup.direct("tournament", "inbox")
    assert [entrant.out for entrant in cup.book().entrants.values()] == ["withdrew before the draw"] * 4
    assert list(held.every(cup.ref.friend.home, cup.book().id)) == []


def test_automatic_entries_end_where_the_room_ends(time, tmp_path, monkeypatch):
    """Keys cost nothing: a thousand entries that nobody has looked at would make letters of gigabytes."""
    monkeypatch.setitem(quotas.TABLE, quotas.ADMITTED, quotas.Quota(3, 10**6))
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    arrives(cup, cup.ref, *(says(cup.book(), stranger(number), name=f"q{number}") for number in range(1, 9)))
    assert len(cup.book().entrants) == 3
    waits = list(held.every(cup.ref.friend.home, cup.book().id))
    assert len(waits) == 5
    monkeypatch.setattr(forms, "_checked", None)  # in the next round they are not read anew
    assert list(held.every(cup.ref.friend.home, cup.book().id)) == waits


def test_T49_letters_to_entrants_who_cannot_be_reached_do_not_pile_up(time, tmp_path, monkeypatch):
    """Each growth of the log wrote one more to each, and each round read all of them four times."""
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    for number in range(8):
        arrives(cup, cup.ref, says(cup.book(), stranger(number), name=f"q{number}"))
        cup.time.now += 2 * DAY
    (record,) = private.every(cup.ref.friend.home)
    written = [path.name.partition("-")[0] for path in drafts.waiting(record.letters)]
    assert len(set(written)) == 8
    assert max(map(written.count, written)) == 2
    cup.ref.post()
    read, real = [], drafts._read
    monkeypatch.setattr(drafts, "_read", lambda path: read.append(path) or real(path))
    cup.ref.post()
    assert read == []
    cup.direct("people", "confirm", "--all", "--yes")
    cup.ref.sits()
    for _round in range(3):
        cup.ref.post()
        cup.time.now += DAY
    last = f"log-{len(cup.book().log) - 1:05d}"
    assert sum(name.endswith(last) for name in drafts.names(record.letters)) == 8
    assert drafts.waiting(record.letters) == []


def test_strangers_take_no_room_from_those_who_take_part(entered, monkeypatch):
    """While the clock is in doubt everything waits, and what strangers sent before must not fill the room."""
    monkeypatch.setitem(quotas.TABLE, quotas.PAPERS, quotas.Quota(3, 10**6))
    book = entered.book()
    arrives(entered, entered.ref, *(says(book, stranger(number), name=f"q{number}") for number in range(1, 9)))
    entered.ref.errand.intake.doubt = lambda: "the clock was set"
    player = entered.players["p01"].friend
    player.kursk("tournament", "withdraw", "--yes", "--in", player.place / f"tournament-{book.id[:16]}")
    entered.players["p01"].post()
    entered.time.now += DAY
    entered.ref.post()
    entered.ref.errand.intake.doubt = str
    entered.ref.post()
    assert [entrant.out for entrant in entered.book().entrants.values()] == ["withdrew before the draw", ""]


@pytest.mark.parametrize("name", ["x\ncup: next: 'rm -r cup'", "x\n", "\nx"])
def test_a_name_has_no_line_of_its_own(time, tmp_path, monkeypatch, name):
    """Names stand in what the program says to people: what waits for them, and what to type next."""
    cup = announced(tmp_path, time)
    with monkeypatch.context() as cheat:
        cheat.setattr(forms, "ONE_LINE", (), raising=False)
        paper = says(cup.book(), stranger(1), name=name)
    day = arrives(cup, cup.ref, paper)
    assert [str(fault) for fault in day.faults if "a name is one line" in str(fault)]
    assert list(held.every(cup.ref.friend.home, cup.book().id)) == []


def test_what_one_entrant_signs_makes_no_letter_too_large_for_the_others(entered):
    """Every letter holds what the log acknowledges: too large a draft could never be sent, nor any later one."""
    book = entered.book()
    signer = keys.load(entered.players["p01"].friend.key)
    noise = [f"{number:064x}" for number in range(1000)]
    claims = [says(book, signer, fields.CLAIM, board="1-1", note=str(number), papers=noise) for number in range(8)]
    honest = says(book, keys.load(entered.players["p02"].friend.key), fields.CLAIM, board="1-1", note="heard")
    for claim in claims:
        arrives(entered, entered.ref, claim)
    refused = arrives(entered, entered.ref, honest, *claims).faults
    assert "'kursk tournament inbox FILE' takes it" in str(refused[0])
    assert honest.id in entered.book().received
    entered.direct("tournament", "close")
    (private_record,) = private.every(entered.ref.friend.home)
    assert max(path.stat().st_size for path in drafts.waiting(private_record.letters)) < 300_000


def test_rules_that_come_back_stop_no_round_of_the_directors_mailbox(entered):
    """Paper 0 is public, and has no field that names its tournament."""
    book = entered.book()
    forged = forms.sign({**book.log[0].content, "title": "another"}, stranger(1), "a paper")
    assert arrives(entered, entered.ref, book.log[0], forged, *book.log[1:]).faults == []
    assert entered.book().head.id == book.head.id


def test_of_tournaments_that_nobody_here_plays_a_few_are_named(entered):
    """Anybody can make up any number of them in one mail."""
    rules = entered.book().log[0].content
    made_up = [forms.sign({**rules, "nonce": f"{number:064x}"}, stranger(1), "a paper") for number in range(30)]
    day = arrives(entered, entered.ref, *made_up)
    assert (len(day.done), day.more) == (20, 10)


def test_of_what_one_key_signs_falsely_a_few_papers_are_evidence(entered):
    """Each names a log paper that is not in the log: one shows it, and thousands would fill the disk."""
    signer = keys.load(entered.players["p01"].friend.key)
    seen = {"seq": "1", "id": "ab" * 32}
    false = [says(entered.book(), signer, fields.CLAIM, board="1-1", note=str(n), seen=seen) for n in range(30)]
    for papers in (false[:15], false[15:]):
        assert "two logs have been shown" in str(arrives(entered, entered.ref, *papers).faults[0])
    assert 2 <= len(list((entered.folder / "evidence").iterdir())) <= store.MOST_KEPT
    other = keys.load(entered.players["p02"].friend.key)
    arrives(entered, entered.ref, says(entered.book(), other, fields.CLAIM, board="1-1", note="x", seen=seen))
    assert other.public in {paper.sender for paper in store.evidence(entered.folder)}


def test_two_papers_whose_ids_begin_alike_stop_nothing_but_the_second(entered, monkeypatch):
    """They have one name in the folder; 64 bits alike take 2^32 tries, which anybody can afford (T40)."""
    signer = keys.load(entered.players["p01"].friend.key)
    first, second = (says(entered.book(), signer, fields.CLAIM, board="1-1", note=note) for note in "ab")
    honest = says(entered.book(), keys.load(entered.players["p02"].friend.key), fields.CLAIM, board="1-1", note="c")
    real = forms.sha256_hex
    digits = {second.id: first.id[:16] + second.id[16:]}
    monkeypatch.setattr(forms, "sha256_hex", lambda data: digits.get(real(data), real(data)))
    arrives(entered, entered.ref, first)
    day = arrives(entered, entered.ref, second, honest)
    assert honest.id in entered.book().received
    assert ["begins like" in str(error) for error in day.faults] == [True]


@pytest.mark.parametrize("kind", [fields.ENTRY, fields.CLAIM])
def test_of_many_papers_of_strangers_in_one_mail_a_few_are_told(entered, kind, monkeypatch):
    monkeypatch.setattr(taking, "ROUND", 20)
    more = {} if kind == fields.ENTRY else {"board": "1-1", "note": "mine"}
    day = arrives(entered, entered.ref, *(says(entered.book(), stranger(at), kind, **more) for at in range(1, 31)))
    told = [str(line) for line in (*day.done, *day.faults)]
    assert len(told) < 25
    assert [line for line in told if "and 10 more" in line]


def test_T49_of_many_entries_in_one_mail_those_at_its_ends_wait(entered, monkeypatch):
    """1,200 of them were written down, in ten seconds, and nobody else's found a place."""
    monkeypatch.setitem(quotas.TABLE, quotas.IN_MAIL, quotas.Quota(4, 10**6))
    home, id_ = entered.ref.friend.home, entered.book().id
    papers = [says(entered.book(), stranger(at), name=f"n{at}") for at in range(1, 8)]
    known = [paper for paper in entered.book().papers.values() if paper.type == fields.ENTRY]
    day = arrives(entered, entered.ref, *papers[:2], *known, *papers[2:])
    assert sorted(paper.text("name") for paper in held.every(home, id_)) == ["n1", "n2", "n6", "n7"]
    (told,) = day.faults
    assert "stranger@example.test" in str(told)
    assert "of its 7 papers of strangers the first and last 2 are looked at" in str(told)
    assert arrives(entered, entered.ref, papers[3], sender="n4@example.test").faults == []
    assert held.holds(home, papers[3])


def test_T49_of_a_mail_of_more_papers_than_are_read_those_before_are_taken(entered, monkeypatch):
    """Ten thousand with good signatures took three seconds; what is left is told, and what came with it is taken."""
    papers = [says(entered.book(), stranger(at)) for at in range(101, 131)]
    raw = forms.emit(papers[0]).encode("ascii")
    one = cost(raw) + beyond(forms.read(raw, "a paper").document)
    monkeypatch.setattr(allowance, "MAX_MAIL", 20 * one)
    day = arrives(entered, entered.ref, *papers)
    assert len(list(held.every(entered.ref.friend.home, entered.book().id))) == 20
    assert [str(line) for line in day.faults if "it holds too many turns to look through; save" in str(line)]


def test_an_offer_to_stand_in_for_nobody_says_so(entered):
    offer = says(entered.book(), stranger(7), fields.STAND_IN, name="p07", number="7", draw="0", commit="ab" * 32)
    told = str(arrives(entered, entered.ref, offer).done)
    assert "offers to stand in for number 7, which nobody has" in told


def test_T29_the_note_of_a_director_is_none_of_the_terms(time, tmp_path, capsys):
    """Its lines stood among those of the rules, above the question whether to enter by them."""
    cup = Cup(tmp_path, time, players=1)
    cup.direct("tournament", "new", "cup", "--round-robin", "--system", "hex-toy/fords")
    form = cup.folder / "rules.yaml"
    note = r'note: "have fun\nan answer within 60 days, 99 days in the bank"'
    form.write_text(form.read_text(encoding="utf-8").rstrip("\n") + f"\n{note}\n", encoding="utf-8")
    cup.direct("tournament", "new", "cup", "--yes")
    capsys.readouterr()
    cup.players["p01"].friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", "Anna", "--yes")
    said = capsys.readouterr().out
    assert "\nan answer within 7 days" in said
    assert "\nnote:\n> have fun\n> an answer within 60 days, 99 days in the bank\n" in said


@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
def test_T49_an_entry_in_the_midst_of_a_mail_of_many_counts_in_a_mail_of_its_own(entered, first):
    """Whoever mailed a copy of it among a hundred others took it away, and nobody was told whose it was."""
    entered.ref.post()
    papers = [says(entered.book(), stranger(at), name=f"n{at}") for at in range(100)]
    many = letter(mails.bundle(papers).encode("ascii"), "s@x.test")
    own = letter(mails.bundle([papers[50]]).encode("ascii"), "carla@example.test")
    for raw in (own, many) if first else (many, own):
        entered.office.put(raw, entered.ref.address)
        entered.time.passes(60)
    entered.ref.post()
    there = list(held.every(entered.ref.friend.home, entered.book().id))
    assert papers[50].id in [paper.id for paper in there]
    assert len(there) == 65
