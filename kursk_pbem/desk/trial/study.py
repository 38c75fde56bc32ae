"""Write studies: comments at messages, and branches from what-if games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from kursk_pbem.desk.trial.what_if import SEALED
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, studies
from kursk_pbem.game.histories import History
from kursk_pbem.game.studies import Study, Verified
from kursk_pbem.kernel.state import State


def save(path: Path, study: Study, *, new: bool = False) -> None:
    """Write a verified study. ``new``: never over another file. Raises KurskError."""
    raw = study.to_bytes()
    studies.verify(study, str(path))
    folders.write(path, raw.decode("utf-8"), force=not new)


def add_comment(verified: Verified, at: str, text: str, name: str) -> Study:
    """Return the study with one more comment at a message: a number, or BRANCH/number."""
    study = verified.study
    return replace(study, comments=(*study.comments, {"at": at, "name": name, "text": text}))


def add_branch(verified: Verified, trial: History, name: str) -> Study:
    """Return the study with a what-if game as a branch. Raises UsageError if it does not belong to the study.

    In a running game nothing that is still sealed there may show, not even a guess.
    """
    game, study = verified.game, verified.study
    start = trial.game.what_if
    if start is None:
        raise UsageError("a branch is a what-if game: 'kursk play --from GAME/N' begins one")
    if start >= len(game.steps) or not _is_same_position(trial, game, start):
        raise UsageError("the what-if game begins at no position of this study: begin it from the study's own game")
    played = [step for step in trial.steps[start + 1 :] if step.message.type in ("accept", "turn")]
    if not played:
        raise UsageError("the what-if game has no message yet: play on first")
    if not game.game.over and (hidden := _find_hidden(game, start)):
        opened = {label for step in played for label in step.message.mapping("reveal")}
        if shown := sorted(opened & hidden):
            why = "the game is running, and nobody has opened it there"
            raise UsageError(f"the branch would show {', '.join(shown)}: {why}. Add the branch when the game is over")
    used = {branch["id"] for branch in study.branches}
    id_ = next(f"b{number}" for number in range(1, 100) if f"b{number}" not in used)
    entry = {"id": id_, "name": name, "from": str(start), "messages": [studies.make_entry(step) for step in played]}
    return replace(study, branches=(*study.branches, entry))


def _is_same_position(trial: History, game: History, start: int) -> bool:
    """Return whether a what-if game begins at a message of the game, apart from the hashes of seals."""
    one, other = (history.steps[start].after.state for history in (trial, game))
    return _drop_seals(one) == _drop_seals(other)


def _drop_seals(state: State) -> State:
    return state.with_(agenda={key: value for key, value in state.agenda.items() if not key.startswith(SEALED)})


def _find_hidden(game: History, start: int) -> set[str]:
    """Return the labels that were sealed at a message and that no message of the game opens later."""
    agenda = game.steps[start].after.state.agenda
    sealed = {key.removeprefix(SEALED) for key in agenda if key.startswith(SEALED)}
    return sealed - {label for step in game.steps[start + 1 :] for label in step.message.mapping("reveal")}


def describe_shown(verified: Verified) -> Iterator[str]:
    """Yield what a study of a running game would show the opponent."""
    study = verified.study
    if verified.game.game.over:
        return
    yield "the game is running: whoever has the file reads your comments and your lines of play"
    if study.branches or study.comments:
        names = ", ".join(branch["name"] or branch["id"] for branch in study.branches) or "no branch"
        yield f"it shows {len(study.comments)} comments, and the branches: {names}"
