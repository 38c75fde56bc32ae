"""Chapter 11: lies of a director that the log and the papers show. A test has the number of its lie.

The director signs the lies with the right key; ``verify`` must name the paper and the field.
"""

from __future__ import annotations

from helpers.ledger import Ledger

from kursk_pbem.tournament.book import draws, plan
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score import table
from tournament.lying import NAMES, drawn_for_two, due, first_round, found


def test_honest_folders_are_verified(tmp_path):
    ledger = drawn_for_two()
    ledger.pair()
    assert verify.read_papers(ledger.save(tmp_path / "spring"))[0].round == 2


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
    """The input differs: invented results or an invented seed."""
    ledger = drawn_for_two()
    said = due(ledger)
    given = plan.make_input(ledger.book)
    given["players"][0]["points"] = "9"
    found(
        ledger,
        tmp_path,
        ledger.lie(fields.ROUND, {**said, "input": plan.hash_input(given)}),
        "input",
        "points, meetings",
    )


def test_L4_a_game_left_out(tmp_path):
    ledger = first_round()
    ledger.result("1-1")
    ledger.result("1-3")
    sha256 = table.compute_standings(ledger.book).sha256
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
    found(ledger, tmp_path, ledger.lie(fields.GAME, {"board": "1-1", "game": "b" * 64}), "game", "and only one game")


def test_L5_one_game_for_two_boards(tmp_path):
    ledger = first_round()
    ledger.game("1-1", "a" * 64)
    found(ledger, tmp_path, ledger.lie(fields.GAME, {"board": "1-2", "game": "a" * 64}), "game", "is board 1-1 already")


def test_L8_an_entry_slipped_in_after_the_field_was_closed(tmp_path):
    ledger = Ledger().enter(NAMES)
    ledger.close()
    late = ledger.entry("greta")
    ledger.receive(late)
    ledger.open_all()
    ledger.draw()
    ledger.pair()
    ledger.end_round()
    entries = sorted([*draws.due_field(ledger.book), late.id])
    place = f"entrants/{entries.index(late.id)}"
    lie = ledger.lie(fields.FIELD, {"draw": "1", "entrants": entries})
    found(ledger, tmp_path, lie, place, "the field of lots 0 was closed by log paper 2")


def test_L8_an_entry_back_dated(tmp_path):
    """The entry is acknowledged earlier than the log paper that its writer had seen."""
    ledger = Ledger().enter(NAMES)
    ledger.close()
    late = ledger.entry("greta")
    honest = Ledger().enter(NAMES)
    honest.book.papers[late.id] = late
    honest.lie(fields.RECEIVED, {"papers": [late.id]})
    proof = verify.verify_tournament(honest.save(tmp_path / "spring"))
    assert (proof.status, proof.paper, proof.place) == (3, f"papers/{late.id[:16]}.yaml", "seen")
    assert "had seen log paper 2" in proof.text


def test_L9_an_entrant_left_out(tmp_path):
    ledger = Ledger().enter(NAMES)
    lie = ledger.lie(fields.FIELD, {"draw": "0", "entrants": draws.due_field(ledger.book)[1:]})
    found(ledger, tmp_path, lie, "entrants", "acknowledged by log/0001.yaml, is missing")


def test_L10_a_draw_repeated_until_it_pleases(tmp_path):
    ledger = first_round()
    again = dict(ledger.book.log[ledger.book.draws[0].drawn].content)
    said = {name: again[name] for name in ("draw", "open", "commit")}
    found(ledger, tmp_path, ledger.lie(fields.DRAWN, said), "draw", "drawn before")


def test_L10_a_draw_closed_twice(tmp_path):
    ledger = Ledger().enter(NAMES)
    ledger.open_field()
    ledger.close_draw()
    said = {name: ledger.book.head.content[name] for name in ("draw", "openings", "absentees")}
    lie = ledger.lie(fields.CLOSED, {**said, "openings": said["openings"][1:]})
    found(ledger, tmp_path, lie, "draw", "lots 0 were closed by log/0004.yaml")


def test_L10_another_secret_of_the_director(tmp_path):
    ledger = Ledger().enter(NAMES)
    ledger.open_field()
    ledger.close_draw()
    lie = ledger.lie(fields.DRAWN, {"draw": "0", "open": "5" * 64, "commit": "6" * 64})
    found(ledger, tmp_path, lie, "open", "committed to another secret")


def test_L11_an_opening_changed(tmp_path):
    ledger = Ledger().enter(NAMES)
    ledger.open_field()
    folder = ledger.save(tmp_path / "spring")
    id_ = list(ledger.book.received)[-1]
    path = folder / "papers" / f"{id_[:16]}.yaml"
    path.write_text(path.read_text(encoding="ascii").replace("next: '1'", "next: '2'"), encoding="ascii")
    proof = verify.verify_tournament(folder)
    assert (proof.status, proof.paper) == (3, f"papers/{path.name}")
    assert "does not fit" in proof.text


def test_L11_an_opening_dropped_as_missing(tmp_path):
    ledger = first_round()
    ledger.end_round()
    ledger.open_field()
    draw = find_open_draw(ledger.book)
    entry = draw.entries[2]
    openings = sorted(paper.id for each, paper in draw.openings.items() if each != entry)
    ledger.later(8)
    said = {"draw": "1", "openings": openings, "absentees": [entry]}
    found(ledger, tmp_path, ledger.lie(fields.CLOSED, said), "openings", "acknowledged by log/")


def test_L11_an_opening_that_nobody_acknowledged(tmp_path):
    ledger = first_round()
    ledger.end_round()
    ledger.open_field(silent=["eva"])
    draw = find_open_draw(ledger.book)
    invented = ledger.opening("eva", 1)
    openings = sorted([*(paper.id for paper in draw.openings.values()), invented.id])
    said = {"draw": "1", "openings": openings, "absentees": []}
    place = f"openings/{openings.index(invented.id)}"
    found(ledger, tmp_path, ledger.lie(fields.CLOSED, said), place, "which the log has not acknowledged")


def test_L12_a_bye_twice_or_to_a_friend(tmp_path):
    ledger = drawn_for_two((*NAMES, "greta"))
    said = due(ledger)
    before = ledger.book.log[ledger.book.rounds[0].seq].text("bye")
    sides = next(pair["sides"] for pair in said["pairs"] if before in pair["sides"].values())
    sides[next(side for side, number in sides.items() if number == before)] = said["bye"]
    said["bye"] = before
    lie = ledger.lie(fields.ROUND, said)
    proof = verify.verify_tournament(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.paper) == (3, lie.name)
    assert proof.place.startswith("pairs/")


def test_L12_a_bye_to_somebody_who_plays(tmp_path):
    ledger = drawn_for_two((*NAMES, "greta"))
    said = due(ledger)
    said["bye"] = next(iter(said["pairs"][0]["sides"].values()))
    found(ledger, tmp_path, ledger.lie(fields.ROUND, said), "bye", "the bye is number")
