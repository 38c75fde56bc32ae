"""A player who signs two messages for one number, and mails one to the opponent, one to the referee (T9, 2.10)."""

import random
import shutil

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import Faults, Member, PostOffice
from helpers.refereed_mail import comes, played_on

from kursk_pbem.desk import desks, evidence, play
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.referee import director
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import folders
from kursk_pbem.trust import messages


def others(who, game, root, number=20):
    """Other messages that a player could sign in place of their next one."""
    for seed in range(number):
        place = root / f"other-{seed}"
        shutil.copytree(who.place, place)
        copy = postal.Friend.__new__(postal.Friend)
        copy.name, copy.place = who.name, place
        copy.sign(game, random.Random(f"other {seed}"))
        yield folders.message_files(copy.folder(game))[-1].read_bytes()


def resigned(who, game, root):
    """A resignation in place of the next message of a player."""
    place = root / "resigned"
    shutil.copytree(who.place, place)
    desk = desks.sit(place / folders.folder_name(game), place / "private")
    play.sign(desk, drafts.resignation(desk), None)
    return folders.message_files(desk.folder)[-1].read_bytes()


def signs_two(who, game, root):
    """A player signs their next message, and another one for its number: that, the one in the folder, the other."""
    made = list(others(who, game, root))
    who.sign(game)
    seq = who.desk(game).seq - 1
    first = turn(who, game, seq)
    return seq, first, next(raw for raw in made if raw != first)


@pytest.fixture
def world(directed):
    """A relayed game that has its bound messages; Boris owes the next one."""
    played_on(directed)
    while directed.boris.desk(directed.game).seq < 5 or not directed.boris.desk(directed.game).mine:
        who, other = directed.boris, directed.anna
        who, other = (who, other) if who.desk(directed.game).mine else (other, who)
        seq = who.desk(directed.game).seq
        comes(directed, who, seq)
        postal.carried(directed.game, seq, who, other)
    directed.member["anna"].post()
    return directed


def mailed(world, here, there):
    """One message goes to Anna, another to the referee, whose letter comes to Anna later; what her desk says of it."""
    world.office.put(letter(here, world.boris.address), world.anna.address)
    world.member["anna"].post()
    world.office.put(letter(there, world.boris.address), world.ref.address)
    world.director.post()
    world.time.passes(6 * 3600)
    return world.member["anna"].post()


def told(day):
    return "\n".join(line for game in day.games for outcome in game.outcomes for line in outcome.told)


def refused(day):
    return "\n".join(str(outcome.error) for game in day.games for outcome in game.outcomes if outcome.error)


def answers(world):
    """Anna answers; how many messages the referee has then."""
    world.anna.sign(world.game)
    world.member["anna"].post()
    world.time.passes(24 * 3600)
    world.director.post()
    return world.ref.desk(world.game).seq


def test_2_10_a_resignation_that_the_referee_never_had_ends_no_game(world, tmp_path):
    other = resigned(world.boris, world.game, tmp_path)
    world.boris.sign(world.game)
    seq = world.boris.desk(world.game).seq - 1
    mailed(world, other, turn(world.boris, world.game, seq))
    assert not world.anna.desk(world.game).game.over
    assert answers(world) == seq + 2


def test_2_10_a_draft_that_was_begun_is_kept(world, tmp_path):
    seq, had, other = signs_two(world.boris, world.game, tmp_path)
    world.office.put(letter(other, world.boris.address), world.anna.address)
    world.member["anna"].post()
    draft = folders.draft_path(world.anna.folder(world.game), seq + 1)
    draft.write_bytes(draft.read_bytes() + b"# mine\n")
    begun = draft.read_bytes()
    day = mailed(world, other, had)
    assert f"your draft of message {seq + 1} is {seq + 1:04d}.draft.former now" in told(day)
    assert draft.with_suffix(".former").read_bytes() == begun
    assert draft.exists()
    assert draft.read_bytes() != begun


