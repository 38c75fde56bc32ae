"""Chapter 11: lies of a director, numbers 13 to 20, visible in the log and the papers."""

from __future__ import annotations

import pytest
from helpers.ledger import Ledger, key_of

from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.tournament.papers import fields, forms, store
from kursk_pbem.tournament.proof import choices, equivocation, verify
from kursk_pbem.tournament.score import table
from tournament.lying import drawn_for_two, due, first_round, found


def test_L13_points_changed_on_the_way(tmp_path):
    """Standings with different awards than paper 0, and a changed paper 0, which changes the tournament's name."""
    ledger = first_round()
    ledger.results()
    generous = first_round(award={"win": ["6", "0"], "draw": ["2", "2"], "forfeit": ["4", "0"], "bye": ["4"]})
    generous.results()
    plain = {**table.compute_standings(generous.book).to_plain(), "tournament": ledger.book.id}
    lie = ledger.lie(fields.STANDINGS, {"round": "1", "sha256": sha256_hex(canon(plain))})
    found(ledger, tmp_path, lie, "sha256", "the table after round 1")
    ledger.book.log[0] = generous.book.log[0]
    proof = verify.verify_tournament(ledger.save(tmp_path / "other"))
    assert (proof.status, proof.paper, proof.place) == (3, "log/0001.yaml", "tournament")


def test_L16_a_withdrawal_invented(tmp_path):
    ledger = first_round()
    ledger.receive(ledger.player(fields.WITHDRAW, "anna", {}))
    other = next(number for number in "123456" if number != ledger.of("anna").number)
    said = {"number": other, "why": "their own word", "papers": [ledger.book.head.texts("papers")[0]]}
    found(ledger, tmp_path, ledger.lie(fields.WITHDRAWN, said), "papers/0", "no withdrawal by number")


def test_L16_a_withdrawal_for_missed_rounds_that_were_not_missed(tmp_path):
    ledger = first_round()
    lie = ledger.lie(fields.WITHDRAWN, {"number": "1", "why": "missed rounds"})
    found(ledger, tmp_path, lie, "number", "has missed 0 rounds, not 2")


def test_L16_a_change_of_key_that_only_one_key_signed(tmp_path):
    ledger = first_round()
    said = {"new": key_of("thief").public, "draw": "1", "commit": "7" * 64}
    paper = ledger.player(fields.NEW_KEY, "anna", said, new=key_of("boris"))
    ledger.book.papers[paper.id] = paper
    ledger.lie(fields.RECEIVED, {"papers": [paper.id]})
    proof = verify.verify_tournament(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.paper) == (3, f"papers/{paper.id[:16]}.yaml")
    assert "does not fit" in proof.text


def test_L16_a_change_of_key_of_somebody_else(tmp_path):
    ledger = first_round()
    said = {"new": key_of("thief").public, "draw": "1", "commit": "7" * 64}
    ledger.receive(ledger.player(fields.NEW_KEY, "anna", said, new=key_of("thief")))
    other = next(number for number in "123456" if number != ledger.of("anna").number)
    lie = ledger.lie(fields.KEY, {"number": other, "paper": ledger.book.head.texts("papers")[0]})
    found(ledger, tmp_path, lie, "paper", "no change of key by number")


def agreement(ledger, name, winner="german", head="c" * 64):
    board = ledger.book.boards["1-1"]
    said = {"board": "1-1", "game": board.game, "head": head, "winner": winner}
    return ledger.player(fields.AGREE, name, said)


def test_L16_an_agreement_that_only_one_signed(tmp_path):
    ledger = first_round()
    board = ledger.book.boards["1-1"]
    ledger.game("1-1")
    one, other = (ledger.name_of(ledger.book.entrant(number)) for number in board.numbers)
    mine, theirs = agreement(ledger, one), agreement(ledger, other, "russian")
    ledger.receive(mine, theirs)
    said = {
        "board": "1-1",
        "by": "agree",
        "winner": "german",
        "why": "the players agreed",
        "papers": [mine.id, theirs.id],
    }
    lie = ledger.lie(fields.JUDGED, {**said, "game": board.game, "head": "c" * 64})
    found(ledger, tmp_path, lie, "papers", "no equal papers")


