"""Chapter 11: lies of a director that the log and the papers show by themselves. Each test bears the number of its lie.

The director signs every lie with the right key; ``verify`` must name the paper and the field.
"""

from __future__ import annotations

import pytest
from helpers.ledger import Ledger, key_of

from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.tournament.book import draws, plan, rounds
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers import folder as folders
from kursk_pbem.tournament.papers import paper as papers
from kursk_pbem.tournament.proof import equivocation, verify
from kursk_pbem.tournament.score import table

NAMES = ("anna", "boris", "carla", "dmitri", "eva", "fedor")


def first_round(names=NAMES, **form):
    return Ledger(form=form).begin(names)


def drawn_for_two(names=NAMES, **form):
    """Round 1 is played, draw 1 is drawn: the pairing of round 2 comes next."""
    ledger = first_round(names, **form)
    ledger.results()
    ledger.announce()
    ledger.close()
    ledger.open_all()
    ledger.draw()
    return ledger


def due(ledger):
    """What the honest pairing would say."""
    given = plan.given(ledger.book)
    return rounds.due(ledger.book, given, solving.solve(given), ledger.now()).fields


def found(ledger, tmp_path, paper, place, words):
    """Verify finds this and no other fault first."""
    proof = verify.verify(ledger.save(tmp_path / "spring"))
    assert proof.status == 3, proof.text
    assert (proof.paper, proof.place) == (paper.name, place), proof.text
    assert words in proof.text
    return proof


def test_honest_folders_are_verified(tmp_path):
    ledger = drawn_for_two()
    ledger.pair()
    assert verify.papers_hold(verify.folders.load(ledger.save(tmp_path / "spring"))).round == 2


def test_L1_opponents_exchanged_in_a_pairing(tmp_path):
    ledger = drawn_for_two()
    said = due(ledger)
    one, other = (pair["sides"] for pair in said["pairs"][:2])
    one["russian"], other["russian"] = other["russian"], one["russian"]
    found(ledger, tmp_path, ledger.lie(fields.ROUND, said), "pairs/0", "board 2-1 must be german")


def test_L2_sides_exchanged(tmp_path):
    ledger = drawn_for_two()
    said = due(ledger)
    sides = said["pairs"][1]["sides"]
    sides["german"], sides["russian"] = sides["russian"], sides["german"]
    found(ledger, tmp_path, ledger.lie(fields.ROUND, said), "pairs/1", "board 2-2 must be german")


def test_L3_those_who_have_met_paired_again(tmp_path):
    ledger = drawn_for_two()
    said = due(ledger)
    for pair, again in zip(said["pairs"], ledger.book.log[ledger.book.rounds[0].seq].said("pairs"), strict=True):
        pair["sides"] = again["sides"]
    found(ledger, tmp_path, ledger.lie(fields.ROUND, said), "pairs/0", "must be")


def test_L3_a_round_drawn_before_the_last_one_was_complete(tmp_path):
    ledger = first_round()
    ledger.result("1-1")
    lie = ledger.lie(fields.FIELD, {"draw": "1", "entrants": draws.due_field(ledger.book)})
    found(ledger, tmp_path, lie, "draw", "board 1-2 is not decided")


def test_L3_a_pairing_from_other_points(tmp_path):
    """The input differs: results that nobody logged, or a seed that nobody drew."""
    ledger = drawn_for_two()
    said = due(ledger)
    given = plan.given(ledger.book)
    given["players"][0]["points"] = "9"
    found(
        ledger, tmp_path, ledger.lie(fields.ROUND, {**said, "input": plan.sha256(given)}), "input", "points, meetings"
    )


def test_L4_a_game_left_out(tmp_path):
    ledger = first_round()
    ledger.result("1-1")
    ledger.result("1-3")
    sha256 = table.standings(ledger.book).sha256
    found(
        ledger,
        tmp_path,
        ledger.lie(fields.STANDINGS, {"round": "1", "sha256": sha256}),
        "round",
        "board 1-2 has neither",
    )