@pytest.mark.parametrize("step", [1, 2])
def test_2_10_whoever_is_cut_off_while_a_message_gives_way_is_told_and_has_a_draft(world, tmp_path, monkeypatch, step):
    """The old draft stayed, and could not be signed; nobody was told of the proof."""
    seq, had, other = signs_two(world.boris, world.game, tmp_path)
    world.office.put(letter(other, world.boris.address), world.anna.address)
    world.member["anna"].post()
    world.office.put(letter(had, world.boris.address), world.ref.address)
    world.director.post()
    world.time.passes(6 * 3600)
    real, done = evidence._move, []

    def cut_off(path, to):
        real(path, to)
        done.append(path)
        if len(done) == step:
            raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(evidence, "_move", cut_off)
        with pytest.raises(SystemExit):
            world.member["anna"].post()
    world.member["anna"].sits()
    day = world.member["anna"].post()
    kept, former = (next(world.anna.folder(world.game).glob(name)) for name in ("evidence-*.yaml", "*.former"))
    assert kept.read_bytes() == other
    assert f"kept as {kept}; your draft of message {seq + 1} is {former.name} now; 'kursk prove" in told(day)
    assert answers(world) == seq + 2


def test_2_10_a_draft_that_was_put_aside_is_never_replaced(world, tmp_path, monkeypatch):
    """Somebody who was cut off begins another draft before the mail is taken again."""
    seq, had, other = signs_two(world.boris, world.game, tmp_path)
    draft = folders.draft_path(world.anna.folder(world.game), seq + 1)
    before = draft.with_suffix(".former")
    before.write_bytes(b"# before\n")
    day = mailed(world, other, had)
    assert before.read_bytes() == b"# before\n"
    assert f"your draft of message {seq + 1} is {before.name} and {before.name}-2 now" in told(day)


def test_2_10_without_a_word_of_the_referee_the_first_one_counts(world, tmp_path):
    seq, had, other = signs_two(world.boris, world.game, tmp_path)
    for raw in (other, had):
        world.office.put(letter(raw, world.boris.address), world.anna.address)
        day = world.member["anna"].post()
    assert "that is fraud" in refused(day)
    assert turn(world.anna, world.game, seq) == other


def test_2_10_of_what_the_referee_has_given_a_receipt_nothing_gives_way(world, tmp_path):
    """A referee who signs receipts of both has contradicted themselves: that is for people."""
    seq, had, other = signs_two(world.boris, world.game, tmp_path)
    mailed(world, had, had)
    desk = world.anna.desk(world.game)
    assert max(desk.game.papers.receipts) == seq
    message = play.messages.read(other, "other.yaml")
    beside = [paper for paper in desk.game.papers.all if paper.seq == seq]
    with pytest.raises(TrustError, match="that is fraud"):
        evidence.second(desk, message, beside)


def test_2_10_nothing_is_signed_behind_a_message_that_gave_way_meanwhile(world, tmp_path):
    """A command that asks holds the game as it was; its answer would have stood behind a message that is gone."""
    _seq, had, other = signs_two(world.boris, world.game, tmp_path)
    world.office.put(letter(other, world.boris.address), world.anna.address)
    world.member["anna"].post()
    before = world.anna.desk(world.game)
    asked = drafts.resignation(before)
    mailed(world, other, had)
    with pytest.raises(UsageError, match="counts meanwhile, so nothing was signed"):
        play.sign(before, asked, None)
    play.sign(desk := world.anna.desk(world.game), drafts.resignation(desk), None)
    assert world.anna.desk(world.game).game.over