def judgement(ledger, **said):
    board = ledger.book.boards["1-1"]
    usual = {
        "board": "1-1",
        "game": board.game or ledger.game("1-1"),
        "head": "c" * 64,
        "winner": "german",
        "why": "so",
    }
    return ledger.lie(fields.JUDGED, {**usual, **said})


def test_L17_a_judgement_before_its_time(tmp_path):
    ledger = first_round()
    found(ledger, tmp_path, judgement(ledger, by="word"), "time", "round 1 ends at 2027-04-01")


def test_L17_a_word_where_points_come_first(tmp_path):
    ledger = first_round()
    ledger.later(91)
    found(ledger, tmp_path, judgement(ledger, by="word", margin="-3"), "by", "points come before word")


def test_L17_points_within_the_threshold(tmp_path):
    ledger = first_round()
    ledger.later(91)
    found(
        ledger, tmp_path, judgement(ledger, by="points", margin="-3"), "winner", "by the margin the winner is russian"
    )


@pytest.mark.parametrize(("margin", "winner"), [("3", "draw"), ("-3", "draw"), ("4", "german"), ("-4", "russian")])
def test_L17_a_margin_at_the_threshold_is_a_draw(margin, winner, tmp_path):
    """6.4: a margin above the threshold wins."""
    ledger = first_round(terms={**TERMS, "threshold": "3"}).later(91)
    false = "german" if winner == "draw" else "draw"
    lie = judgement(ledger, by="points", margin=margin, winner=false)
    found(ledger, tmp_path, lie, "winner", f"by the margin the winner is {winner}")


def test_L17_a_board_adjourned_twice(tmp_path):
    ledger = first_round(terms={**TERMS, "adjourn": "yes"}).later(91)
    said = {"board": "1-1", "by": "adjourned", "winner": "draw", "why": "so"}
    ledger.sign(fields.JUDGED, {**said, "game": ledger.game("1-1"), "head": "c" * 64})
    found(ledger, tmp_path, judgement(ledger, by="adjourned", winner="draw"), "by", "board 1-1 is adjourned already")


def test_L17_the_choices_of_a_director_are_named_and_agreements_are_not():
    """Chapter 7: verify names judgements, but not the judgements that follow from papers of players."""
    ledger = first_round()
    one, other, third = ledger.book.boards.values()
    ledger.game("1-1")
    ledger.receive(*(agreement(ledger, ledger.name_of(ledger.book.entrant(number))) for number in one.numbers))
    papers = ledger.book.head.texts("papers")
    said = {"winner": "german", "why": "so", "head": "c" * 64}
    ledger.sign(fields.JUDGED, {**said, "board": "1-1", "by": "agree", "game": one.game, "papers": papers})
    ledger.receive(ledger.player(fields.WITHDRAW, ledger.name_of(ledger.book.entrant(other.numbers[1])), {}))
    papers = ledger.book.head.texts("papers")
    ledger.sign(fields.WITHDRAWN, {"number": other.numbers[1], "why": "their word", "papers": papers})
    ledger.sign(fields.JUDGED, {"board": other.name, "by": "withdrawn", "winner": next(iter(other.sides)), "why": "so"})
    ledger.game(third.name)
    ledger.later(91)
    ledger.sign(fields.JUDGED, {**said, "board": third.name, "by": "word", "game": third.game})
    assert choices.list_choices(ledger.book, []) == [f"{ledger.book.head.name}: board {third.name} was judged by word"]


def test_L16_a_key_changed_in_an_open_draw(tmp_path):
    """A director who knows the seed must not choose the keys that enter it."""
    ledger = first_round()
    ledger.end_round()
    said = {"new": key_of("anna again").public, "draw": "2", "commit": "7" * 64}
    ledger.close()
    ledger.receive(ledger.player(fields.NEW_KEY, "anna", said, new=key_of("anna again")))
    lie = ledger.lie(fields.KEY, {"number": ledger.of("anna").number, "paper": ledger.book.head.texts("papers")[0]})
    found(ledger, tmp_path, lie, "paper", "lots are open")


