"""A game as an auditor sees it: everything that the files alone can show, one verdict a game, the first fault named."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from kursk_pbem.audit.one_file import Finding, failed
from kursk_pbem.errors import KurskError, TrustError, Where
from kursk_pbem.game import folder as folders
from kursk_pbem.game import history as histories
from kursk_pbem.game import reply_times
from kursk_pbem.game.history import History


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
            yield here  # it cannot be looked into; its verification will say so
            continue
        waiting += sorted(below, reverse=True)


def continued(folders_: Iterable[Path]) -> frozenset[str]:
    """The ids of the games that one of these goes on from, by what its message 0 says; nothing is verified yet."""
    found = set()
    for folder in folders_:
        try:
            first = folders.proposal_path(folder)
            if b"continues" in folders.read_bytes(first):
                found.add(str(folders.read_message(first).mapping("continues").get("game", "")))
        except (KurskError, OSError):
            continue  # its verification will say so
    return frozenset(found)


def verify_game(folder: Path, head: str = "", keep: Collection[str] = ()) -> Finding:
    """Verify a game folder whole; what is refused is the verdict and raises nothing.

    ``head`` is the id (or its first 32 digits) that the last message must have.
    ``keep``: ids of games whose history stays in the finding, to be held against another; so does that of a game that
    continues one.
    """
    try:
        folders.need_one_line(folder)
        history = histories.load(folder)
        game = history.game
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
    times = reply_times.of_game(game.chain, game.papers)
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
        kept=history if continues or game.chain.game in keep else None,
    )


def join(found: Sequence[Finding]) -> list[Finding]:
    """The same verdicts, each game that continues another held against that one, where both are well and here."""
    well: dict[str, list[Finding]] = {}
    for each in found:
        if each.game and not each.status and Path(each.path).is_dir():
            well.setdefault(each.game, []).append(each)
    return [_joined(each, well.get(each.continues, [])) if each.continues else each for each in found]


def _joined(found: Finding, copies: Sequence[Finding]) -> Finding:
    """Held against the copies of the old game: one that shows the agreement is enough, another may end before it."""
    name = folders.folder_name(found.continues)
    if not copies:
        return replace(found, text=f"{found.text}; it stands on the accept of {name}: verify both together")
    from kursk_pbem.game import successor  # noqa: PLC0415  few games go on as another

    told = []
    for old in copies:
        try:
            accepted, words = successor.agreed(_history(old), _history(found))
        except KurskError as error:
            told.append(replace(failed(found.path, error), continues=found.continues))
            continue
        told.append(replace(found, text=f"{found.text}; {words}"))
        if accepted:
            return told[-1]
    return max(told, key=lambda each: each.status)


def _history(found: Finding) -> History:
    """The history of a game that was verified; read again where it was verified by another process."""
    return found.kept or histories.load(Path(found.path))