def test_L5_the_better_of_two_games_for_one_board(tmp_path):
    ledger = first_round()
    ledger.game("1-1", "a" * 64)
    found(ledger, tmp_path, ledger.lie(fields.GAME, {"board": "1-1", "game": "b" * 64}), "game", "only its successor")


def test_L5_one_game_for_two_boards(tmp_path):
    ledger = first_round()
    ledger.game("1-1", "a" * 64)
    found(ledger, tmp_path, ledger.lie(fields.GAME, {"board": "1-2", "game": "a" * 64}), "game", "is board 1-1 already")


def test_L8_an_entry_slipped_in_after_the_field_was_closed(tmp_path):
    ledger = Ledger().enter(NAMES)
    ledger.close()
    late = ledger.entry("greta")
    ledger.receive(late)
    ledger.open_all(silent=["eva"])
    ledger.later(8).draw()
    entries = sorted([*draws.due_field(ledger.book), late.id])
    place = f"entrants/{entries.index(late.id)}"
    lie = ledger.lie(fields.FIELD, {"draw": "1", "entrants": entries})
    found(ledger, tmp_path, lie, place, "the field of draw 0 was closed by log/0002.yaml")


def test_L8_an_entry_back_dated(tmp_path):
    """Acknowledged under a number that was there before its writer had seen what they say to have seen."""
    ledger = Ledger().enter(NAMES)
    ledger.close()
    late = ledger.entry("greta")
    honest = Ledger().enter(NAMES)
    honest.book.papers[late.id] = late
    honest.lie(fields.RECEIVED, {"papers": [late.id]})
    proof = verify.verify(honest.save(tmp_path / "spring"))
    assert (proof.status, proof.paper, proof.place) == (3, f"papers/{late.id[:16]}.yaml", "seen")
    assert "another log paper 2" in proof.text


def test_L9_an_entrant_left_out(tmp_path):
    ledger = Ledger().enter(NAMES)
    lie = ledger.lie(fields.FIELD, {"draw": "0", "entrants": draws.due_field(ledger.book)[1:]})
    found(ledger, tmp_path, lie, "entrants", "was acknowledged by log/0001.yaml and is left out")


def test_L10_a_draw_repeated_until_it_pleases(tmp_path):
    ledger = first_round()
    again = dict(ledger.book.log[ledger.book.draws[0].drawn].content)
    said = {name: again[name] for name in ("draw", "openings", "absentees", "open", "commit")}
    found(ledger, tmp_path, ledger.lie(fields.DRAWN, said), "draw", "it was drawn before")


def test_L10_a_void_without_enough_missing(tmp_path):
    ledger = Ledger().enter(NAMES)
    ledger.close()
    ledger.open_all()
    honest = Ledger().enter(NAMES)
    honest.close()
    honest.open_all()
    honest.draw()
    said = {name: honest.book.head.content[name] for name in ("draw", "openings", "absentees", "open", "commit")}
    found(ledger, tmp_path, ledger.lie(fields.DRAWN, {**said, "void": "yes"}), "void", "it is not void")


def test_L10_another_secret_of_the_director(tmp_path):
    ledger = Ledger().enter(NAMES)
    ledger.close()
    ledger.open_all()
    draw = open_draw(ledger.book)
    said = {"draw": "0", "openings": sorted(paper.id for paper in draw.opened().values()), "absentees": []}
    lie = ledger.lie(fields.DRAWN, {**said, "open": "5" * 64, "commit": "6" * 64})
    found(ledger, tmp_path, lie, "open", "committed to another secret")


