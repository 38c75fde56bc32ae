"""Lies of a director who signs two lines of a log (docs/directors.md 11).

The lies were chosen before ``verify`` was written:

 1. a second field without an entrant, after the openings were known;
 2. a second field with another commitment of a friend, whose secret was searched;
 3. a second field after a wish that only one line acknowledges;
 4. a draw closed a second time without an opening;
 5. a draw without the witness's secret, after a draw with it;
 6. a draw with another commitment of the director to the next draw;
 7. a board judged a second time, after the log knew the first judgement;
 8. a board judged a second time, and nobody has named the first judgement;
 9. granted time that the log takes back on another line;
10. an opening acknowledged to its writer alone, known to the log, and left out of the draw;
11. the same, and the log does not know the other line;
12. a void paper that the director withholds;
13. a line named by a player, which the log does not call void;
14. a false paper on a void line, as a trial.

An honest director who lost papers and signs equal matter again is no liar.
"""

from __future__ import annotations

import pytest
from helpers.ledger import Ledger, key_of

from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.papers import fields, mails, store
from kursk_pbem.tournament.proof import equivocation, verify
from tournament.lying import NAMES, drawn_for_two, draws_twice, due, first_round, fork, name_void, proves, tell_time


def convicts(main, folder, other, kind):
    proof = proves(main, folder, other)
    assert proof.status == 3, proof.text
    assert f"two papers of different matter, {kind}" in proof.text
    outcome = equivocation.compare_logs([folder])
    assert "is convicted" in outcome.text
    (folder.parent / "proof.yaml").write_text(mails.bundle_papers(outcome.proof), encoding="ascii")
    again = equivocation.compare_logs([folder.parent / "proof.yaml"])
    assert {paper.id for paper in again.pair} == {paper.id for paper in outcome.pair}
    return proof


def entered(names=NAMES, **form):
    return Ledger(form=form).enter(names)


def claims(ledger, name="anna"):
    """Return a paper of a player that names the newest log paper, for everybody."""
    return ledger.player(fields.CLAIM, name, {"board": "1-1", "note": "what of my game?"})


def test_an_honest_director_signs_equal_matter_again(tmp_path):
    """The restored director loses ``field``, ``closed`` and ``drawn``, which others have named."""
    main = entered()
    other = fork(main)
    for line in (other, main):
        line.close()
        line.later(1)
    other.open_all()
    other.draw()
    said = name_void(main, other)
    main.sign(fields.RECEIVED, {"papers": [*other.book.received][len(NAMES) :], **said})
    main.draw()
    main.pair()
    proof = proves(main, tmp_path / "spring", other)
    assert (proof.status, proof.missing) == (0, ()), proof
    assert other.book.draws[0].seed == main.book.draws[0].seed
    assert "no conviction" in equivocation.compare_logs([tmp_path / "spring"]).text


def test_F1_a_field_without_an_entrant(tmp_path):
    main, other = draws_twice()
    convicts(main, tmp_path / "spring", other, "field of lots 0")


def test_F2_a_searched_commitment_of_a_friend(tmp_path):
    main = entered(NAMES[:-1])
    other = fork(main)
    for line, more in ((other, {}), (main, {"guest": "no"})):
        line.receive(line.entry("fedor", **more))
        line.close()
    other.open_all()
    tell_time(main, other)
    main.open_all()
    convicts(main, tmp_path / "spring", other, "field of lots 0")


def test_F3_a_wish_on_one_line(tmp_path):
    main = first_round()
    main.end_round()
    other = fork(main)
    other.receive(other.wish("eva", "no", 1))
    for line in (other, main):
        line.close()
    other.open_all()
    tell_time(main, other)
    main.open_all()
    convicts(main, tmp_path / "spring", other, "field of lots 1")


def test_F4_an_opening_left_out(tmp_path):
    main = entered()
    main.close()
    other = fork(main)
    other.open_all()
    other.close_draw()
    main.open_all(silent=["eva"])
    main.close_draw()
    late = claims(other)
    tell_time(main, other)
    main.receive(late)
    main.draw()
    convicts(main, tmp_path / "spring", other, "closed of lots 0")


def test_F5_a_draw_without_the_witness(tmp_path):
    main = Ledger(form={"witness": key_of("witness").public}).enter(NAMES)
    main.receive(main.witness(0))
    main.open_field()
    main.close_draw()
    other = fork(main)
    other.receive(other.reveal(0))
    other.draw()
    late = claims(other)
    main.later(8)
    main.draw()
    tell_time(main, other)
    main.receive(late)
    convicts(main, tmp_path / "spring", other, "drawn of lots 0")


