"""What truly happened in a walk: when each message came, what was signed, what the clock said."""

from collections import Counter, defaultdict
from datetime import datetime, timedelta

from helpers.postmen import text
from helpers.walk_mails import fields

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SLACK, BACK, MOST_AHEAD = timedelta(minutes=5), timedelta(minutes=2), 60 * DAY
ON_ITS_WAY = timedelta(minutes=15)


def moment(said):
    """A time as papers say it."""
    return datetime.strptime(f"{said[:19]}+0000", "%Y-%m-%dT%H:%M:%S%z")


class Clockwork:
    """What 2.12 says of the referee's clock: whether it is in ``doubt``, and until when no game ends by itself."""

    def __init__(self):
        self.latest = self.last = self.run = self.quiet = None
        self.doubt = False

    def look(self, one):
        """A round looks at it."""
        if one.removed:
            self.latest = self.last = None
            self.quiet = one.own + DAY
        if one.fresh or self.run is None:
            self.run = one
        said, passed = (one.own - self.last.own, one.right - self.last.right) if self.last else (HOUR, HOUR)
        drift = (one.own - self.run.own) - (one.right - self.run.right)
        back = self.latest is not None and self.latest - one.own > BACK
        self.doubt = back or abs(drift) > SLACK or said < passed - SLACK or said > MOST_AHEAD
        if self.doubt:
            return
        if said > DAY or said > passed + SLACK:
            self.quiet = one.own + DAY
        self.last, self.latest = one, max(self.latest or one.own, one.own)


class Facts:
    """The world so far; ``known`` holds every file that was seen in the referee's folder of a game."""

    def __init__(self, world):
        self.world, self.faults = world, []
        self.clock, self.known, self.fetched = Clockwork(), defaultdict(dict), {}
        self.counts = Counter()

    def wrong(self, what):
        """Something is not as it must be."""
        self.faults.append(f"round {len(self.world.rounds)}, {text(self.world.time.own)}: {what}")

    def files(self, table):
        """The files of a game that are new in its folder; none is ever another."""
        new, known = [], self.known[table.game]
        for path in sorted(table.folder.glob("*.yaml")) if table.folder.is_dir() else ():
            raw = path.read_bytes()
            if path.name not in known:
                known[path.name] = raw
                new.append(path.name)
            elif known[path.name] != raw:
                self.wrong(f"{table.game[:8]}: {path.name} is not what it was")
        return new

    def read(self, one):
        """Mails were read: when, by the clock of the mailbox, as far as that is believed."""
        for sent in one.mails:
            self.fetched[id(sent)] = None if self.clock.doubt else one.own
        for sent in one.mails:
            if sent.reports is not None:
                sent.reports.troubled = True
                for player in self.world.players:
                    if sent.reports.reader == player.on_file and not sent.reports.words:
                        player.stopped = one.number
            for game, seq in sent.turns:
                self._seen(sent, self.world.table(game), seq)
        if not self.clock.doubt:
            for key, at in self.fetched.items():
                if at is None or at > one.own:
                    self.fetched[key] = one.own

    def _seen(self, sent, table, seq):
        """A turn came from an address that nobody has said: it waits for the director."""
        signer = self.writer(table, seq)
        known = set().union(*(player.said for player in table.players))
        if seq and signer is not None and sent.sender not in known and self.counted(table, seq) is sent:
            signer.seen.setdefault(sent.sender, sent.round)

    def writer(self, table, seq):
        """Who writes a message of a game; None for the referee's, or where that is not known."""
        path = f"{seq:04d}.yaml"
        for friend in (self.world.ref.friend, *(player.friend for player in table.players)):
            if (friend.folder(table.game) / path).exists():
                said = fields((friend.folder(table.game) / path).read_text(encoding="ascii"))
                return table.sides.get(said["from"])
        return None

    def copies(self, table, seq):
        """The mails that brought a message whole, and were read."""
        return [sent for sent in self.world.mails if sent.round is not None and (table.game, seq) in sent.turns]

    def came(self, table, seq):
        """The round in which a message came; None if it came by no mail."""
        return min((sent.round for sent in self.copies(table, seq)), default=None)

    def _first(self, copies):
        """The copy that counts: of those of the first fetch the one that came first."""
        first = min(sent.round for sent in copies)
        batch = [sent for sent in copies if sent.round == first]
        return min(batch, key=lambda sent: min(filter(None, [sent.said, self.fetched[id(sent)] or sent.at])))

    def counted(self, table, seq):
        """The mail by which a message came; None if it came by none."""
        copies = self.copies(table, seq)
        return self._first(copies) if copies else None

    def receipts(self, table):
        """The papers of the folder that say when a message came, by its number."""
        known = self.known[table.game]
        found = [fields(raw.decode("ascii")) for name, raw in known.items() if name.startswith("receipt-")]
        return {int(said["seq"]): said for said in found}

    def due(self, table, seq):
        """The latest term of the answer to a message, of all that was ever signed; None without a receipt."""
        known = self.known[table.game]
        said = [fields(raw.decode()) for name, raw in known.items() if name.startswith(("receipt-", "extension-"))]
        dues = [each["due"] for each in said if int(each["seq"]) == seq]
        if not any(name.startswith(f"receipt-{seq:04d}") for name in known) or not all(dues):
            return None
        return max(map(moment, dues + table.granted.get(seq, [])))

    def received(self, table, seq):
        """When a message came by the rule of 2.12; it may be several times where a message behind it came too."""
        copies = self.copies(table, seq)
        if not copies:
            return set()
        last = max((moment(paper["received"]) for k, paper in self.receipts(table).items() if k < seq), default=None)
        first = self._by_rule(copies, last)
        behind, counted = {first}, {seq}
        newest = max((k for sent in self.world.mails for game, k in sent.turns if game == table.game), default=seq)
        for other in range(seq + 1, newest + 1):
            there = self.copies(table, other)
            taken = f"{other:04d}.yaml" in self.known[table.game]
            theirs = self.writer(table, other) is not self.writer(table, seq)
            if there and (taken or theirs or other - 1 in counted):
                counted.add(other)
                behind.add(self._by_rule(there, last))
        return {min(behind)}

    def _by_rule(self, copies, last):
        """``received`` of the copy that counts."""
        one = self._first(copies)
        arrived, fetched = one.said, self.fetched[id(one)]
        if fetched is None:
            return datetime.max.replace(tzinfo=one.at.tzinfo)
        if last is not None and fetched < last:
            return last
        if arrived is not None and last is not None and timedelta() < last - arrived <= ON_ITS_WAY:
            return last
        return arrived if arrived is not None and (last is None or last <= arrived) and arrived <= fetched else fetched

    def brought(self, table, sent):
        """Whether something new of a game came by a mail, from the address of whoever signed it."""
        for game, seq in sent.turns:
            if game == table.game and self.counted(table, seq) is sent:
                signer = self.writer(table, seq)
                if signer is None or sent.sender in signer.said:
                    return True
        return False
