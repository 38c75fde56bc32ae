"""8.4: round robins, pods, knock-outs; mirrored meetings, bids, guests; played to the end in memory."""

from __future__ import annotations

import pytest
from helpers import sweeps
from helpers.ledger import PEOPLE, Ledger, by_chance, by_number, key_of

from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book import bidding, plan
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.pairing import bracket
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score import counted, stages, table
from kursk_pbem.tournament.score.counted import count_games
from kursk_pbem.trust import sshsig

MARGINS = {"tie-breaks": ["direct", "par", "margin", "lot"]}


class TestRoundRobin:
    @pytest.mark.parametrize("number", [5, 6])
    @pytest.mark.parametrize("mirror", ["no", "yes"])
    def test_everybody_meets_everybody(self, number, mirror):
        ledger = Ledger("round-robin", form={"mirror": mirror}).begin(PEOPLE[:number]).play(by_number)
        book = ledger.book
        met = [frozenset(board.numbers) for board in book.boards.values()]
        each = 2 if mirror == "yes" else 1
        assert {meeting: met.count(meeting) for meeting in met} == dict.fromkeys(met, each)
        assert len(set(met)) == number * (number - 1) // 2
        assert [row.number for row in table.compute_standings(book).rows] == [str(n) for n in range(1, number + 1)]
        if mirror == "yes":
            for name, board in book.boards.items():
                if name.endswith("a"):
                    other = book.boards[f"{board.meeting}b"]
                    assert list(other.sides.values()) == list(board.sides.values())[::-1]

    def test_sides_are_those_of_the_table(self):
        book = Ledger("round-robin").begin(PEOPLE[:4]).play(by_number).book
        found = ["-".join(board.numbers) for board in book.boards.values()]
        assert found == ["1-4", "2-3", "4-3", "1-2", "2-4", "3-1"]

    def test_a_withdrawal_before_half_of_the_games_strikes_them_all(self):
        ledger = Ledger("round-robin").begin(PEOPLE[:6])
        ledger.results()
        ledger.withdraw("1")
        ledger.play(by_number)
        counted = count_games(ledger.book)
        assert not counted.of("1")
        assert all(counted.points(number) == sum(game.of(number) for game in counted.of(number)) for number in "23456")
        assert len(ledger.book.boards) == 3 + 4 * 2

    def test_a_later_withdrawal_forfeits_the_rest(self):
        ledger = Ledger("round-robin").begin(PEOPLE[:4])
        ledger.results()
        ledger.next_round()
        ledger.results()
        ledger.withdraw("1")
        ledger.play(by_number)
        counted = count_games(ledger.book)
        assert len(counted.of("1")) == 2
        ((walked, points),) = counted.lone.items()
        assert points == {3: 4}
        assert ledger.book.rounds[-1].walkovers == {walked: "1"}


class TestPods:
    @pytest.mark.parametrize(
        ("number", "size", "right"),
        [(13, 4, [5, 4, 4]), (5, 4, [5]), (6, 4, [3, 3]), (11, 5, [4, 4, 3]), (12, 3, [3, 3, 3, 3]), (16, 4, [4] * 4)],
    )
    def test_entrants_are_dealt_in_a_snake(self, number, size, right):
        order = [str(each) for each in range(1, number + 1)]
        pods = bracket.deal_pods(order, size)
        assert sorted(map(len, pods), reverse=True) == right
        assert sorted((each for pod in pods for each in pod), key=int) == order
        assert [pod[0] for pod in pods] == order[: len(pods)]

    @pytest.mark.parametrize("final", ["pod", "knock-out"])
    @pytest.mark.parametrize("seed", [1, 2])
    def test_thirteen_play_pods_and_finals(self, final, seed):
        form = {"pods": {"size": "4", "places": "4", "final": final}}
        ledger = Ledger("pods", form=form).begin(PEOPLE[:13])
        pods = counted.make_groups(ledger.book)
        assert [len(pod) for pod in pods] == [5, 4, 4]
        ledger.play(by_chance(seed))
        book = ledger.book
        assert book.round == 5 + (3 if final == "pod" else 2)
        inside = [board for board in book.boards.values() if board.round <= 5]
        assert all(any({*board.numbers} <= {*pod} for pod in pods) for board in inside)
        assert len(book.finalists) == 4
        rows = table.compute_standings(book).rows
        assert {row.number for row in rows[:4]} == {*book.finalists}
        best = [max(pod, key=lambda n: stages.points_per_game(count_games(book, 5), n)) for pod in pods]
        assert all(
            stages.points_per_game(count_games(book, 5), n)
            in [stages.points_per_game(count_games(book, 5), f) for f in book.finalists]
            for n in best
        )

    def test_finalists_are_the_best_of_each_pod_and_the_best_second(self):
        ledger = Ledger("pods", form={"pods": {"size": "4", "places": "4", "final": "pod"}}).begin(PEOPLE[:12])
        ledger.play(by_number)
        pods = counted.make_groups(ledger.book)
        assert {*ledger.book.finalists[:3]} == {pod[0] for pod in pods}
        assert ledger.book.finalists[3] in {pod[1] for pod in pods}


