"""A game as an auditor sees it: everything that the files alone can show, one verdict a game, the first fault named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from kursk_pbem.audit.one_file import Finding, failed
from kursk_pbem.errors import KurskError, TrustError, Where
from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games
from kursk_pbem.game import receipts, successor


def find_games(path: Path) -> Iterator[Path]:
    """Every folder at or below ``path`` that holds a 0000.yaml or 0000.json, in order of its name."""
    waiting = [path]
    while waiting:
        here = waiting.pop()
        try:
            if folders.proposal_path(here).is_file():
                yield here
                continue
            below = [each for each in here.iterdir() if each.is_dir() and not each.is_symlink()]
        except OSError:
            yield here  # it cannot be looked into; whoever verifies it will say so
            continue
        waiting += sorted(below, reverse=True)


def verify_game(folder: Path, head: str = "") -> Finding:
    """Verify a game folder whole. ``head``: the id (or its first 32 digits) that the last message must have."""
    try:
        game = games.load(folder)
        folders.need_one_form(folder)
        if head and not game.chain.head_id.startswith(head.lower()):
            last = folders.message_files(folder)[-1]
            raise TrustError(
                "head", f"the game ends with message {game.chain.next_seq - 1}, head {game.chain.head_id[:32]}, not "
                f"with {head[:32]}: later messages are missing, or it is another game", Where(str(last)),
            )  # fmt: skip
    except KurskError as error:
        return failed(str(folder), error)
    verdict, continues = game.verdict, game.chain.head.get("continues", {}).get("game", "")
    ended = verdict.text if verdict else f"turn {game.state.turn}, {game.chain.writer(game.chain.next_seq)} to write"
    if game.chain.offer:
        ended += " (to hand on an offer)" if game.hands_on else " (a reply to an offer)"
    times = receipts.reply_times(game.chain, game.papers)
    taken = "".join(f"; {side}: {each}" for side, each in times.items())
    return Finding(
        str(folder),
        0,
        f"{folder}: verified, {game.chain.next_seq} messages, {ended}, head {game.chain.head_id[:32]}{taken}",
        game.chain.game,
        game.chain.head_id,
        game.chain.next_seq,
        continues=continues,
        winner=verdict.winner if verdict else "",
        how=verdict.how if verdict else "",
        times=times,
    )


def join(found: Sequence[Finding]) -> list[Finding]:
    """The same verdicts, each game that continues another held against that one, where both are well and here."""
    well: dict[str, list[Path]] = {}
    for each in found:
        if each.game and not each.status and Path(each.path).is_dir():
            well.setdefault(each.game, []).append(Path(each.path))
    return [_joined(each, well.get(each.continues, [])) if each.continues else each for each in found]


def _joined(found: Finding, copies: Sequence[Path]) -> Finding:
    """Held against the copies of the old game: one that shows the agreement is enough, another may end before it."""
    name = folders.folder_name(found.continues)
    if not copies:
        return replace(found, text=f"{found.text}; it stands on the accept of {name}: verify both together")
    told = []
    for old in copies:
        try:
            accepted, words = successor.agreed(old, Path(found.path))
        except KurskError as error:
            told.append(replace(failed(found.path, error), continues=found.continues))
            continue
        told.append(replace(found, text=f"{found.text}; {words}"))
        if accepted:
            return told[-1]
    return max(told, key=lambda each: each.status)