def test_L17_a_word_against_what_both_agreed_on(tmp_path):
    ledger = first_round()
    ledger.game("1-1")
    for number in ledger.book.boards["1-1"].numbers:
        ledger.receive(agreement(ledger, ledger.name_of(ledger.book.entrant(number)), "russian"))
    ledger.later(91)
    found(ledger, tmp_path, judgement(ledger, by="word"), "by", "the players have agreed")


def test_L17_a_way_that_paper_0_does_not_list(tmp_path):
    ledger = first_round()
    ledger.later(91)
    found(
        ledger, tmp_path, judgement(ledger, by="draw", winner="draw"), "by", "paper 0 decides unfinished games by agree"
    )


def test_L17_a_director_who_plays_judges_their_own_game(tmp_path):
    form = {"assistants": [key_of("assistant").public], "terms": {**TERMS, "ends": ["word"]}}
    ledger = Ledger(form=form).begin(["director", "boris"])
    ledger.later(91)
    found(ledger, tmp_path, judgement(ledger, by="word"), "papers", "no assistant has signed")


TERMS = {
    "days": "7",
    "bank": "21",
    "holidays": "21",
    "begin": "14",
    "answers": "7",
    "round": "90",
    "missed": "2",
    "ends": ["agree", "points", "word"],
    "threshold": "0",
    "adjourn": "no",
}


def test_L17_an_assistant_judges_the_game_of_a_director_who_plays(tmp_path):
    form = {"assistants": [key_of("assistant").public], "terms": {**TERMS, "ends": ["word"]}}
    ledger = Ledger(form=form).begin(["director", "boris"])
    board = ledger.book.boards["1-1"]
    game = ledger.game("1-1")
    said = {"board": "1-1", "game": game, "head": "c" * 64, "winner": "german", "note": "the German is ahead"}
    ledger.receive(ledger.player(fields.RULING, "assistant", said))
    ledger.later(91)
    ruling = ledger.book.head.texts("papers")
    judged = {"board": "1-1", "by": "word", "winner": "german", "why": "so", "papers": ruling, "game": game}
    ledger.sign(fields.JUDGED, {**judged, "head": "c" * 64})
    assert board.decided
    assert tmp_path


def rewritten(ledger, seq, **changes):
    """Change one log paper and sign all later papers again; players' papers stay."""
    old = ledger.book.log[seq:]
    del ledger.book.log[seq:]
    for paper in old:
        head = ("kursk-tournament", "type", "tournament", "seq", "prev", "from", "time")
        said = {name: value for name, value in paper.content.items() if name not in head}
        ledger.lie(paper.type, {**said, **(changes if paper is old[0] else {})}, paper.text("time"))


def test_L18_history_rewritten(tmp_path):
    """A past clock gets a new reason, and all later papers are signed again: players' papers contradict the log."""
    ledger = first_round()
    ledger.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    ledger.end_round()
    ledger.open_field()
    seq = next(paper.seq for paper in ledger.book.log if paper.type == fields.CLOCK)
    rewritten(ledger, seq, days="4")
    proof = verify.verify_tournament(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.place) == (3, "seen")
    assert proof.paper.startswith("papers/")
    assert "two logs exist" in proof.text


def test_L18_a_log_paper_exchanged_alone(tmp_path):
    ledger = first_round()
    ledger.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    ledger.results()
    seq = next(paper.seq for paper in ledger.book.log if paper.type == fields.CLOCK)
    tail = ledger.book.log[seq + 1 :]
    del ledger.book.log[seq:]
    ledger.lie(fields.CLOCK, {"who": "all", "days": "4", "why": "Christmas"})
    ledger.book.log += tail
    proof = verify.verify_tournament(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.paper, proof.place) == (3, f"log/{seq + 1:04d}.yaml", "prev")