def test_L11_an_opening_changed(tmp_path):
    """A letter of it changed: its signature no longer fits, and its name neither."""
    ledger = Ledger().enter(NAMES)
    ledger.close()
    ledger.open_all()
    folder = ledger.save(tmp_path / "spring")
    id_ = list(ledger.book.received)[-1]
    path = folder / "papers" / f"{id_[:16]}.yaml"
    path.write_text(path.read_text(encoding="ascii").replace("plays: 'yes'", "plays: 'no'"), encoding="ascii")
    proof = verify.verify(folder)
    assert (proof.status, proof.paper) == (3, f"papers/{path.name}")
    assert "its name says" in proof.text
    changed = papers.read(path.read_bytes(), "changed")
    path.rename(path.with_name(f"{changed.id[:16]}.yaml"))
    proof = verify.verify(folder)
    assert (proof.status, proof.paper) == (3, f"papers/{changed.id[:16]}.yaml")
    assert "not what was signed" in proof.text


def test_L11_an_opening_dropped_as_missing(tmp_path):
    ledger = first_round()
    ledger.results()
    ledger.announce()
    ledger.close()
    ledger.open_all()
    draw = open_draw(ledger.book)
    entry = draw.entries[2]
    openings = sorted(paper.id for each, paper in draw.opened().items() if each != entry)
    ledger.later(8)
    said = {"draw": "1", "openings": openings, "absentees": [entry], "open": "5" * 64, "commit": "6" * 64}
    found(ledger, tmp_path, ledger.lie(fields.DRAWN, said), "absentees/0", "was acknowledged by")


def test_L11_an_opening_that_nobody_acknowledged(tmp_path):
    ledger = first_round()
    ledger.results()
    ledger.announce()
    ledger.close()
    ledger.open_all(silent=["eva"])
    draw = open_draw(ledger.book)
    invented = ledger.opening("eva", 1)
    openings = sorted([*(paper.id for paper in draw.opened().values()), invented.id])
    said = {"draw": "1", "openings": openings, "absentees": [], "open": "5" * 64, "commit": "6" * 64}
    place = f"openings/{openings.index(invented.id)}"
    found(ledger, tmp_path, ledger.lie(fields.DRAWN, said), place, "no such opening was acknowledged")


def test_L12_a_bye_twice_or_to_a_friend(tmp_path):
    ledger = drawn_for_two((*NAMES, "greta"))
    said = due(ledger)
    before = ledger.book.log[ledger.book.rounds[0].seq].text("bye")
    sides = next(pair["sides"] for pair in said["pairs"] if before in pair["sides"].values())
    sides[next(side for side, number in sides.items() if number == before)] = said["bye"]
    said["bye"] = before
    lie = ledger.lie(fields.ROUND, said)
    proof = verify.verify(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.paper) == (3, lie.name)
    assert proof.place.startswith("pairs/")


def test_L12_a_bye_to_somebody_who_plays(tmp_path):
    ledger = drawn_for_two((*NAMES, "greta"))
    said = due(ledger)
    said["bye"] = next(iter(said["pairs"][0]["sides"].values()))
    found(ledger, tmp_path, ledger.lie(fields.ROUND, said), "bye", "the bye is number")


def test_L13_points_changed_on_the_way(tmp_path):
    """Standings by other awards than paper 0; and paper 0 changed, which is the name of the tournament."""
    ledger = first_round()
    ledger.results()
    generous = first_round(award={"win": ["6", "0"], "draw": ["2", "2"], "forfeit": ["4", "0"], "bye": ["4"]})
    generous.results()
    plain = {**table.standings(generous.book).to_plain(), "tournament": ledger.book.id}
    lie = ledger.lie(fields.STANDINGS, {"round": "1", "sha256": sha256_hex(canon(plain))})
    found(ledger, tmp_path, lie, "sha256", "the table after round 1")
    ledger.book.log[0] = generous.book.log[0]
    proof = verify.verify(ledger.save(tmp_path / "other"))
    assert (proof.status, proof.paper, proof.place) == (3, "log/0001.yaml", "tournament")


def test_L16_a_withdrawal_invented(tmp_path):
    ledger = first_round()
    ledger.receive(ledger.player(fields.WITHDRAW, "anna", {}))
    other = next(number for number in "123456" if number != ledger.of("anna").number)
    said = {"number": other, "why": "their own word", "papers": [ledger.book.head.texts("papers")[0]]}
    found(ledger, tmp_path, ledger.lie(fields.WITHDRAWN, said), "papers/0", "no withdrawal that number")


