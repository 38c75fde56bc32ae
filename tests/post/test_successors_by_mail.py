"""Games that are to go on as others: what of their proposals is kept that come by mail."""

from contextlib import suppress

import pytest
from helpers import postal
from helpers.mailbags import box, letter, long_game, states, taken, turn
from helpers.postmen import Time
from helpers.rolled_mail import Rolled, proposed, says

from kursk_pbem.desk import begin, offers, successors
from kursk_pbem.errors import UsageError
from kursk_pbem.game import games, successor
from kursk_pbem.game.folders import message_files
from kursk_pbem.game.successor import Terms
from kursk_pbem.post.round.outcome import WAITS
from kursk_pbem.trust import messages


def stands(anna, boris):
    """A game that can go on as another: its id, who proposes that and who is asked, and how."""
    for length in range(3, 30):
        game = long_game(anna, boris, length)
        desks = {who: who.desk(game) for who in (anna, boris)}
        for who, other in ((anna, boris), (boris, anna)):
            if desks[who].seq != desks[other].seq:
                continue
            try:
                plan = successor.plan(desks[who].history.games, Terms({}, {}, None))
            except UsageError:
                continue
            if plan[0] == desks[who].own_side:
                return game, who, other, plan
    raise AssertionError("no game can go on")


def ahead(anna, boris):
    """A game in which one has signed a message that the other lacks, and may propose to go on from there."""
    for _try in range(40):
        game = postal.began(anna, boris)
        while not boris.desk(game).game.over:
            who, other = (boris, anna) if boris.desk(game).mine else (anna, boris)
            seq = who.sign(game).seq - 1
            with suppress(UsageError):
                plan = successor.plan(who.desk(game).history.games, Terms({}, {}, None))
                if plan[0] == who.desk(game).own_side and seq > 2:
                    return game, who, other, seq, plan
            postal.carried(game, seq, who, other)
    raise AssertionError("no game can go on")


def way(who, plan, name, **behind):
    """A proposal to go on so, under a name of its own; ``behind`` which message."""
    side, pinned, state = plan
    said = {**pinned, "names": {**pinned["names"], side: name}, "continues": {**pinned["continues"], **behind}}
    return begin.issue(side, said, state, who.key, who.place, who.home, "").newest.read_bytes()


def test_a_strangers_proposal_to_go_on_takes_no_place_of_the_opponents(friends, tmp_path):
    """Whoever had seen the game could put theirs in its place, and the one that was offered was gone."""
    anna, boris, stranger = friends("anna", "boris", "stranger")
    game, who, other, (side, pinned, state) = stands(anna, boris)
    path = offers.propose(who.desk(game), Terms({}, {}, None), None, who.place)
    pinned = {**pinned, "keys": {**pinned["keys"], side: stranger.public}}
    theirs = begin.issue(side, pinned, state, stranger.key, stranger.place, stranger.home, "").newest
    for name, raw in (("theirs", theirs.read_bytes()), ("good", path.read_bytes()), ("again", theirs.read_bytes())):
        (tmp_path / name).mkdir()
        day = taken(other, box(tmp_path / name, [letter(raw)]))
    assert successors.kept(other.desk(game)).read_bytes() == path.read_bytes()
    (outcome,) = day.games[0].outcomes
    assert "somebody who plays this game has proposed another" in outcome.error.message


def test_T49_proposals_to_go_on_with_a_game_cost_one_verification_of_it(friends, tmp_path, monkeypatch):
    """One mail of a stranger who knows its id holds hundreds: each had the whole game verified anew."""
    anna, boris, stranger = friends("anna", "boris", "stranger")
    _game, _who, other, (side, pinned, state) = stands(anna, boris)
    mails = []
    for name in "abc":
        said = {**pinned, "keys": {**pinned["keys"], side: stranger.public}, "names": {**pinned["names"], side: name}}
        made = begin.issue(side, said, state, stranger.key, stranger.place, stranger.home, "")
        mails.append(letter(made.newest.read_bytes()))
    looked = []
    real = games.extend
    monkeypatch.setattr(games, "extend", lambda before, message: looked.append(message.seq) or real(before, message))
    assert len(taken(other, box(tmp_path, mails)).games) == 3
    assert looked.count(1) == 1


@pytest.mark.parametrize("first", [True, False])
def test_T48_of_proposals_to_go_on_in_one_fetch_the_one_that_came_last_is_kept(friends, tmp_path, first):
    """They were taken in the order of their ids."""
    anna, boris = friends("anna", "boris")
    game, who, other, plan = stands(anna, boris)
    ways = sorted((way(who, plan, name) for name in ("one", "two")), key=lambda raw: messages.read(raw, "").id)
    came = ways if first else ways[::-1]
    taken(other, box(tmp_path, [letter(raw) for raw in came]))
    assert successors.kept(other.desk(game)).read_bytes() == came[-1]


@pytest.mark.parametrize("before", [True, False])
def test_T48_a_proposal_to_go_on_is_taken_behind_the_message_that_it_continues(friends, tmp_path, before):
    """Both in one fetch: where its id came before that of its game it was refused, and dealt with for good."""
    anna, boris = friends("anna", "boris")
    game, who, other, seq, plan = ahead(anna, boris)
    raw = next(
        raw for raw in (way(who, plan, f"way {n}") for n in range(60)) if (messages.read(raw, "").id < game) is before
    )
    taken(other, box(tmp_path, [letter(turn(who, game, seq)), letter(raw)]))
    assert other.desk(game).seq == seq + 1
    assert successors.kept(other.desk(game)).read_bytes() == raw


def test_T48_a_proposal_to_go_on_waits_for_the_message_that_it_continues(friends, tmp_path):
    """Its letter overtook the other one: it was refused, and dealt with for good."""
    anna, boris = friends("anna", "boris")
    game, who, other, seq, plan = ahead(anna, boris)
    raw = way(who, plan, "one")
    path = box(tmp_path, [letter(raw)])
    for _round in range(2):
        ((_seq, state),) = states(taken(other, path))
        assert state == WAITS
    assert successors.kept(other.desk(game)) is None
    mails = box(tmp_path, [letter(raw), letter(turn(who, game, seq))])
    taken(other, mails)
    assert successors.kept(other.desk(game)).read_bytes() == raw


def test_T48_what_comes_of_a_game_that_is_to_go_on_waits_for_its_acceptance(friends, tmp_path, monkeypatch):
    """A round after its proposal was kept it was a game that nobody knew: dealt with, and lost for good."""
    world = Rolled(friends, tmp_path, Time().set(monkeypatch))
    way_on = proposed(world)
    raw = way_on.read_bytes()
    head = messages.read(raw, "")
    first, second = sorted(world.players, key=lambda one: one.public != head.mapping("keys")[head.content["next"]])
    for name in ("first", "then"):
        (tmp_path / name).mkdir()
    taken(second, box(tmp_path / "first", [letter(raw, world.ref.address)]))
    says(world, way_on)
    asked, offerer = world.due()
    seq = asked.desk(world.game).seq
    says(world, way_on, accept=True)
    postal.carried(world.game, seq, asked, offerer)
    first.accept(raw)
    first.sign(head.id)
    taken(second, box(tmp_path / "then", [letter(turn(first, head.id, 1), first.address)]))
    second.kursk("accept", head.id[:16])
    taken(second)
    assert len(message_files(second.folder(head.id))) == 2
