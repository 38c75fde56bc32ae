"""Verify a game from the files alone: one verdict a game, with the first fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kursk_pbem.audit import played
from kursk_pbem.audit.one_file import Finding, make_failure
from kursk_pbem.errors import FileError, KurskError, TrustError, Where
from kursk_pbem.game import folders, histories, reply_times
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.words import plural
from kursk_pbem.trust import terms
from kursk_pbem.trust.messages import Message


def find_families(folders_: Sequence[Path]) -> dict[Path, str]:
    """Return game folder -> name of the family. A family is a game with its successors; other games have no entry.

    Only message 0 of each game is read. Unreadable files are skipped, because the later verification reports them.
    """
    heads = {folder: _read_head(folder) for folder in folders_ if _mentions(folder, b"continues")}
    goes_on = {
        head.id: str(head.mapping("continues").get("game", ""))
        for head in heads.values()
        if head and "continues" in head.content
    }
    if not goes_on:
        return {}
    linked = {*goes_on, *goes_on.values()}
    ids = {folder: head.id for folder in folders_ if (head := heads.get(folder) or _read_head(folder))}

    def eldest(game: str) -> str:
        while game in goes_on:  # circles are impossible: an id is a hash that covers the earlier id
            game = goes_on[game]
        return game

    return {folder: eldest(game) for folder, game in ids.items() if game in linked}


def _mentions(folder: Path, word: bytes) -> bool:
    try:
        return word in folders.read_bytes(folders.proposal_path(folder))
    except (KurskError, OSError):
        return False


def _read_head(folder: Path) -> Message | None:
    try:
        return folders.read_message(folders.proposal_path(folder))
    except (KurskError, OSError):
        return None


def verify_game(
    folder: Path, head: str = "", *, keep: bool = False, account: bool = False, end: int | None = None
) -> Finding:
    """Verify a complete game folder and return the verdict, also if the game is invalid.

    ``head``: the id, or its first 32 digits, that the last message must have. ``keep``: keep the history to compare
    games. ``account``: add the facts for a tournament. ``end``: the number of the last message that counts.
    """
    try:
        folders.need_one_line(folder)
        history = histories.load(folder, end=end)
        game = history.game
        folders.need_one_form(folder)
        if head and not game.chain.head_id.startswith(head.lower()):
            last = folders.message_files(folder)[-1]
            raise TrustError(
                "head",
                f"the game ends with message {game.chain.next_seq - 1} and the head {game.chain.head_id[:32]}, not "
                f"with the head {head[:32]} that you typed: later messages are missing, or the folder has another game",
                Where(str(last)),
            )
        _check_terms(game)
    except KurskError as error:
        return make_failure(str(folder), error)
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
        played=played.collect_facts(history) if account else None,
    )


def _check_terms(game: Game) -> None:
    """Raise FileError if the running term needs a missing paper (2.10)."""
    last = game.chain.next_seq - 1
    for paper in terms.find_orphaned(game.papers.all):
        if paper.seq == last and not game.over:
            why = f"the replaced paper {paper.text('replaces')[:16]} is missing: ask the referee for a copy"
            raise FileError(why, paper.where("replaces"))


def join(findings: Sequence[Finding]) -> list[Finding]:
    """Compare every successor game with the earlier game, if both are present and valid. Return the verdicts.

    All copies of the earlier game are compared, except a copy that another copy continues.
    """
    wanted = {finding.continues for finding in findings if finding.continues and not finding.status}
    well: dict[str, dict[str, History]] = {}
    for finding in findings:
        if finding.game in wanted and not finding.status and Path(finding.path).is_dir():
            copies = well.setdefault(finding.game, {})
            if finding.head not in copies:
                copies[finding.head] = _load_history(finding)
    longest = {game: _find_longest(copies) for game, copies in well.items()}
    return [
        _compare_copies(finding, longest.get(finding.continues, [])) if finding.continues else finding
        for finding in findings
    ]


def _find_longest(copies: Mapping[str, History]) -> list[History]:
    """Return the copies of a game that no other copy continues."""
    inner = {mid for copy in copies.values() for mid in copy.game.chain.ids[:-1]}
    return [copy for head, copy in copies.items() if head not in inner]


def _compare_copies(finding: Finding, copies: Sequence[History]) -> Finding:
    """Compare a successor with the copies of the earlier game. One copy with the agreement is enough."""
    name = folders.folder_name(finding.continues)
    if not copies:
        return replace(finding, text=f"{finding.text}; depends on the acceptance in {name}: verify both games together")
    from kursk_pbem.game import successor  # noqa: PLC0415  few games go on as another

    told, new = [], _load_history(finding)
    for old in copies:
        try:
            accepted, words = successor.check_agreement(old, new)
        except KurskError as error:
            where = "" if error.where else f"{finding.path}: "
            told.append(replace(make_failure(finding.path, error), text=f"{where}{error}", continues=finding.continues))
            continue
        told.append(replace(finding, text=f"{finding.text}; {words}"))
        if accepted:
            return told[-1]
    return max(told, key=lambda verdict: verdict.status)


def _load_history(finding: Finding) -> History:
    """Return the history of a verified game; read again if not kept."""
    return finding.kept or histories.load(Path(finding.path))
