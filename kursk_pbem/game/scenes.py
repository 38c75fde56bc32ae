"""A message divided into scenes to watch: a phase, a battle or a shot, with a story.

The events of a phase without a story belong to the next scene.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kursk_pbem.frozen import frozen
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import Step
from kursk_pbem.kernel.account.lines import joined, number, sentence, spot
from kursk_pbem.kernel.events import Event, Fought, Moved, Noted, PhaseBegan, Placed, Rolled, Scheduled, Tested, apply
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import Words, unit
from kursk_pbem.report.lines import describe_label

QUIET = "Nothing moves on the map."
"""Text for a message without visible events."""
_DUE = "What was due"


@frozen
class Scene:
    """A part of a message: title, events, the positions before and after, and the story (``told``).

    ``kind``: message, phase, battle or shot. ``phase``: the phase of the scene.
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
        """The battle in the scene, or None."""
        return next((event for event in self.events if isinstance(event, Fought)), None)


def cut_scenes(game: Game, words: Words, step: Step) -> tuple[Scene, ...]:
    """Return the scenes of a message, at least one."""
    state = step.after.state
    if step.result is None:
        return (Scene("message", "the first position", (), state, state, told="So the game begins."),)
    cut = _cut_message(words, step.result.before, step.result.events)
    scenes = _fold_scenes(_add_story(game, words, scene) for scene in cut)
    return scenes or (Scene("message", "nothing was ordered", (), state, state, told=QUIET),)


def _fold_scenes(scenes: Iterator[Scene]) -> tuple[Scene, ...]:
    """Merge scenes without a story into the next scene, or the last ones into the scene before."""
    out: list[Scene] = []
    quiet: Scene | None = None
    for scene in scenes:
        joint = scene if quiet is None else _join_scenes(quiet, scene, scene)
        if scene.told:
            out.append(joint)
            quiet = None
        else:
            quiet = joint
    if quiet is not None:
        out[-1:] = (
            [_join_scenes(out[-1], quiet, out[-1])]
            if out
            else [replace(quiet, told=_describe_sealed(quiet.events) or QUIET)]
        )
    return tuple(out)


def _join_scenes(one: Scene, other: Scene, shown: Scene) -> Scene:
    """Return two scenes as one, with the title and kind of ``shown``."""
    return replace(shown, events=(*one.events, *other.events), before=one.before, after=other.after)


def _add_story(game: Game, words: Words, scene: Scene) -> Scene:
    """Return a scene with the story; '' if the map shows no change."""
    if scene.kind == "shot":
        return replace(scene, told=" ".join(map(sentence, _describe_tests(words, scene.events))))
    began = (scene.phase,) if scene.phase is not None and scene.phase not in scene.events else ()
    told = game.ruleset.seen.story(game.setting, scene.before, (*began, *scene.events), scene.after)
    if not told and (scene.kind == "battle" or scene.before.units != scene.after.units):
        placed = {event.unit for event in scene.events if isinstance(event, Placed)}
        many = number(len(placed), "unit")
        told = (sentence(f"{many} {'takes its place' if len(placed) == 1 else 'take their places'}"),) if placed else ()
        told = told or (sentence(scene.title),)
    return replace(scene, told=" ".join(told))


def _describe_sealed(events: Iterable[Event]) -> str:
    """Return a sentence on sealed choices; '' without sealed choices."""
    told = [
        describe_label(event.key.removeprefix("sealed/"))
        for event in events
        if isinstance(event, Scheduled) and event.key.startswith("sealed/") and isinstance(event.value, Mapping)
    ]
    return f"Sealed until the next message of its writer: {joined(told)}." if told else ""


def _describe_tests(words: Words, events: Iterable[Event]) -> Iterator[str]:
    """Yield lines like 'AT gun of ZiS-3 (s-gun-1) at Panzer IV (g-pz-7): miss'."""
    for event in events:
        if isinstance(event, Tested):
            aimed = f" at {unit(words, event.target)}" if event.target else ""
            yield f"{event.what} of {unit(words, event.subject)}{aimed}: {event.text}"


@dataclass
class _Cutter:
    """The state of cutting. ``of``: the battle or shot of the scene, '' in a plain phase."""

    now: State
    title: str = _DUE
    of: str = ""
    phase: PhaseBegan | None = None


def _cut_message(words: Words, before: State, events: Sequence[Event]) -> Iterator[Scene]:
    """Divide a message by phases, and phases by battles and shots."""
    fights = {event.battle: event for event in events if isinstance(event, Fought)}
    aimed = {event.label.partition("/")[0]: event for event in events if isinstance(event, Tested) and event.target}
    at = _Cutter(before)
    held: list[Event] = []
    for event in events:
        of = _find_battle(event, fights, aimed)
        leaves = at.of in aimed and not of and isinstance(event, (Moved, Noted))  # the fire of this side has ended
        if (isinstance(event, PhaseBegan) or of not in ("", at.of) or leaves) and not all(
            isinstance(each, PhaseBegan) for each in held
        ):
            yield _make_scene(at, fights, held, before)
            held, before = [], at.now
        if isinstance(event, PhaseBegan):
            at.phase, at.of = event, ""
        elif of or leaves:
            at.of = of
        at.title = _make_title(at, words, fights, aimed)
        held.append(event)
        at.now = apply(at.now, event)
    if held:
        yield _make_scene(at, fights, held, before)


def _make_scene(at: _Cutter, fights: dict[str, Fought], held: Sequence[Event], before: State) -> Scene:
    kind = "phase" if not at.of else "battle" if at.of in fights else "shot"
    return Scene(kind, at.title, tuple(held), before, at.now, at.phase)


def _find_battle(event: Event, fights: dict[str, Fought], aimed: dict[str, Tested]) -> str:
    """Return the battle or shot named by an event, or ''."""
    if isinstance(event, (Rolled, Tested)):
        named = event.label.partition("/")[0]
    else:
        named = event.battle if isinstance(event, (Fought, Noted)) else ""
    return named if named in fights or (named in aimed and isinstance(event, (Rolled, Tested))) else ""


def _make_title(at: _Cutter, words: Words, fights: dict[str, Fought], aimed: dict[str, Tested]) -> str:
    if fought := fights.get(at.of):
        result = fought.result or fought.column or "no attack"
        return f"Battle at {spot(words, fought.place)}: {result}"
    if shot := aimed.get(at.of):
        return f"{unit(words, shot.subject)} fires at {unit(words, shot.target)}"
    if at.phase is None:
        return _DUE
    who = f"{words.side(at.phase.side)}: " if at.phase.side else ""
    return f"{who}{words.phase(at.phase.phase)}"
