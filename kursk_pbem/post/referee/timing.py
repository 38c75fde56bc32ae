"""When a message came, by a written rule; and whether this machine's clock may be believed (docs/auditors.md 2.12).

The **arrival** A is said by our own border server, F is our clock when the mail was fetched, and L the newest time that
a receipt of this game holds already. ``received`` is A if L <= A <= F, L if A is up to 15 minutes before it, otherwise
F. The Date of a mail is shown and never used. While the clock is in doubt nothing is signed that costs anybody
anything. Where it has gone on by more than a day since a program here looked at it last, this program was away or the
clock was set, and nobody can tell which; where it has gone on by more than a clock that cannot be set, it was. No game
ends by itself before one more day. Where it has gone on by more than 60 days, the director says that it is right: what
is signed by one that is years ahead cannot be taken back, and nothing could be signed behind it before that time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.referee import kept
from kursk_pbem.errors import DiskError, UsageError
from kursk_pbem.formats import times
from kursk_pbem.post import came, place, waiting
from kursk_pbem.post.arrival import ON_ITS_WAY
from kursk_pbem.post.referee import terms
from kursk_pbem.trust.messages import Message

UNSURE = "unsure"
"""Stands for when a mail was fetched, if the clock was in doubt then."""
SILENT = "; nothing that a term depends on is signed, and no letter in words goes out"
"""What a doubt about the clock means, behind why there is one."""
SLACK = 5 * 60
BACK = 2 * 60
MOST_AHEAD = 60
"""Days by which a clock may have gone on since it was looked at, and is believed."""
_NOTED = (
    ("came", "fetched"),
    ("in/spool", "fetched"),
    *((f"referee/{name}", "at") for name in ("called", "damaged", "wrote", "unheard")),
    ("out", "at"),
)
"""Where times of this clock are kept, below the post folder, and under which name."""
_MORE = ("but",)
"""Names of several of them."""


def received(last: str, arrived: str, fetched: str, now: str = "") -> str:
    """When a message came: ``arrived`` if that can be, otherwise ``fetched``; '' if neither can be.

    ``last``: the newest time that a receipt of an earlier message holds, '' without one. It counts where ``arrived`` is
    a little before it: a forged line may say so of another's answer, so that it seems to have come at the fetch. So it
    does for what was fetched before, ahead of others, unless it is still to come at ``now``.
    """
    if not times.is_time(fetched):
        return ""
    if fetched < last:
        return last if last <= now else ""
    if times.is_time(arrived) and arrived < last and times.between(arrived, last) <= ON_ITS_WAY:
        return last
    return arrived if times.is_time(arrived) and last <= arrived <= fetched else fetched


def fetched(said: Mapping[str, str], *, sure: bool) -> str:
    """When a mail was fetched by what was put down, '' if nobody knows; now, if the clock was in doubt, or ahead, then.

    ``sure``: the clock is not in doubt now. Otherwise it counts as fetched when it arrived.
    """
    noted, now = said.get("fetched", ""), clock.now()
    if noted <= now or (times.is_time(noted) and times.between(now, noted) <= BACK):
        return noted
    return now if sure else said.get("arrived", "")


def of_mail(said: Mapping[str, str]) -> str:
    """When a mail came, as far as that is known: to see which one came first."""
    return received("", said.get("arrived", ""), fetched(said, sure=False))


def of_turn(home: Path, desk: Desk, seq: int, turn: str, *, sure: bool = True) -> str:
    """When a message came by mail, by the rule; '' if it came by none, or at a time that cannot be.

    UNSURE if nobody knows before the clock is believed again.

    If one behind it came earlier, that time counts: it could not be written without this one (protocol 2.10).
    """
    game, held = desk.game.chain.game, desk.game.papers.receipts
    last = max((held[other].text("received") for other in held if other < seq), default="")
    unsigned = range(max(held, default=-1) + 1, seq)  # of some it may be put down what their receipts will say
    said_before = (kept.said(kept.path_of(home, desk.game.chain, other)) for other in unsigned)
    last = max([last, *(told[0] for told in said_before if told is not None)])
    behind = [(other, desk.game.chain.ids[other]) for other in range(seq + 1, desk.seq)]
    behind += _upon(home, desk, seq, max(behind, default=(seq, turn)))
    said = [came.said(home, game, *of) for of in ((seq, turn), *behind)]
    if said[0].get("fetched") and not fetched(said[0], sure=sure):
        return UNSURE
    now = clock.now() if sure else ""
    ruled = [_ruled(last, noted, fetched(noted, sure=sure), now) for noted in said]
    if not ruled[0] and said[0].get("fetched") and not sure:
        return UNSURE  # a server that it came by has a clock that is behind the last receipt
    return min(filter(None, ruled)) if ruled[0] else ""


def _ruled(last: str, noted: Mapping[str, str], by: str, now: str) -> str:
    """When a message came by the rule, fetched ``by`` then."""
    return received(last, noted.get("arrived", ""), by, now)


def _upon(home: Path, desk: Desk, seq: int, before: tuple[int, str]) -> Iterator[tuple[int, str]]:
    """Number and id of each message that waits and could not be written without ``seq`` (T51).

    The other side's shows it by its signature, one of the same side only by what it was written upon: whoever is
    late could have signed anything with a later number.
    """
    newest, late = before[0], desk.game.chain.writer(seq)

    def wanted(number: int, sender: str) -> bool:
        return number > newest and (sender != late or number == before[0] + 1)

    for turn in waiting.turns(home, desk.game.chain.game, wanted):
        if not isinstance(turn, Message):
            continue
        if not desk.game.chain.may_write(turn.seq, turn.sender):
            continue
        linked = (turn.seq - 1, turn.content.get("prev")) == before
        other = turn.seq == before[0] + 1 and not linked  # it was written upon another version
        if linked or (turn.sender != late and not other):
            before = turn.seq, turn.id
            yield before


def _path(home: Path) -> Path:
    return place.root(home) / "clock.json"


def latest(home: Path) -> str:
    """The time now, or the latest that this clock has ever said: it may have been set back."""
    with suppress(UsageError):
        noted = str(place.load(_path(home)).get("latest", ""))
        return max(clock.now(), noted) if times.is_time(noted) else clock.now()
    return clock.now()


def looked(home: Path) -> str:
    """When the mailbox looked at its clock last, or now, if that is earlier: what is noted later is not before it."""
    with suppress(UsageError):
        at = str(place.load(_path(home)).get("latest", ""))
        return min(clock.now(), at) if times.is_time(at) else clock.now()
    return clock.now()


def noted(home: Path, doubt: Callable[[], str] | None = None) -> str:
    """What is put down as the time now of what counts: UNSURE while the clock is in doubt. UsageError.

    ``doubt``: why it is, or ''; None: a mailbox that referees here, and looks at it in each round, says so.
    """
    now = clock.now()  # before that is asked, as in Watch.now
    if not (_doubt(home) if doubt is None else doubt()):
        return now
    unsettle(home)
    return UNSURE


def _doubt(home: Path) -> str:
    """Why the clock is in doubt at a mailbox that referees, in words; '' at any other. UsageError.

    Also while it is for one that runs, which alone knows that it was set since.
    """
    if not terms.path_of(home).exists():
        return ""
    return str(place.load(_running(home)).get("why", "")) or Watch(home, looks=False).doubt()


def need_right(home: Path) -> None:
    """UsageError while the clock is in doubt: what a term depends on is signed by no command then either."""
    if doubt := _doubt(home):
        raise UsageError(doubt + SILENT)


def _running(home: Path) -> Path:
    """Why the clock is in doubt for a mailbox that runs."""
    return place.root(home) / "referee" / "in-doubt"


def _seen(home: Path) -> Path:
    """Where it stands that the mailbox saw that its clock was set, until that is noted beside the time."""
    return place.root(home) / "referee" / "was-set"


def _unsettled(home: Path) -> Path:
    return place.root(home) / "referee" / "unsettled"


def unsettle(home: Path) -> None:
    """Put down that times were noted which nobody knows, or that the clock was said to be right. UsageError."""
    place.once(_unsettled(home), b"")


def settle(home: Path) -> None:
    """The clock is believed: what was noted in doubt, or is still to come by it, was now. It was noted by now at least.

    What came with no such time would count as come later and later, and what is to come as if it had not happened yet.
    """
    with suppress(OSError):  # no command signs while it stands
        _running(home).unlink(missing_ok=True)
    if not _unsettled(home).exists():
        return
    now, whole = clock.now(), True
    for folder, key in _NOTED:
        for path in sorted((place.root(home) / folder).rglob("*")):
            noted = dict[str, Any]()
            if path.suffix != ".eml":
                with suppress(DiskError):  # it is a folder, say; whoever needs it tells of it
                    noted = place.load(path)
            known = {**noted, **{name: _known(noted[name], now) for name in (key, *_MORE) if name in noted}}
            if known != noted:
                try:
                    place.put(path, known)
                except DiskError:  # what rests on it waits, and nothing else does
                    whole = False
    if not whole:
        return
    with suppress(OSError):  # it is done once more, and twice is no harm
        _unsettled(home).unlink()


def _known(said: object, now: str) -> object:
    """A time that nobody knew, or that was still to come, as now; of several by their names each."""
    if isinstance(said, dict):
        return {name: _known(one, now) for name, one in said.items()}
    return now if said == UNSURE or (isinstance(said, str) and times.is_time(said) and said > now) else said


@dataclass
class Watch:
    """The clock of this machine, held against itself: the latest time it ever said, and a clock that cannot be set.

    ``looks``: whether the mailbox looks at it here. A command does not: that somebody types one each day does not show
    that nobody was away.
    """

    home: Path
    looks: bool = True
    began: str = field(init=False)
    ticked: float = field(init=False)

    def __post_init__(self) -> None:
        self.began, self.ticked = clock.now(), clock.elapsed()

    def doubt(self) -> str:
        """Why the clock is not believed now, in words; '' if it is. It notes the time, if the mailbox looks."""
        now = clock.now()
        try:
            noted = place.load(_path(self.home))
            latest, _back = (place.time_in(_path(self.home), noted, key) for key in ("latest", "back"))
        except UsageError as error:
            return f"{error}, if the clock of this machine is right now"
        ahead = bool(latest) and _since(noted, now)[0] > MOST_AHEAD * times.DAY
        if self.looks and (ahead or not latest):
            try:
                unsettle(self.home)
            except UsageError as error:
                return str(error)
        if why := self._against(noted, latest, now):
            if self.looks:  # somebody may set it right before the next look
                with suppress(UsageError):
                    place.once(_seen(self.home), b"")
            return why
        was_set = self._was_set(noted, now)
        if self.looks and (now > latest or was_set):
            # where nothing is noted the director may have removed it, as told, and with it that this program was away
            away = {"back": now} if not latest or was_set else {}
            said = {"latest": max(now, latest), "ticked": str(int(clock.elapsed())), "start": clock.start()}
            try:
                place.put(_path(self.home), {**noted, **away, **said})
            except UsageError as error:  # nobody could tell later that it was set back
                return str(error)
            with suppress(OSError):  # a day more is no harm
                _seen(self.home).unlink(missing_ok=True)
        return ""

    def now(self) -> str:
        """The time, '' if it is in doubt: read before that is asked, so that no clock signs which is set meanwhile."""
        now = clock.now()
        return "" if self.doubt() else now

    def _against(self, noted: Mapping[str, Any], latest: str, now: str) -> str:
        """Why the clock seems to have been set, in words; '' if it does not."""
        if latest and times.between(now, latest) > BACK:
            why = f"the clock of this machine says {now}, and it has said {latest} before"
            return f"{why}. If it is right now, remove {_path(self.home)}"
        said, passed = _since(noted, now) if latest else (0, 0)
        if said > MOST_AHEAD * times.DAY:
            why = f"the clock of this machine says {now}: more than {MOST_AHEAD} days have passed since {latest}"
            return f"{why}. If it is right now, remove {_path(self.home)}"
        if passed - said > SLACK:  # it was set back since, or it is slow
            why = f"the clock of this machine says that {said} seconds have passed since {latest}, and {passed} have"
            return f"{why}. If it is right now, remove {_path(self.home)}"
        passed, said = int(clock.elapsed() - self.ticked), times.between(self.began, now)
        if abs(passed - said) > SLACK:
            why = f"the clock of this machine was set: it says {said} seconds have passed since {self.began}"
            why = f"{why}, and {passed} have. If it is right now, start anew"
            with suppress(UsageError):
                place.once(_running(self.home), {"why": why})
            return why
        return ""

    def away(self) -> str:
        """Why no game ends by itself today although the clock is believed, in words; '' if nothing is against it."""
        noted, now = place.load(_path(self.home)), clock.now()
        back = place.time_in(_path(self.home), noted, "back")
        if place.time_in(_path(self.home), noted, "latest") and self._was_set(noted, now):
            back = now  # the next round puts that down
        if not back or times.between(back, now) >= times.DAY:
            return ""
        return (
            f"before {back} nobody looked at the clock for more than a day, or it was set; it must go on for a day "
            "first"
        )

    def _was_set(self, noted: Mapping[str, Any], now: str) -> bool:
        """Whether the clock may have been set since it was noted. A program that saw it may have ended meanwhile."""
        return ("latest" in noted and _jumped(noted, now)) or _seen(self.home).is_file()


def back(home: Path) -> str:
    """When the clock was set last, or gone on by more than a day unseen, as far as that was noted; '' if never."""
    path = _path(home)
    return place.time_in(path, place.load(path), "back")


def _jumped(noted: Mapping[str, Any], now: str) -> bool:
    """Whether the clock may have been set since it was noted: it went on by more than has passed, or than a day.

    How much has passed nobody can tell once the machine was started anew.
    """
    said, passed = _since(noted, now)
    return said > times.DAY or 0 <= passed < said - SLACK


def _since(noted: Mapping[str, Any], now: str) -> tuple[int, int]:
    """Seconds since the clock was noted: as it says itself, and as one that cannot be set does, -1 if that is unknown.

    That one begins anew with its machine, so it never says more than a clock that is right.
    """
    before = str(noted.get("ticked", ""))
    same = str(noted.get("start", "")) == clock.start()
    passed = int(clock.elapsed()) - int(before) if before.isdecimal() and same else -1
    return times.between(str(noted.get("latest", "")), now), passed