class TestKnockOut:
    @pytest.mark.parametrize("number", [2, 3, 8, 11, 16])
    @pytest.mark.parametrize("mirror", ["no", "yes"])
    def test_the_first_seeds_have_the_byes_and_the_better_one_wins(self, number, mirror):
        ledger = Ledger("knock-out", form={"mirror": mirror}).begin(PEOPLE[:number])
        places = 1 << (number - 1).bit_length()
        free = [n for n, how in ledger.book.rounds[0].spent.items() if how == "free"]
        assert sorted(free, key=int) == [str(n) for n in range(1, places - number + 1)]
        ledger.play(by_number)
        rows = table.compute_standings(ledger.book).rows
        assert [row.number for row in rows[:2]] == ["1", "2"]
        assert rows[0].stage == bracket.count_rounds(number)

    def test_a_level_tie_goes_by_margin_then_by_a_deciding_game_then_by_lot(self):
        ledger = Ledger("knock-out", form={"mirror": "yes"}).begin(PEOPLE[:2])
        first, second = ledger.book.boards["1-1a"].sides
        ledger.result("1-1a", first, margin=5)
        ledger.result("1-1b", first, margin=3)
        (ties,) = stages.knock_out_ties(ledger.book, ["1", "2"], 1)
        assert ties[0].winner == ledger.book.boards["1-1a"].sides[first]
        ledger = Ledger("knock-out", form={"mirror": "yes"}).begin(PEOPLE[:2])
        ledger.result("1-1a", first, margin=3)
        ledger.result("1-1b", first, margin=3)
        assert plan.find_level_ties(ledger.book) == [("1", "2")]
        assert not ledger.book.tables
        ledger.pair()
        assert ledger.book.rounds[-1].method == "decider/1"
        ledger.result("1-1c", second, margin=-1)
        (ties,) = stages.knock_out_ties(ledger.book, ["1", "2"], 1)
        assert ties[0].winner == ledger.book.boards["1-1c"].sides[second]
        ledger.announce()
        assert plan.find_hindrance(ledger.book) == plan.NO_ROUND

    @pytest.mark.parametrize("seed", range(6))
    def test_random_ones_end_with_one(self, seed):
        ledger = Ledger("knock-out", form={"mirror": "yes" if seed % 2 else "no"}).begin(PEOPLE[:11])
        ledger.play(by_chance(seed, draws=0.6))
        rows = table.compute_standings(ledger.book).rows
        assert [row.stage for row in rows].count(4) == 1
        assert ledger.book.round == 4


