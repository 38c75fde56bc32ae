"""A game as an auditor sees it: everything that the files alone can show, one verdict a game, the first fault named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kursk_pbem.audit import played
from kursk_pbem.audit.one_file import Finding, failed
from kursk_pbem.errors import FileError, KurskError, TrustError, Where
from kursk_pbem.game import folders, histories, reply_times
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.words import plural
from kursk_pbem.trust import terms
from kursk_pbem.trust.messages import Message


def find_games(path: Path) -> Iterator[Path]:
    """Every folder at or below ``path`` that holds a 0000.yaml or 0000.json, in order of its name."""
    waiting = [path]
    while waiting:
        here = waiting.pop()
        try:
            if folders.proposal_path(here).is_file():
                yield here
                continue
            below = [path for path in here.iterdir() if path.is_dir() and not path.is_symlink()]
        except OSError:
            yield here  # it cannot be looked into; its verification will say so
            continue
        waiting += sorted(below, reverse=True)


def families(folders_: Sequence[Path]) -> dict[Path, str]:
    """Of games that go on from one another, by what their message 0 says: a name that they share. The others have none.

    Nothing is verified yet, and what cannot be read is left to its verification.
    """
    heads = {folder: _first(folder) for folder in folders_ if _says(folder, b"continues")}
    goes_on = {
        head.id: str(head.mapping("continues").get("game", ""))
        for head in heads.values()
        if head and "continues" in head.content
    }
    if not goes_on:
        return {}
    linked = {*goes_on, *goes_on.values()}
    ids = {folder: head.id for folder in folders_ if (head := heads.get(folder) or _first(folder))}

    def eldest(game: str) -> str:
        while game in goes_on:  # no circle: an id is a hash of what names the other
            game = goes_on[game]
        return game

    return {folder: eldest(game) for folder, game in ids.items() if game in linked}


def _says(folder: Path, word: bytes) -> bool:
    try:
        return word in folders.read_bytes(folders.proposal_path(folder))
    except (KurskError, OSError):
        return False


def _first(folder: Path) -> Message | None:
    try:
        return folders.read_message(folders.proposal_path(folder))
    except (KurskError, OSError):
        return None


def verify_game(folder: Path, head: str = "", *, keep: bool = False, account: bool = False) -> Finding:
    """Verify a game folder whole; what is refused is the verdict and raises nothing.

    ``head`` is the id (or its first 32 digits) that the last message must have.
    ``keep``: its history stays in the finding, to be held against that of another. ``account``: what a tournament asks
    of it is worked out too.
    """
    try:
        folders.need_one_line(folder)
        history = histories.load(folder)
        game = history.game
        folders.need_one_form(folder)
        if head and not game.chain.head_id.startswith(head.lower()):
            last = folders.message_files(folder)[-1]
            raise TrustError(
                "head",
                f"the game ends with message {game.chain.next_seq - 1}, head {game.chain.head_id[:32]}, not "
                f"with {head[:32]}: later messages are missing, or it is another game",
                Where(str(last)),
            )
        _check_terms(game)
    except KurskError as error:
        return failed(str(folder), error)
    verdict, continues = game.verdict, game.chain.head.get("continues", {}).get("game", "")
    ended = verdict.text if verdict else f"turn {game.state.turn}, {game.chain.writer(game.chain.next_seq)} to write"
    if game.chain.offer:
        ended += " (to hand on an offer)" if game.hands_on else " (a reply to an offer)"
    times = reply_times.measure_reply_times(game.chain, game.papers)
    taken = "".join(f"; {side}: {spent}" for side, spent in times.items())
    return Finding(
        str(folder),
        0,
        f"{folder}: verified, {plural(game.chain.next_seq, 'message')}, {ended}, head {game.chain.head_id[:32]}{taken}",
        game.chain.game,
        game.chain.head_id,
        game.chain.next_seq,
        continues=continues,
        winner=verdict.winner if verdict else "",
        how=verdict.how if verdict else "",
        times=times,
        scenario=game.setting.scenario.id,
        names={side: str(name) for side, name in sorted(game.chain.head["names"].items())},
        turn=game.state.turn,
        points=game.ruleset.play.margin(game.setting, game.state),
        kept=history if keep else None,
        played=played.of(history) if account else None,
    )


def _check_terms(game: Game) -> None:
    """FileError where the term that runs stands on a paper which is not here; until it is, it counts (2.10)."""
    last = game.chain.next_seq - 1
    for paper in terms.find_orphaned(game.papers.all):
        if paper.seq == last and not game.over:
            why = f"it replaces a paper {paper.text('replaces')[:16]} that is not here: ask the referee for it"
            raise FileError(why, paper.where("replaces"))


def join(findings: Sequence[Finding]) -> list[Finding]:
    """The same verdicts, each game that continues another held against that one, where both are well and here.

    Of the copies of a game those count that say different things: one of each, and none that another one goes on from.
    """
    wanted = {finding.continues for finding in findings if finding.continues and not finding.status}
    well: dict[str, dict[str, History]] = {}
    for finding in findings:
        if finding.game in wanted and not finding.status and Path(finding.path).is_dir():
            copies = well.setdefault(finding.game, {})
            if finding.head not in copies:
                copies[finding.head] = _history(finding)
    longest = {game: _longest(copies) for game, copies in well.items()}
    return [
        _joined(finding, longest.get(finding.continues, [])) if finding.continues else finding for finding in findings
    ]


def _longest(copies: Mapping[str, History]) -> list[History]:
    """Those of the copies of one game, by their heads, that are no beginning of another."""
    inner = {mid for copy in copies.values() for mid in copy.game.chain.ids[:-1]}
    return [copy for head, copy in copies.items() if head not in inner]


def _joined(finding: Finding, copies: Sequence[History]) -> Finding:
    """Held against the copies of the old game: one that shows the agreement is enough, another may end before it."""
    name = folders.folder_name(finding.continues)
    if not copies:
        return replace(finding, text=f"{finding.text}; it stands on the accept of {name}: verify both together")
    from kursk_pbem.game import successor  # noqa: PLC0415  few games go on as another

    told, new = [], _history(finding)
    for old in copies:
        try:
            accepted, words = successor.check_agreement(old, new)
        except KurskError as error:
            where = "" if error.where else f"{finding.path}: "
            told.append(replace(failed(finding.path, error), text=f"{where}{error}", continues=finding.continues))
            continue
        told.append(replace(finding, text=f"{finding.text}; {words}"))
        if accepted:
            return told[-1]
    return max(told, key=lambda verdict: verdict.status)


def _history(finding: Finding) -> History:
    """The history of a game that was verified; read again where it was not kept."""
    return finding.kept or histories.load(Path(finding.path))