def test_2_10_a_reminder_says_too_which_message_the_referee_had(world, tmp_path):
    """It held the message without its receipt: where the letter before was lost nothing gave way."""
    seq, had, other = signs_two(world.boris, world.game, tmp_path)
    world.office.put(letter(other, world.boris.address), world.anna.address)
    world.member["anna"].post()
    world.office.put(letter(had, world.boris.address), world.ref.address)
    world.director.post()
    world.office.boxes.clear()
    for _quarter in range(16):
        world.time.passes(6 * 3600)
        world.director.post()
    world.member["anna"].post()
    assert turn(world.anna, world.game, seq) == had
    assert answers(world) == seq + 2


@pytest.fixture
def rolled(friends, tmp_path, time):
    """A game that a referee's mailbox rolls: Anna and Boris have desks with mailboxes of their own."""
    return Rolled(friends, tmp_path, time)


class Rolled:
    def __init__(self, friends, root, time):
        self.time, self.office = time, PostOffice(root, time, Faults())
        *self.players, self.ref = friends("anna", "boris", "ref")
        self.member = {
            who.name: Member(who, self.office, director=who is self.ref) for who in (*self.players, self.ref)
        }
        for one in self.member.values():
            one.knows(*(other for other in self.member.values() if other is not one))
        self.director = self.member["ref"]
        self.director.terms(7, director="boss@example.test")
        sides = dict(zip(postal.registry.kit("hex-toy").sides, self.players, strict=True))
        match = director.Match("hex-toy/fords", {side: who.public for side, who in sides.items()}, {}, {})
        self.game = director.propose(match, self.ref.key, self.ref.place, self.ref.home).game.chain.game
        for who in self.players:
            who.accept(turn(self.ref, self.game, 0))

    def passes(self, hours):
        for _quarter in range(0, hours, 6):
            self.time.passes(6 * 3600)
            for member in self.member.values():
                member.post()


@pytest.mark.parametrize("bound", [False, True])
def test_2_10_dice_of_the_referee_say_which_message_counts(rolled, tmp_path, bound):
    """Before the game is bound two messages convict nobody, and the desk of the other player was stuck for good."""
    while True:
        due = next(who for who in rolled.players if who.desk(rolled.game).mine)
        seq = due.desk(rolled.game).seq
        if seq > (4 if bound else 2):
            break
        due.sign(rolled.game)
        rolled.passes(24)
    fooled = next(who for who in rolled.players if who is not due)
    seq, had, other = signs_two(due, rolled.game, tmp_path)
    rolled.office.put(letter(other, due.address), fooled.address)
    rolled.member[fooled.name].post()
    assert turn(fooled, rolled.game, seq) == other
    rolled.passes(24)
    assert turn(fooled, rolled.game, seq) == had
    assert fooled.desk(rolled.game).seq == rolled.ref.desk(rolled.game).seq == seq + 2


def test_2_10_adjudicate_takes_the_letter_of_the_referee_too(world, tmp_path):
    seq, had, other = signs_two(world.boris, world.game, tmp_path)
    saved = tmp_path / "other.yaml"
    saved.write_bytes(other)
    world.anna.kursk("adjudicate", saved)
    world.office.put(letter(had, world.boris.address), world.ref.address)
    world.director.post()
    (mail,) = [
        raw for _at, _by, reader, raw in world.office.mails if reader == world.anna.address and b"eceipt" in raw
    ][-1:]
    saved.with_suffix(".eml").write_bytes(mail)
    world.anna.kursk("adjudicate", saved.with_suffix(".eml"))
    assert turn(world.anna, world.game, seq) == had


@pytest.mark.parametrize("swapped", [False, True])
def test_2_8_of_two_for_one_number_in_one_fetch_the_first_that_came_is_taken(world, tmp_path, swapped):
    """The one with the lower id was, whenever it came."""
    seq, *both = signs_two(world.boris, world.game, tmp_path)
    for raw in both[::-1] if swapped else both:
        world.time.passes(3600)
        world.office.put(letter(raw, world.boris.address), world.ref.address)
    world.director.post()
    taken = folders.read_message(folders.message_path(world.folder, seq))
    assert taken.id == messages.read(both[-1] if swapped else both[0], "").id
