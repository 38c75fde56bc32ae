"""Frozen dataclasses for a fast start of commands.

``dataclasses.dataclass(frozen=True)`` compiles six methods of each class at the import of its module. ``frozen``
compiles only ``__init__``; equality, hash and repr are compiled at their first use. The time of an import falls to a
third. ``fields``, ``replace``, ``match``, pickles and inheritance work as for a dataclass, also mixed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

Class = TypeVar("Class", bound=type[Any])


@overload
def frozen(cls: Class, /) -> Class: ...
@overload
def frozen(*, eq: bool = True, kw_only: bool = False, slots: bool = False) -> Callable[[Class], Class]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field, Field))
def frozen(cls: Any = None, /, *, eq: bool = True, kw_only: bool = False, slots: bool = False) -> Any:
    """Make a class a frozen dataclass; the options have the meaning of ``dataclasses.dataclass``.

    Raises TypeError for a field without a place in ``__init__``.
    """

    def make(given: Any) -> Any:
        return _freeze(given, eq=eq, kw_only=kw_only, slots=slots)

    return make if cls is None else make(cls)


def _freeze(cls: Any, *, eq: bool, kw_only: bool, slots: bool) -> Any:
    own = {name for name, value in vars(cls).items() if value is not None}  # a class with __eq__ has __hash__ None
    above = any(base.__dataclass_params__.frozen for base in cls.__mro__[1:] if hasattr(base, "__dataclass_params__"))
    cls = dataclass(init=False, repr=False, eq=False, frozen=above, kw_only=kw_only, slots=slots)(cls)
    cls.__dataclass_params__.frozen = True
    cls.__setattr__, cls.__delattr__ = _refuse_value, _refuse_deletion
    given = fields(cls)
    if not all(each.init for each in given):
        raise TypeError(f"{cls.__name__} has a field that __init__ does not take")
    if "__init__" not in own:
        cls.__init__ = _compile_init(cls, given)
    later: dict[str, Callable[[], Any]] = {
        "__repr__": lambda: _compile_repr(cls, [each.name for each in given if each.repr])
    }
    if eq:
        compared = [each.name for each in given if each.compare]
        later["__eq__"] = lambda: _compile_eq(cls, compared)
        later["__hash__"] = lambda: _compile(cls, "__hash__", "self", [f"return hash({_list('self', compared)})"], {})
    for name, make in later.items():
        if name not in own:
            _compile_at_first_use(cls, name, make)
    if slots and "__getstate__" not in own:
        cls.__getstate__, cls.__setstate__ = _read_slots, _write_slots
    return cls


def _refuse_value(_self: Any, name: str, _value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(_self: Any, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _read_slots(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _write_slots(self: Any, values: Sequence[Any]) -> None:
    for each, value in zip(fields(self), values, strict=True):
        object.__setattr__(self, each.name, value)


def _compile_init(cls: Any, given: Sequence[Field[Any]]) -> Any:
    """Return ``__init__``: fields for keywords alone stand last, as in a dataclass."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    words, body = ["self"], []
    for each in sorted(given, key=lambda each: bool(each.kw_only)):
        name = value = each.name
        if each.kw_only and "*" not in words:
            words.append("*")
        if each.default_factory is not MISSING:
            known[f"_make_{name}"] = each.default_factory
            value = f"_make_{name}() if {name} is _MISSING else {name}"
        known[f"_default_{name}"] = each.default
        has_default = each.default is not MISSING or each.default_factory is not MISSING
        words.append(f"{name}=_default_{name}" if has_default else name)
        slot = getattr(cls, name, None)
        if isinstance(slot, MemberDescriptorType):  # the slot sets its value in half the time
            known[f"_set_{name}"] = slot.__set__
            body.append(f"_set_{name}(self, {value})")
        else:
            body.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    return _compile(cls, "__init__", ", ".join(words), body or ["pass"], known)


def _compile_repr(cls: Any, names: Sequence[str]) -> Any:
    text = ", ".join(f"{name}={{self.{name}!r}}" for name in names)
    body = [f"return f'{{self.__class__.__qualname__}}({text})'"]
    return recursive_repr()(_compile(cls, "__repr__", "self", body, {}))


def _compile_eq(cls: Any, names: Sequence[str]) -> Any:
    same = f"{_list('self', names)} == {_list('other', names)}"
    body = [f"return {same} if other.__class__ is self.__class__ else NotImplemented"]
    return _compile(cls, "__eq__", "self, other", body, {})


def _list(who: str, names: Sequence[str]) -> str:
    return "(" + "".join(f"{who}.{name}," for name in names) + ")"


def _compile(cls: Any, name: str, words: str, body: Sequence[str], known: dict[str, Any]) -> Any:
    exec("\n ".join([f"def {name}({words}):", *body]), known)  # noqa: S102 - the text holds names of fields
    made = known[name]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.{name}", cls.__module__
    return made


def _compile_at_first_use(cls: Any, name: str, make: Callable[[], Any]) -> None:
    def compile_now(*given: Any) -> Any:
        made = make()
        setattr(cls, name, made)
        return made(*given)

    compile_now.__name__ = name
    setattr(cls, name, compile_now)