def test_L18_a_correction_that_names_another_paper(tmp_path):
    ledger = first_round()
    ledger.results()
    seq = ledger.book.boards["1-1"].outcome.seq
    old = ledger.book.log[seq]
    now = {name: old.content[name] for name in ("board", "game", "head", "how")}
    said = {"corrects": str(seq), "id": "0" * 64, "now": {**now, "winner": "russian"}, "why": "a slip"}
    found(ledger, tmp_path, ledger.lie(fields.CORRECT, said), "id", f"log paper {seq} is {old.id[:16]}")


def test_L18_a_result_given_twice_without_a_correction(tmp_path):
    ledger = first_round()
    ledger.results()
    old = ledger.book.log[ledger.book.boards["1-1"].outcome.seq]
    said = {name: old.content[name] for name in ("board", "game", "head", "how")}
    lie = ledger.lie(fields.RESULT, {**said, "winner": "russian"})
    found(ledger, tmp_path, lie, "board", "only a correction")


def test_L19_two_logs_for_two_groups(tmp_path):
    """A reader kept a paper of the second log: it is void, and the time that it gives is missing."""
    one, other = first_round(), first_round()
    one.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    second = other.sign(fields.CLOCK, {"who": "all", "days": "4", "why": "Christmas"})
    folder = one.save(tmp_path / "spring")
    store.keep_evidence(folder, second)
    kept = store.evidence_path(folder, second)
    assert verify.verify_tournament(folder).status == 1
    assert equivocation.compare_logs([folder]).pair is None
    forged = forms.sign_paper(dict(second.content) | {"why": "forged"}, key_of("thief"), "x")
    kept.unlink()
    store.keep_evidence(folder, forged)
    assert verify.verify_tournament(folder).status == 0


def test_L19_players_who_saw_another_log(tmp_path):
    one, other = first_round(), first_round()
    one.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    other.sign(fields.CLOCK, {"who": "all", "days": "4", "why": "Christmas"})
    claim = other.player(fields.CLAIM, "anna", {"board": "1-1", "note": "what of my game?"})
    one.book.papers[claim.id] = claim
    proof = verify.verify_tournament(one.save(tmp_path / "spring"))
    assert (proof.status, proof.paper, proof.place) == (3, f"papers/{claim.id[:16]}.yaml", "seen")


def test_L19_a_log_cut_short(tmp_path):
    ledger = first_round()
    ledger.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    claim = ledger.player(fields.CLAIM, "anna", {"board": "1-1", "note": "what of my game?"})
    ledger.book.papers[claim.id] = claim
    del ledger.book.log[-1]
    proof = verify.verify_tournament(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.place) == (3, "seen")
    assert "but this log ends with paper" in proof.text


def test_L20_false_sums(tmp_path):
    ledger = first_round()
    ledger.results()
    plain = table.compute_standings(ledger.book).to_plain()
    plain["rows"][5]["points"] = "5"
    lie = ledger.lie(fields.STANDINGS, {"round": "1", "sha256": sha256_hex(canon(plain))})
    found(ledger, tmp_path, lie, "sha256", "the table after round 1 has the hash")


def test_L20_an_end_before_the_end(tmp_path):
    ledger = first_round()
    ledger.results()
    said = {"sha256": table.compute_standings(ledger.book).sha256, "played": "3"}
    found(ledger, tmp_path, ledger.lie(fields.END, said), "type", "the tournament is not over")


@pytest.mark.parametrize("kind", [fields.ROUND, fields.CLOCK])
def test_log_times_never_run_backwards(kind, tmp_path):
    """Step a: no log paper is older than its predecessor."""
    ledger = drawn_for_two()
    said = due(ledger) if kind == fields.ROUND else {"who": "all", "days": "1", "why": "x"}
    lie = ledger.lie(kind, said, "2026-12-31T23:59:59Z")
    found(ledger, tmp_path, lie, "time", "the time is before")
