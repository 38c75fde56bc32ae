"""The text of a draft before its writer has chosen anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kursk_pbem.desk.draft import editors
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.report import draft
from kursk_pbem.trust import messages


def compose_draft(game: Game, middle: State | None, policy: Mapping[str, Any], *, bare: bool = False) -> str:
    """Return the text of the next draft. ``middle``: the position after the duties (steps without a choice).

    ``middle`` is None if only the player who writes next can compute the duties. ``policy``: that player's standing
    answers; the draft contains them only if an answer can matter (T38).
    """
    seq = game.chain.next_seq
    kind = "accept" if seq < game.chain.bound else "turn"
    fields = {
        "kursk-pbem": messages.VERSION,
        "type": kind,
        "game": game.chain.game,
        "seq": str(seq),
        "from": game.chain.writer(seq),
        "prev": game.chain.head_id,
    }
    over = middle is not None and middle.stage == OVER
    hints: tuple[Hint, ...] = ()
    if middle is not None and not over:
        hints = game.ruleset.seen.hints(game.setting, middle, seq)
    if policy and middle is not None and hints and not game.ruleset.quiet(game.setting, middle):
        hints = tuple(replace(hint, value=policy) if hint.path == ("policy",) else hint for hint in hints)
    what = f"message {seq}, from the {game.chain.writer(seq)} side: {game.brings}"
    how = "Fill in your orders, or type 'kursk order'; then 'kursk check' and 'kursk sign'."
    if over:
        how = "The dice end the game, so no orders are possible: type 'kursk sign'."
    elif middle is None:
        how = "The writer's dice or sealed values come first: type 'kursk inbox' at the writer's desk."
    elif not hints:
        how = "The message needs no choices: type 'kursk sign'."
    preface = [
        editors.HEADLINE.removeprefix("# "),
        f"{game.ruleset.title}, turn {game.state.turn}: {what}.",
        f"{how} Lines that begin with # are comments.",
    ]
    return draft.render(fields, hints, preface, bare=bare)
