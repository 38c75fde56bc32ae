"""A message cut into scenes that one can watch: a phase, a battle or a shot each, told in sentences.

A phase in which nothing happens that anybody would tell is no scene of its own: its events belong to the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import Step
from kursk_pbem.kernel.account.lines import joined, number, sentence, spot
from kursk_pbem.kernel.events import Event, Fought, Moved, Noted, PhaseBegan, Placed, Rolled, Scheduled, Tested, apply
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import Words, unit
from kursk_pbem.report.lines import in_words

QUIET = "Nothing moves on the map."
"""What is told of a message in which nothing happened that anybody would tell."""
_DUE = "What was due"


@dataclass(frozen=True)
class Scene:
    """Part of a message: its title, its events, the positions around it, what is told of it.

    ``kind``: message, phase, battle or shot. ``phase`` is the one that it belongs to.
    """

    kind: str
    title: str
    events: tuple[Event, ...]
    before: State
    after: State
    phase: PhaseBegan | None = None
    told: str = ""

    @property
    def fought(self) -> Fought | None:
        """Its battle."""
        return next((event for event in self.events if isinstance(event, Fought)), None)


def of(game: Game, words: Words, step: Step) -> tuple[Scene, ...]:
    """The scenes of a message, at least one."""
    state = step.after.state
    if step.result is None:
        return (Scene("message", "the first position", (), state, state, told="So the game begins."),)
    cut = _cut(words, step.result.before, step.result.events)
    scenes = _folded(_told(game, words, scene) for scene in cut)
    return scenes or (Scene("message", "nothing was ordered", (), state, state, told=QUIET),)


def _folded(scenes: Iterator[Scene]) -> tuple[Scene, ...]:
    """Without scenes of which nothing is told: their events begin the next one, or end the last."""
    out: list[Scene] = []
    quiet: Scene | None = None
    for scene in scenes:
        joint = scene if quiet is None else _joint(quiet, scene, scene)
        if scene.told:
            out.append(joint)
            quiet = None
        else:
            quiet = joint
    if quiet is not None:
        out[-1:] = [_joint(out[-1], quiet, out[-1])] if out else [replace(quiet, told=_sealed(quiet.events) or QUIET)]
    return tuple(out)


def _joint(one: Scene, other: Scene, shown: Scene) -> Scene:
    """Two scenes as one, which looks like one of them."""
    return replace(shown, events=(*one.events, *other.events), before=one.before, after=other.after)


def _told(game: Game, words: Words, scene: Scene) -> Scene:
    """A scene with what is told of it; '' where nothing is, and nothing on the map shows that it was."""
    if scene.kind == "shot":
        return replace(scene, told=" ".join(map(sentence, _tests(words, scene.events))))
    began = (scene.phase,) if scene.phase is not None and scene.phase not in scene.events else ()
    told = game.ruleset.seen.story(game.setting, scene.before, (*began, *scene.events), scene.after)
    if not told and (scene.kind == "battle" or scene.before.units != scene.after.units):
        placed = {event.unit for event in scene.events if isinstance(event, Placed)}
        many = number(len(placed), "unit")
        told = (sentence(f"{many} {'takes its place' if len(placed) == 1 else 'take their places'}"),) if placed else ()
        told = told or (sentence(scene.title),)
    return replace(scene, told=" ".join(told))


def _sealed(events: Iterable[Event]) -> str:
    """What was sealed, where nothing else can be told: it may have moved, and nobody else may see it; '' if nothing."""
    told = [
        in_words(event.key.removeprefix("sealed/"))
        for event in events
        if isinstance(event, Scheduled) and event.key.startswith("sealed/") and isinstance(event.value, Mapping)
    ]
    return f"Sealed until the next message of its writer: {joined(told)}." if told else ""


def _tests(words: Words, events: Iterable[Event]) -> Iterator[str]:
    """'AT gun of ZiS-3 (s-gun-1) at Panzer IV (g-pz-7): miss', 'Save of Panzer IV (g-pz-7): destroyed'."""
    for event in events:
        if isinstance(event, Tested):
            aimed = f" at {unit(words, event.target)}" if event.target else ""
            yield f"{event.what} of {unit(words, event.subject)}{aimed}: {event.text}"


@dataclass
class _Cutter:
    """What is cut out next: ``of`` is the battle or shot that it tells, '' in a plain phase."""

    now: State
    title: str = _DUE
    of: str = ""
    phase: PhaseBegan | None = None


def _cut(words: Words, before: State, events: Sequence[Event]) -> Iterator[Scene]:
    """A message by phase, and a phase with battles or with fire by these."""
    fights = {event.battle: event for event in events if isinstance(event, Fought)}
    aimed = {event.label.partition("/")[0]: event for event in events if isinstance(event, Tested) and event.target}
    at = _Cutter(before)
    held: list[Event] = []
    for event in events:
        of = _belongs(event, fights, aimed)
        leaves = at.of in aimed and not of and isinstance(event, (Moved, Noted))  # the fire of this side is over
        if (isinstance(event, PhaseBegan) or of not in ("", at.of) or leaves) and any(map(_counts, held)):
            yield _scene(at, fights, held, before)
            held, before = [], at.now
        if isinstance(event, PhaseBegan):
            at.phase, at.of = event, ""
        elif of or leaves:
            at.of = of
        at.title = _titled(at, words, fights, aimed)
        held.append(event)
        at.now = apply(at.now, event)
    if held:
        yield _scene(at, fights, held, before)


def _counts(event: Event) -> bool:
    return not isinstance(event, PhaseBegan)


def _scene(at: _Cutter, fights: dict[str, Fought], held: Sequence[Event], before: State) -> Scene:
    kind = "phase" if not at.of else "battle" if at.of in fights else "shot"
    return Scene(kind, at.title, tuple(held), before, at.now, at.phase)


def _belongs(event: Event, fights: dict[str, Fought], aimed: dict[str, Tested]) -> str:
    """The battle or shot that an event begins or belongs to by its own words, '' if it says none."""
    if isinstance(event, (Rolled, Tested)):
        named = event.label.partition("/")[0]
    else:
        named = event.battle if isinstance(event, (Fought, Noted)) else ""
    return named if named in fights or (named in aimed and isinstance(event, (Rolled, Tested))) else ""


def _titled(at: _Cutter, words: Words, fights: dict[str, Fought], aimed: dict[str, Tested]) -> str:
    if fought := fights.get(at.of):
        result = fought.result or fought.column or "no attack"
        return f"Battle at {spot(words, fought.place)}: {result}"
    if shot := aimed.get(at.of):
        return f"{unit(words, shot.subject)} fires at {unit(words, shot.target)}"
    if at.phase is None:
        return _DUE
    who = f"{words.side(at.phase.side)}: " if at.phase.side else ""
    return f"{who}{words.phase(at.phase.phase)}"
