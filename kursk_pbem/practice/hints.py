"""Hints for a draft: up to three ideas missing in the draft, with exact odds and gain.

A hint uses only the knowledge of the player: the position, the own seals and the own dice. The program guesses the
opponent's seals, even if another folder on this computer contains the values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from heapq import nlargest
from typing import Any

from kursk_pbem.desk.draft import drafts, ordering, preview, prospects, wording
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.draft.ordering import Written
from kursk_pbem.desk.draft.prospects import Prospect
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders
from kursk_pbem.kernel.ideas import POINT
from kursk_pbem.kernel.outlook import Chances
from kursk_pbem.kernel.state import OVER
from kursk_pbem.practice.analysis import need_allowed, show_points
from kursk_pbem.practice.levels import Thoughts, hide_seals
from kursk_pbem.practice.systems import find_ideas
from kursk_pbem.rulesets import has_opponent
from kursk_pbem.trust import messages

MOST, TRIED = 3, 12
"""Maximum number of hints; maximum number of compared ideas."""
OPINION = "Chances are exact. Gains are an opinion of the program, one message ahead. Threats of the enemy count, too."
NOTHING = "the program finds nothing better than your draft"
_Battle = tuple[str, frozenset[str]]


@frozen
class Advice:
    """An idea for a draft: ``orders`` in words, odds, ``gain`` in hundredths of a point (``exact``, or else estimated).

    ``fear``: a sentence about the enemy's next attacks, '' if the system does not foresee attacks. ``measure``: the
    points that the system counts, in words. ``unit``: the worth of one such point, in hundredths.

    ``part``: the orders are added to the draft. Otherwise ``content`` is a whole plan that replaces the draft.
    """

    title: str
    orders: tuple[str, ...]
    odds: tuple[str, ...]
    gain: Fraction
    exact: bool
    part: bool
    fear: str = ""
    measure: str = "points"
    unit: int = POINT
    content: Mapping[str, Any] = field(default_factory=dict)


def open_sheet(desk: Desk) -> DraftFile:
    """Return the draft of the next message. Without a draft file, return the proposed draft and write nothing."""
    ahead = desks.preview_duties(desk, desk.record_of_writer())
    desk.need_unsigned()
    path = folders.draft_path(desk.folder, desk.seq)
    raw = folders.read_bytes(path) if path.exists() else drafts.render_draft(desk, ahead).encode()
    return wording.read_draft_file(desk, path, raw, ahead.middle)


def find_hints(sheet: DraftFile) -> list[Advice]:
    """Return the best ideas that are missing in a draft, best first.

    Returns [] if the system has no practice opponent. Raises UsageError if the game's tournament forbids help.
    """
    ruleset, setting, own = sheet.desk.game.ruleset, sheet.desk.game.setting, sheet.desk.own
    if own is not None:
        need_allowed(own.home, sheet.desk.game, sheet.desk.folder)
    if (ideas := find_ideas(ruleset)) is None or sheet.state.stage == OVER:
        return []
    return _Adviser(sheet, Thoughts(ruleset, setting, ideas, "hint")).find_ideas()


def describe_hints(sheet: DraftFile, found: Sequence[Advice]) -> list[str]:
    """Return the hints as lines of text."""
    ruleset, lines = sheet.desk.game.ruleset, []
    if not found:
        lacking = f"the program has no ideas about {ruleset.title} yet"
        return [f"No hint: {NOTHING if has_opponent(ruleset) else lacking}."]
    for number, advice in enumerate(found, 1):
        lines.append(f"{number}. {describe_idea(advice)}")
        lines += [f"   {', '.join(advice.odds)}"] * bool(advice.odds)
        lines += [f"   {advice.fear}"] * bool(advice.fear)
        if advice.title not in advice.orders:
            lines.append(f"   {', '.join(advice.orders) if advice.part else f'{len(advice.orders)} other orders'}")
    return [*lines, OPINION]


def describe_idea(advice: Advice) -> str:
    """Return the title of an idea and the points that it gains."""
    gain = show_points(advice.gain * POINT / advice.unit)
    return f"{advice.title.rstrip('.')}: {'' if advice.exact else 'about '}{gain} {advice.measure}"


def take_hint(sheet: DraftFile, found: Sequence[Advice], number: int) -> Written:
    """Write the orders of a hint into the draft. The order 'undo' removes them. Raises UsageError for other numbers."""
    if not 1 <= number <= len(found):
        raise UsageError(f"there is no hint {number}: {f'choose 1 to {len(found)}' if found else NOTHING}")
    advice = found[number - 1]
    if advice.part:
        return ordering.write_orders(sheet, ordering.split_orders(", ".join(advice.orders)))
    return ordering.replace_choices(sheet, advice.content, advice.orders)


def to_plain(advice: Advice) -> dict[str, Any]:
    """Return a hint as plain data. The hint's gain is in points."""
    told = {key: value for key, value in vars(advice).items() if key not in ("content", "measure", "unit")}
    return {**told, "gain": str(advice.gain / POINT)}


