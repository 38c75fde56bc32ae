"""Frozen classes of the program behave as ``dataclasses.dataclass(frozen=True)``: each promise is asked of both."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from functools import partial
from types import SimpleNamespace

import pytest

from kursk_pbem.frozen import frozen

plain = partial(dataclass, frozen=True)


def make_classes(make):
    """Make the same five classes with ``make``, as ``dataclass(frozen=True)`` or ``frozen`` does."""

    @make()
    class Hex:
        """A hex."""

        name: str
        cost: int = 2
        held: list = field(default_factory=list, compare=False)
        note: str = field(default="", repr=False)

    @make()
    class City(Hex):
        points: int = 0

        def __post_init__(self):
            object.__setattr__(self, "name", self.name.upper())

    @make(slots=True)
    class Step:
        cost: int
        way: tuple = ()

    @make(eq=False)
    class Board:
        size: int

    @make(kw_only=True)
    class Order:
        unit: str
        to: str = "here"

    @make()
    class Own:  # noqa: PLW1641 - the decorator adds it
        size: int

        def __eq__(self, other):
            return True

        def __repr__(self):
            return "own"

    return SimpleNamespace(Hex=Hex, City=City, Step=Step, Board=Board, Order=Order, Own=Own)


BOTH = {"plain": make_classes(plain), "frozen": make_classes(frozen)}
Step = BOTH["frozen"].Step
Step.__qualname__ = "Step"  # so that a pickle finds the class


@pytest.fixture(params=BOTH)
def made(request):
    return BOTH[request.param]


def test_a_frozen_class_compares_the_fields_that_count(made):
    assert made.Hex("a", held=[1]) == made.Hex("a", held=[2])
    assert made.Hex("a") != made.Hex("b")
    assert made.Hex("a") != made.City("a")
    assert made.Hex("a").__eq__(4) is NotImplemented
    assert made.Board(4) != made.Board(4)
    assert made.Own(1) == made.Own(2)


def test_a_frozen_class_hashes_as_it_compares(made):
    assert hash(made.Hex("a", held=[1])) == hash(made.Hex("a", held=[2])) == hash(("a", 2, ""))
    assert len({made.Board(4), made.Board(4)}) == 2
    assert hash(made.Own(1)) == hash((1,)), "a class with its own __eq__ hashes its fields"


def test_a_frozen_class_shows_its_fields(made):
    assert repr(made.Hex("a", held=["x"])).endswith("Hex(name='a', cost=2, held=['x'])")
    hex_ = made.Hex("a")
    hex_.held.append(hex_)
    assert repr(hex_).endswith("Hex(name='a', cost=2, held=[...])")
    assert repr(made.Own(1)) == "own"


def test_a_frozen_class_refuses_changes(made):
    for thing in (made.Hex("a"), made.City("a"), made.Step(1)):
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'cost'"):
            thing.cost = 1
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'cost'"):
            del thing.cost


def test_a_frozen_class_takes_what_a_dataclass_takes(made):
    assert made.Hex("a").held is not made.Hex("a").held
    assert made.City("a", points=3).name == "A"
    assert [each.name for each in fields(made.City)] == ["name", "cost", "held", "note", "points"]
    assert replace(made.City("a"), points=4) == made.City("a", points=4)
    assert asdict(made.Step(1, ((2,),))) == {"cost": 1, "way": ((2,),)}
    assert made.Order(unit="x").to == "here"
    for wrong in (lambda: made.Order("x"), made.Hex, lambda: made.Hex("a", nothing=1)):
        with pytest.raises(TypeError):
            wrong()


def test_a_frozen_class_can_be_matched_and_copied(made):
    match made.Step(1, ("a",)):
        case made.Step(cost, (way,)):
            assert (cost, way) == (1, "a")
    assert copy.deepcopy(made.City("a", held=[[1]])) == made.City("a")
    assert copy.copy(made.Step(1)) == made.Step(1)
    assert not hasattr(made.Step(1), "__dict__")


def test_a_frozen_class_survives_a_pickle():
    assert pickle.loads(pickle.dumps(Step(1, ("a",)))) == Step(1, ("a",))  # noqa: S301 - bytes of this test


@pytest.mark.parametrize(("below", "above"), [(plain, frozen), (frozen, plain)])
def test_both_kinds_inherit_from_each_other(below, above):
    @below()
    class Low:
        name: str

    @above()
    class High(Low):
        cost: int

    assert High("a", 1) == High("a", 1) != High("a", 2)
    with pytest.raises(FrozenInstanceError):
        High("a", 1).name = "b"