class TestSwiss:
    @pytest.mark.parametrize("seed", sweeps.some(range(8), 2))
    @pytest.mark.parametrize(("number", "rounds"), [(8, 4), (13, 6), (16, 7)])
    def test_no_rematch_no_second_bye_sides_even(self, seed, number, rounds):
        """Up to half as many rounds as players: no rematch, second bye, balance of 3, or third side in a row."""
        book = Ledger(rounds_=rounds).begin(PEOPLE[:number]).play(by_chance(seed)).book
        met = [frozenset(board.numbers) for board in book.boards.values()]
        assert len(set(met)) == len(met) == rounds * (number // 2)
        for player in book.numbers:
            sides = [board.numbers.index(player) for board in book.boards.values() if player in board.numbers]
            assert len(sides) >= rounds - 1
            assert abs(2 * sum(sides) - len(sides)) <= 2
            assert not any(one == two == three for one, two, three in zip(sides, sides[1:], sides[2:], strict=False))
        assert [row.place for row in table.compute_standings(book).rows] == list(range(1, number + 1))
        assert list(book.tables) == list(range(1, rounds + 1))

    def test_two_systems_take_turns_and_sides_are_balanced_in_each(self):
        scenarios = ("battle-for-kursk/citadel", "kursk-1971/july4")
        ledger = Ledger(rounds_=4, scenarios=scenarios).begin(PEOPLE[:8]).play(by_chance(3))
        assert [ledger.book.boards[f"{n}-1"].system for n in (1, 2, 3, 4)] == [1, 2, 1, 2]
        assert set(ledger.book.boards["2-1"].sides) == {"german", "soviet"}
        balances = []
        for number in map(str, range(1, 9)):
            for system in (1, 2):
                boards = [each for each in ledger.book.boards.values() if each.system == system]
                balances.append(sum(1 - 2 * each.numbers.index(number) for each in boards if number in each.numbers))
        assert balances.count(0) >= 12  # points come before sides
        assert {abs(balance) for balance in balances} <= {0, 2}

    def test_asked_byes_count_once_and_announced_absences_give_nothing(self):
        ledger = Ledger(rounds_=4).begin(PEOPLE[:8])
        for plays in ({"player-01": "bye", "player-02": "no"}, {"player-01": "bye"}):
            ledger.results()
            ledger.next_round(plays=plays)
        one, two = ledger.of("player-01").number, ledger.of("player-02").number
        assert [round_.spent.get(one) for round_ in ledger.book.rounds] == [None, "asked", "announced"]
        assert ledger.book.rounds[1].spent[two] == "announced"
        assert count_games(ledger.book).lone[one] == {2: 2}

    def test_a_guest_plays_whom_nobody_is_left_for(self):
        ledger = Ledger(rounds_=3, form={"odd": "guest"})
        ledger.enter(PEOPLE[:7])
        ledger.receive(ledger.entry("guest-one", guest="yes"), ledger.entry("guest-two", guest="yes"))
        ledger.draw_field()
        ledger.pair()
        assert sorted(ledger.book.numbers) == [*map(str, range(1, 8)), "g1", "g2"]
        ledger.play(by_guest)
        hosts = [board for board in ledger.book.boards.values() if any(n.startswith("g") for n in board.numbers)]
        assert len(hosts) == 3
        entrants = [n for board in hosts for n in board.numbers if not n.startswith("g")]
        assert len(set(entrants)) == 3
        assert {n for board in hosts for n in board.numbers if n.startswith("g")} == {"g1", "g2"}
        assert len(table.compute_standings(ledger.book).rows) == 7


def by_guest(board):
    return next(iter(board.sides)), 1


class TestBids:
    """8.3: sealed, logged, opened."""

    def start(self):
        ledger = Ledger("knock-out", form={"sides": "bids", **MARGINS}).begin(PEOPLE[:2])
        assert not ledger.book.boards["1-1"].sides_known
        return ledger, ledger.book.boards["1-1"]

    def sealed(self, ledger, name, side, price):
        value, salt = {"side": side, "price": str(price)}, name[-1] * 32
        key = sshsig.public_key(key_of(name).public)
        seal = chance.compute_seal(bytes.fromhex(ledger.book.id), key, "1-1", bytes.fromhex(salt), value)
        about = {"round": "1", "board": "1-1"}
        return (
            ledger.player(fields.BID, name, {**about, "seal": seal.hex()}),
            lambda: ledger.player(fields.BID_OPEN, name, {**about, "salt": salt, "value": value}),
        )

    def start_sealed(self, one=("german", 3), other=("german", 5)):
        ledger, board = self.start()
        (seal_1, open_1), (seal_2, open_2) = (
            self.sealed(ledger, "player-01", *one),
            self.sealed(ledger, "player-02", *other),
        )
        ledger.receive(seal_1, seal_2)
        ledger.bids()
        return ledger, board, open_1, open_2

    @pytest.mark.parametrize(
        ("one", "other", "right"),
        [
            (("german", 3), ("russian", 7), ("german", {})),
            (("german", 3), ("german", 2), ("german", {"german": 3})),
            (("russian", 3), ("russian", 5), ("german", {"russian": 5})),
            (("german", 0), ("german", 1), ("russian", {"german": 1})),
        ],
    )
    def test_the_higher_price_gets_the_side_and_pays(self, one, other, right):
        ledger, board, open_1, open_2 = self.start_sealed(one, other)
        assert not board.sides_known
        ledger.receive(open_1(), open_2())
        ledger.bids()
        assert board.sides_known
        assert board.side_of(ledger.of("player-01").number) == right[0]
        assert board.paid == right[1]
        ledger.result("1-1", "german", margin=4)
        (game,) = count_games(ledger.book).games
        paid = right[1]
        assert game.margin == 4 - paid.get("german", 0) + paid.get("russian", 0)

    def test_equal_prices_are_drawn_and_paid(self):
        ledger, board, open_1, open_2 = self.start_sealed(("german", 4), ("german", 4))
        ledger.receive(open_1(), open_2())
        ledger.bids()
        assert board.paid == {"german": 4}

    def test_who_seals_or_opens_nothing_has_bid_0(self):
        ledger, board = self.start()
        seal, open_ = self.sealed(ledger, "player-02", "russian", 9)
        ledger.receive(seal)
        ledger.bids()
        assert board.bids_seq < 0
        ledger.later(8).bids()
        ledger.receive(open_())
        ledger.bids()
        assert board.side_of(ledger.of("player-02").number) == "russian"
        assert board.paid == {"russian": 9}

    def test_nobody_bids_and_sides_stay_as_paired(self):
        ledger, board = self.start()
        before = dict(board.sides)
        ledger.later(8).bids()
        assert board.sides_known
        assert board.sides == before

    def test_a_bid_opened_otherwise_counts_for_nothing(self):
        ledger, board, open_1, _open = self.start_sealed(("german", 1), ("german", 2))
        _seal, another = self.sealed(ledger, "player-02", "german", 3)
        ledger.receive(open_1(), another())
        ledger.bids()
        assert not board.sides_known
        ledger.later(8).bids()
        assert board.side_of(ledger.of("player-01").number) == "german"

    def test_two_bids_are_none(self):
        """P3: the log keeps both bids; the player has sealed no bid."""
        ledger, board = self.start()
        found = [self.sealed(ledger, "player-01", "german", price)[0] for price in (1, 2)]
        seal, open_ = self.sealed(ledger, "player-02", "german", 0)
        ledger.receive(*found, seal)
        assert list(bidding.find_seals(ledger.book, board)) == [ledger.of("player-02").number]
        ledger.later(8).bids()
        ledger.receive(open_())
        ledger.bids()
        assert board.side_of(ledger.of("player-02").number) == "german"

    def test_a_director_cannot_leave_out_an_opening_that_the_opponent_handed_on(self, tmp_path):
        """The salt proves the bid, even if the opponent signs; the log has the opponent's paper."""
        ledger, board, open_1, open_2 = self.start_sealed()
        said = {name: open_2().content[name] for name in ("round", "board", "salt", "value")}
        ledger.receive(open_1(), ledger.player(fields.BID_OPEN, "player-01", said))
        found = [{"board": "1-1", "papers": [open_1().id]}]
        lie = ledger.lie(fields.BIDS, {"round": "1", "opened": found})
        proof = verify.verify_tournament(ledger.save(tmp_path))
        assert (proof.status, proof.paper, proof.place) == (3, lie.name, "opened/0/papers/0")
        del ledger.book.log[-1]
        ledger.bids()
        assert board.side_of(ledger.of("player-02").number) == "german"
        assert board.paid == {"german": 5}

    def test_opening_written_late_counts_0_and_accepted_late_counts(self, tmp_path):
        ledger, board, open_1, open_2 = self.start_sealed()
        in_time = open_1()
        ledger.later(8).receive(in_time, open_2())
        ledger.bids()
        assert board.side_of(ledger.of("player-01").number) == "german"
        assert board.paid == {"german": 3}
        told, dated = verify.verify_tournament(ledger.save(tmp_path)).notes
        assert told == "board 1-1: player-02 did not reveal the sealed bid"
        assert dated.endswith(f"revealed at {ledger.time}, by the writer's clock")

    def test_openings_before_the_seals_are_logged_do_not_count(self):
        ledger, board = self.start()
        (seal_1, open_1), (seal_2, _open) = (
            self.sealed(ledger, "player-01", "german", 1),
            self.sealed(ledger, "player-02", "russian", 2),
        )
        ledger.receive(seal_1, open_1(), seal_2)
        ledger.bids()
        assert not bidding.find_openings(ledger.book, board)
        with pytest.raises(FalsePaperError, match="does not count here"):
            ledger.sign(fields.BIDS, {"round": "1", "opened": [{"board": "1-1", "papers": [open_1().id]}]})