def test_L16_a_withdrawal_for_missed_rounds_that_were_not_missed(tmp_path):
    ledger = first_round()
    lie = ledger.lie(fields.WITHDRAWN, {"number": "1", "why": "missed rounds"})
    found(ledger, tmp_path, lie, "number", "have missed 0 rounds, not 2")


def test_L16_a_change_of_key_that_only_one_key_signed(tmp_path):
    ledger = first_round()
    said = {"new": key_of("thief").public, "draw": "1", "commit": "7" * 64}
    paper = ledger.player(fields.NEW_KEY, "anna", said, new=key_of("boris"))
    ledger.book.papers[paper.id] = paper
    ledger.lie(fields.RECEIVED, {"papers": [paper.id]})
    proof = verify.verify(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.paper) == (3, f"papers/{paper.id[:16]}.yaml")
    assert "does not fit" in proof.text


def test_L16_a_change_of_key_of_somebody_else(tmp_path):
    ledger = first_round()
    said = {"new": key_of("thief").public, "draw": "1", "commit": "7" * 64}
    ledger.receive(ledger.player(fields.NEW_KEY, "anna", said, new=key_of("thief")))
    other = next(number for number in "123456" if number != ledger.of("anna").number)
    lie = ledger.lie(fields.KEY, {"number": other, "paper": ledger.book.head.texts("papers")[0]})
    found(ledger, tmp_path, lie, "paper", "no change of key that number")


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
    said = {"board": "1-1", "by": "agree", "winner": "german", "why": "they agreed", "papers": [mine.id, theirs.id]}
    lie = ledger.lie(fields.JUDGED, {**said, "game": board.game, "head": "c" * 64})
    found(ledger, tmp_path, lie, "papers", "no two equal papers")


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
    found(ledger, tmp_path, judgement(ledger, by="word"), "time", "round 1 goes on until 2027-04-01")


def test_L17_a_word_where_points_come_first(tmp_path):
    ledger = first_round()
    ledger.later(91)
    found(ledger, tmp_path, judgement(ledger, by="word", margin="-3"), "by", "points come before word")


def test_L17_points_within_the_threshold(tmp_path):
    ledger = first_round()
    ledger.later(91)
    found(
        ledger,
        tmp_path,
        judgement(ledger, by="points", margin="-3"),
        "winner",
        "with this margin the winner is russian",
    )


def test_L17_a_word_against_what_both_agreed_on(tmp_path):
    ledger = first_round()
    ledger.game("1-1")
    for number in ledger.book.boards["1-1"].numbers:
        ledger.receive(agreement(ledger, ledger.name_of(ledger.book.entrant(number)), "russian"))
    ledger.later(91)
    found(ledger, tmp_path, judgement(ledger, by="word"), "by", "both players have agreed")


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
    found(ledger, tmp_path, judgement(ledger, by="word"), "papers", "no assistant has judged it")


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
    """The log with one paper said otherwise and everything after it signed anew: players' papers stay as they are."""
    old = ledger.book.log[seq:]
    del ledger.book.log[seq:]
    for paper in old:
        head = ("kursk-tournament", "type", "tournament", "seq", "prev", "from", "time")
        said = {name: value for name, value in paper.content.items() if name not in head}
        ledger.lie(paper.type, {**said, **(changes if paper is old[0] else {})}, paper.text("time"))


def test_L18_history_rewritten(tmp_path):
    """A clock of the past gets another reason: everything is signed anew, and players' papers stand against it."""
    ledger = first_round()
    ledger.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    ledger.results()
    ledger.announce()
    ledger.close()
    ledger.open_all()
    seq = next(paper.seq for paper in ledger.book.log if paper.type == fields.CLOCK)
    rewritten(ledger, seq, days="4")
    proof = verify.verify(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.place) == (3, "seen")
    assert proof.paper.startswith("papers/")
    assert "two logs were shown" in proof.text