@frozen
class _Adviser:
    sheet: DraftFile
    thoughts: Thoughts

    def find_ideas(self) -> list[Advice]:
        """Return the best ideas: single battles or orders of a plan, added to the draft; and whole plans instead."""
        sheet = self.sheet
        now = drafts.check_draft(sheet.desk, sheet.message)
        had, known = {words for _path, words in sheet.orders}, {_name_battle(one) for one in self.list_odds(now)}
        own = prospects.list_sealed(sheet.desk.game, sheet.state, sheet.desk.own)
        before, wholes = self.look_ahead(now), list[tuple[Advice, Checked]]()
        found: dict[tuple[str, ...], tuple[Advice, Checked]] = {}
        for plan, content in self.thoughts.make_drafts(hide_seals(sheet.state), sheet.desk.seq, own):
            head = {key: value for key, value in sheet.message.content.items() if key not in sheet.choices}
            whole = drafts.check_draft(sheet.desk, messages.make_draft({**head, **content}))
            missing = tuple(words for words in sheet.tell(content) if words not in had)
            if not missing or whole.result.violations:
                continue
            told, gain = f"{plan.title}. {plan.text}", self.compute_gain(before, whole)
            wholes.append((Advice(told, missing, (), *gain, part=False, content=content), whole))
            for title, orders in self.list_parts(whole, known, missing):
                if orders not in found and len(found) < TRIED and (done := self.add_orders(orders)):
                    odds = [one for one in self.list_odds(done) if _name_battle(one) not in known]
                    chances = tuple(part for one in odds for part in preview.summarize_chances(one))
                    gain = self.compute_gain(before, done)
                    found[orders] = Advice(title, orders, chances, *gain, part=True), done
        ideas = [*nlargest(1, wholes, key=_get_gain), *found.values()]
        best = [one for one in nlargest(MOST, ideas, key=_get_gain) if _get_gain(one) > 0]
        measure, unit = self.thoughts.ideas.measure, self.thoughts.ideas.unit
        return [
            replace(advice, fear=self.describe_fear(now, then), measure=measure, unit=unit) for advice, then in best
        ]

    def compute_gain(self, before: tuple[Fraction, bool], then: Checked) -> tuple[Fraction, bool]:
        """Return the gain of a draft over the expected worth ``before``, and whether the gain is exact."""
        (worth, sure), (after, exact) = before, self.look_ahead(then)
        return after - worth, sure and exact

    def describe_fear(self, now: Checked, then: Checked) -> str:
        """Return a sentence about the enemy's attacks, '' if the system does not foresee attacks."""
        setting, side, ideas = self.thoughts.setting, self.sheet.state.side, self.thoughts.ideas
        find = ideas.threats
        if find is None:
            return ""
        before, after = (find(setting, self.look_at(each).state, side) for each in (now, then))
        sums = (Fraction(sum(found.values()) * POINT, ideas.unit) for found in (after, before))
        less, more = (show_points(each, signed=False) for each in sums)
        words = self.thoughts.ruleset.seen.words(setting)
        most = f", most at {words.place(max(after, key=lambda each: after[each]))}" if after else ""
        return f"Fears about {less} {ideas.measure} from the enemy's next attacks (now {more}){most}."

    def look_at(self, checked: Checked) -> Prospect:
        """Return the position after a draft, without the hashes of sealed values."""
        seen = prospects.look_at_checked(self.sheet.desk, checked)
        return replace(seen, state=hide_seals(seen.state))

    def look_ahead(self, checked: Checked) -> tuple[Fraction, bool]:
        """Return the expected worth after a draft and the dice, and whether the worth is exact."""
        seen = self.look_at(checked)
        return self.thoughts.look_ahead(self.sheet.state, seen.state, seen.sealed)

    def list_odds(self, checked: Checked) -> tuple[Chances, ...]:
        """Return the chances of the battles in a draft."""
        return prospects.compute_odds(self.look_at(checked)) if checked.declares else ()

    def list_parts(
        self, whole: Checked, known: Collection[_Battle], missing: Sequence[str]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield title and orders of every additional battle of a plan, then every order outside of battles."""
        units, words = self.sheet.state.units, self.thoughts.ruleset.seen.words(self.thoughts.setting)
        used: set[str] = set()
        for battle in self.list_odds(whole):
            if _name_battle(battle) in known:
                continue
            place = battle.fought.place if battle.fought else ""
            who = set(battle.fought.attack.units if battle.fought else (battle.subject,))
            about = {each for each in missing if {*each.split()[1:2]} & {place, battle.subject}}
            who |= {uid for each in about for uid in each.split() if uid in units}
            about |= {each for each in missing if who & {*each.split()}}
            used |= about
            yield (
                f"Attack {words.place(place)}" if place else battle.title,
                tuple(each for each in missing if each in about or not _names_object(each, units)),
            )
        yield from ((each, (each,)) for each in missing if each not in used)

    def add_orders(self, orders: Sequence[str]) -> Checked | None:
        """Return the draft with more orders, None if the orders do not fit."""
        try:
            done = ordering.try_orders(self.sheet, ordering.split_orders(", ".join(orders)))
        except UsageError:
            return None
        return None if ordering.find_faults(self.sheet, done)[0] else done.checked


def _names_object(words: str, units: Mapping[str, Any]) -> bool:
    """Return whether an order names a unit or a place."""
    return any(word in units or any(sign.isdigit() for sign in word) for word in words.split())


def _get_gain(tried: tuple[Advice, Checked]) -> Fraction:
    return tried[0].gain


def _name_battle(chances: Chances) -> _Battle:
    """Return place and attackers of a battle, or the subject of another action."""
    fought = chances.fought
    return (fought.place, frozenset(fought.attack.units)) if fought else (chances.subject, frozenset())
