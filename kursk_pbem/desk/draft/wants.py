"""A plan in words, such as 'take 2113 and lose at most 2 steps', and its chances after all declared battles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.draft.prospects import Prospect
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.formats.text import show
from kursk_pbem.kernel import forecast
from kursk_pbem.kernel.forecast import Share, Turn
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State
from kursk_pbem.report import textmap
from kursk_pbem.report.luck import show_per_cent
from kursk_pbem.report.odds import show_fraction

HEXES = "take HEX, hold HEX, gone UNIT, lose at most N steps, points >= N"
TABLE = "destroyed VEHICLE, objective held"
_FORM = re.compile(
    r"(take|hold|gone|destroyed) (.+)|(lose) at most (\d{1,3}) steps?|(points) >= ?(-?\d{1,4})|(objective) held()"
)


def find_turn(seen: Prospect) -> Turn | None:
    """Return the declared battles and shots that wait for dice, or None."""
    return seen.game.ruleset.seen.turn(seen.game.setting, seen.state, seen.sealed)


def compute_plan(seen: Prospect, turn: Turn, text: str) -> tuple[tuple[str, Share], ...]:
    """Return the chance of every goal of a plan, and the chance of all goals together. Raises UsageError."""
    said = [" ".join(part.split()) for part in re.split(r",|\band\b", text)]
    wants = [_read_want(seen, turn, part) for part in said]
    plain = seen.state.to_plain()
    agenda = {key: value for key, value in plain["agenda"].items() if not key.startswith("sealed/")}  # no salts
    seed = sha256_hex(canon([{**plain, "agenda": agenda}, dict(seen.sealed)]))
    named = zip([*said, "all of it"], forecast.forecast(turn, wants, seed), strict=True)
    return tuple(named)[: len(said) + (len(said) > 1)]


def _find_side(seen: Prospect) -> str:
    return seen.side if seen.side in seen.game.ruleset.sides else seen.state.side


def _name_side(seen: Prospect) -> str:
    return seen.game.ruleset.seen.words(seen.game.setting).side(_find_side(seen))


def _read_want(seen: Prospect, turn: Turn, said: str) -> Callable[[State], bool]:
    """Return the condition of one want. Raises UsageError."""
    form, known, side = _FORM.fullmatch(said.lower()), TABLE if turn.holds else HEXES, _find_side(seen)
    kind, name = [part for part in form.groups() if part is not None] if form else ("", "")
    if kind not in known or not kind:
        raise UsageError(f"{show(said)} is no goal of a plan; type some of these goals, joined by 'and': {known}")
    ruleset, setting, state = seen.game.ruleset, seen.game.setting, turn.start.state
    words, margin, sign = ruleset.seen.words(setting), ruleset.play.margin, 1 if side == ruleset.sides[0] else -1
    if kind in ("take", "hold"):
        place = textmap.find_spot(ruleset.seen.picture(setting, state), name)
        return lambda after: any(unit.place == place and words.owner(uid) == side for uid, unit in after.units.items())
    if kind in ("gone", "destroyed"):
        uid = prospects.find_unit(seen, name)
        if uid not in state.units:
            raise UsageError(f"the unit {show(name)} has several models: type the id of one model")
        return lambda after: after.units[uid].place in (ELIMINATED, OFF_MAP)
    if kind == "lose":
        own = [uid for uid in state.units if words.owner(uid) == side]
        return lambda after: sum(state.units[uid].steps - after.units[uid].steps for uid in own) <= int(name)
    if kind == "points":
        return lambda after: sign * (margin(setting, after) or 0) >= int(name)
    return lambda after: turn.holds is not None and turn.holds(after, side)


def describe_plan(seen: Prospect, text: str) -> Iterator[str]:
    """Yield lines about a plan: the chance of every goal, and the assumptions. Raises UsageError."""
    turn = find_turn(seen)
    if turn is None:
        yield f"A plan needs a declared battle or shot, but none is declared ({seen.what})."
        return
    yield f"Plan of the {_name_side(seen)} side, after all battles:"
    for said, share in compute_plan(seen, turn, text):
        yield f"  {said}: {_show_share(share)}"
    yield from (f"  {line[:1].upper()}{line[1:]}." for line in forecast.assume(turn, seen.sealed))


def _show_share(share: Share) -> str:
    interval = f"{show_per_cent(share.low)} to {show_per_cent(share.high)}"
    about = f"about {show_per_cent(share.chance)}, 95% interval {interval}, from {share.plays} plays"
    return about if share.plays else show_fraction(share.chance)


def compare_plans(seen: Prospect, other: Prospect, text: str) -> Iterator[str]:
    """Yield lines that compare the chances of a plan in two positions, side by side. Raises UsageError."""
    turns = [(each, find_turn(each)) for each in (seen, other)]
    if idle := [each.what for each, turn in turns if turn is None]:
        yield f"A plan needs a battle or a shot in both games, but none is declared ({idle[0]})."
        return
    found = [compute_plan(each, turn, text) for each, turn in turns if turn is not None]
    one, two = (_name_side(each) for each in (seen, other))
    yield f"Plan of the {one} side, {seen.what} | plan of the {two} side, {other.what}:"
    for (said, here), (_said, there) in zip(*found, strict=True):
        yield f"  {said}: {_show_share(here)} | {_show_share(there)}"


def to_json(seen: Prospect, text: str) -> list[dict[str, str]]:
    """Return the chances of a plan as plain data; [] if nothing is declared. Raises UsageError."""
    turn = find_turn(seen)
    shares = compute_plan(seen, turn, text) if turn else ()
    return [{"want": said, **{key: str(value) for key, value in vars(share).items()}} for said, share in shares]