def test_L18_a_log_paper_exchanged_alone(tmp_path):
    ledger = first_round()
    ledger.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    ledger.results()
    seq = next(paper.seq for paper in ledger.book.log if paper.type == fields.CLOCK)
    tail = ledger.book.log[seq + 1 :]
    del ledger.book.log[seq:]
    ledger.lie(fields.CLOCK, {"who": "all", "days": "4", "why": "Christmas"})
    ledger.book.log += tail
    proof = verify.verify(ledger.save(tmp_path / "spring"))
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
    found(ledger, tmp_path, lie, "board", "what was wrong is corrected")


def test_L19_two_logs_for_two_groups(tmp_path):
    """The other log's paper is kept by somebody who had it: evidence, and a conviction."""
    one, other = first_round(), first_round()
    one.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    second = other.sign(fields.CLOCK, {"who": "all", "days": "4", "why": "Christmas"})
    folder = one.save(tmp_path / "spring")
    kept = folders.keep(folder, second)
    proof = verify.verify(folder)
    assert (proof.status, proof.paper, proof.place) == (3, f"evidence/{kept.name}", "seq")
    outcome = equivocation.compare([folder])
    assert [paper.text("days") for paper in outcome.pair] == ["3", "4"]
    assert "is convicted" in outcome.text
    equivocation.write(tmp_path / "proof.yaml", outcome)
    again = equivocation.compare([tmp_path / "proof.yaml"])
    assert {paper.id for paper in again.pair} == {paper.id for paper in outcome.pair}
    forged = papers.sign(dict(second.content) | {"why": "forged"}, key_of("thief"), "x")
    (folder / "evidence" / kept.name).unlink()
    folders.keep(folder, forged)
    assert verify.verify(folder).status == 0
    assert equivocation.compare([folder]).pair is None


def test_L19_players_who_saw_another_log(tmp_path):
    one, other = first_round(), first_round()
    one.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    other.sign(fields.CLOCK, {"who": "all", "days": "4", "why": "Christmas"})
    claim = other.player(fields.CLAIM, "anna", {"board": "1-1", "note": "what of my game?"})
    one.book.papers[claim.id] = claim
    proof = verify.verify(one.save(tmp_path / "spring"))
    assert (proof.status, proof.paper, proof.place) == (3, f"papers/{claim.id[:16]}.yaml", "seen")


def test_L19_a_log_cut_short(tmp_path):
    ledger = first_round()
    ledger.sign(fields.CLOCK, {"who": "all", "days": "3", "why": "Christmas"})
    claim = ledger.player(fields.CLAIM, "anna", {"board": "1-1", "note": "what of my game?"})
    ledger.book.papers[claim.id] = claim
    del ledger.book.log[-1]
    proof = verify.verify(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.place) == (3, "seen")
    assert "it is cut short" in proof.text


def test_L20_false_sums(tmp_path):
    ledger = first_round()
    ledger.results()
    plain = table.standings(ledger.book).to_plain()
    plain["rows"][5]["points"] = "5"
    lie = ledger.lie(fields.STANDINGS, {"round": "1", "sha256": sha256_hex(canon(plain))})
    found(ledger, tmp_path, lie, "sha256", "the table after round 1 has the hash")


def test_L20_an_end_before_the_end(tmp_path):
    ledger = first_round()
    ledger.results()
    said = {"sha256": table.standings(ledger.book).sha256, "played": "3"}
    found(ledger, tmp_path, ledger.lie(fields.END, said), "type", "the tournament is not over")


@pytest.mark.parametrize("kind", [fields.ROUND, fields.CLOCK])
def test_time_does_not_run_backwards(kind, tmp_path):
    """a: neither a pairing nor anything else is older than the paper before it."""
    ledger = drawn_for_two()
    said = due(ledger) if kind == fields.ROUND else {"who": "all", "days": "1", "why": "x"}
    lie = ledger.lie(kind, said, "2026-12-31T23:59:59Z")
    found(ledger, tmp_path, lie, "time", "time runs backwards")