def test_F6_another_commitment_to_the_next_draw(tmp_path):
    main = entered()
    main.open_field()
    main.close_draw()
    other = fork(main)
    main.draw()
    said = {name: main.book.head.content[name] for name in ("draw", "open")}
    other.sign(fields.DRAWN, {**said, "commit": "6" * 64})
    late = claims(other)
    tell_time(main, other)
    main.receive(late)
    convicts(main, tmp_path / "spring", other, "drawn of lots 0")


def judge(ledger, winner):
    game = {"game": ledger.book.boards["1-1"].game, "head": "a" * 64}
    said = {"board": "1-1", "by": "word", "winner": winner, "why": "they played well", **game}
    return ledger.sign(fields.JUDGED, said)


def judged_twice():
    main = first_round(terms={**Ledger().book.rules.paper.said("terms"), "ends": ["word"]})
    main.game("1-1")
    main.later(120)
    other = fork(main)
    judge(other, "german")
    return main, other


def test_F7_a_judgement_replaced_without_a_correction(tmp_path):
    main, other = judged_twice()
    late = claims(other)
    tell_time(main, other)
    main.receive(late)
    judge(main, "russian")
    proof = proves(main, tmp_path / "spring", other)
    assert (proof.status, proof.paper) == (3, main.book.head.name), proof
    assert "needed a correction" in proof.text


def test_F8_a_second_judgement_that_nobody_named(tmp_path):
    main, other = judged_twice()
    judge(main, "russian")
    proof = proves(main, tmp_path / "spring", other)
    assert proof.status == 1
    assert any("decides board 1-1 otherwise" in missing for missing in proof.missing)


def test_F9_time_granted_and_taken_back(tmp_path):
    main = first_round()
    other = fork(main)
    other.sign(fields.CLOCK, {"who": "all", "days": "9", "why": "Christmas"})
    tell_time(main, other)
    proof = proves(main, tmp_path / "spring", other)
    assert proof.status == 1
    assert any("gives time (who: all), but this log does not" in missing for missing in proof.missing)


def told_alone():
    """Return two lines: the other acknowledges the opening of Eva, to Eva alone."""
    main = entered()
    main.open_field(silent=["eva"])
    other = fork(main)
    other.receive(other.opening("eva", 0))
    return main, other


def test_F10_an_opening_left_out_that_the_log_knew(tmp_path):
    main, other = told_alone()
    tell_time(main, other)
    main.close_draw()
    proof = proves(main, tmp_path / "spring", other)
    assert proof.status == 3
    assert "acknowledged the reveal of eva: the log knew it, and left the paper out" in proof.text


def test_F11_an_opening_left_out_that_the_log_did_not_know(tmp_path):
    main, other = told_alone()
    main.close_draw()
    proof = proves(main, tmp_path / "spring", other)
    assert proof.status == 1
    assert any("acknowledged the reveal of eva; this log acknowledged" in missing for missing in proof.missing)


def test_F12_a_void_paper_withheld(tmp_path):
    main = first_round()
    other = fork(main)
    other.sign(fields.CLOCK, {"who": "all", "days": "9", "why": "Christmas"})
    tell_time(main, other)
    proof = verify.verify_tournament(main.save(tmp_path / "spring"))
    assert proof.status == 1
    assert "is missing: ask the director for the paper" in proof.text


def test_F13_a_line_that_the_log_does_not_call_void():
    main = first_round()
    other = fork(main)
    other.sign(fields.CLOCK, {"who": "all", "days": "9", "why": "Christmas"})
    main.sign(fields.CLOCK, {"who": "all", "days": "1", "why": "Christmas"})
    with pytest.raises(FalsePaperError, match="two logs exist"):
        main.receive(claims(other))


def test_F14_a_false_paper_on_a_void_line(tmp_path):
    main = drawn_for_two()
    other = fork(main)
    said = due(other)
    one, second = (pair["sides"] for pair in said["pairs"][:2])
    one["russian"], second["russian"] = second["russian"], one["russian"]
    lie = other.lie(fields.ROUND, said)
    main.pair()
    proof = proves(main, tmp_path / "spring", other)
    assert (proof.status, proof.place) == (3, "pairs/0"), proof
    assert proof.paper == f"evidence/{store.evidence_path(tmp_path, lie).name}"
