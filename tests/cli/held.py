"""Things that a person holds, for the table of verdicts: a game with one fault, in a file, a mail, a folder."""

import io
import os
import re
import shutil
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

from helpers import packed
from helpers.demo_game import play_demo
from helpers.falsified import falsified, noted
from helpers.losing import ALL, Loser, game_folder, letters
from helpers.mails import attached, letter
from helpers.relaying import Relayed, day
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from kursk_pbem.cli import run
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import entropy, folders
from kursk_pbem.practice import partner
from kursk_pbem.trust import earlier, keys, link, messages, papers, sofar, sshsig

TABLE = Path(__file__).with_name("verdicts.txt")
ONE, MANY = ("file", "mail", "stdin", "link"), ("folder", "nested", "zip", "mbox")
COMMANDS = ("adjudicate", "verify", "inbox", "report", "accept", "prove")
PLACES, BLOCKS = ("empty", "desk"), ("with", "without")
LAST = ALL - 1


@dataclass(frozen=True)
class Cell:
    """One verdict. The fields as in the table."""

    fault: str
    command: str
    thing: str
    block: str
    place: str
    status: int
    words: str

    def __str__(self):
        return f"{self.fault}-{self.command}-{self.thing}-{self.block}-{self.place}"


def list_cells():
    """Return every cell that exists, with the first fitting line of the table."""
    rows = [line.split(maxsplit=6) for line in TABLE.read_text("ascii").splitlines() if line and line[0] != "#"]
    faults = dict.fromkeys(row[0] for row in rows)
    cells = [(f, c, t, b, p) for f in faults for c in COMMANDS for t in (*ONE, *MANY) for b in BLOCKS for p in PLACES]
    return [cell for key in cells if exists(*key) and (cell := _find_cell(key, rows)) is not None]


def exists(fault, command, thing, block, _place):
    """Return whether a fault can be in a thing. A link has no block, and a cut turn has none."""
    if thing == "link" and (block == "with" or fault in ("middle", "gap", "draft", "named0", "position", "torn")):
        return False
    if thing in ONE and (fault in ("below", "cutcopy") or (fault in ("middle", "gap") and block == "without")):
        return False
    if fault == "named0" and thing in ("mail", "stdin", "mbox"):
        return False
    if fault == "below" and thing == "mbox":
        return False
    return not (command == "accept" and thing in MANY and fault == "named0")


def _find_cell(key, rows):
    fault, command, thing, block, place = key
    for row in rows:
        things = {"one": ONE, "many": MANY, "*": (*ONE, *MANY)}.get(row[2], row[2].split(","))
        fits = row[0] == fault and thing in things and row[1] in (command, "*")
        if fits and row[3] in (block, "*") and row[4] in (place, "*"):
            return Cell(*key, int(row[5]), row[6])
    return None


class Holder:
    """The games of the table, played once, and the desks of their players."""

    def __init__(self, demo, root):
        self.demo, self.root = demo, root
        self.folder = game_folder(demo / "german")
        self.silent = self._play_silent()

    @cached_property
    def other(self):
        return play_demo(self.root / "other", "another")

    def _play_silent(self):
        with entropy.fix_random_bytes("a silent german"):
            table = Relayed(self.root / "silent" / "table").begin()
            for content in (OPENING, ORDERS, {}):
                table.turn(content)
            table.folder.mkdir()
            for seq in range(4):
                shutil.copy(folders.message_path(table.german.folder, seq), table.folder)
        key = ("--key", str(table.key), "-q")
        assert run(["referee", "receipt", str(table.folder), "--received", day(3), "--days", "10", *key]) == 0
        assert run(["inbox", str(table.folder / "receipt-0003.yaml"), "-q"]) in (0, 2)
        assert run(["referee", "forfeit", str(table.folder), "--yes", "--declared", day(14), *key]) == 0
        return table

    @cached_property
    def what_if(self):
        """Return the folder of a what-if game."""
        home = self.root / "trying"
        start = partner.find_start(self.folder, home, 3)
        partner.start_what_if(home, start, "", 1)
        return next(path.parent for path in home.rglob("0000.yaml"))

    def home(self, cell, root):
        """Return a new private folder for a cell."""
        if cell.place == "empty":
            return root / "nobody"
        if cell.fault == "forfeit":
            table = self.silent.copy(root / "table")
            run_at(table.russian.home, ["inbox", str(table.folder / "receipt-0003.yaml"), "-q"])
            return table.russian.home
        if cell.command == "accept":
            shutil.copytree(self.demo / "russian", root / "russian")
            return root / "russian" / "private"
        player = Loser(self.demo, root, "german")
        player.backup(LAST if cell.fault == "two" else LAST - 1)
        return player.home

    def list_files(self, cell):
        """Return the names and bytes of the turn files of a cell in order, the newest last, without the extra file."""
        if cell.fault == "forfeit":
            table = self.silent
            paths = [*(folders.message_path(table.folder, seq) for seq in range(4))]
            paths += [table.folder / "receipt-0003.yaml", table.folder / "forfeit.yaml"]
        elif cell.fault == "whatif":
            paths = sorted(self.what_if.glob("[0-9][0-9][0-9][0-9].yaml"))
        elif cell.fault == "foreign":
            paths = letters(self.other / "german")
        else:
            paths = letters(self.demo / "german")
        paths = paths[:1] if cell.command == "accept" else paths
        files = [(path.name, path.read_bytes()) for path in paths]
        if cell.fault == "forfeit":
            files[-1] = (files[-1][0], _add_block(files))
        return files

    def make(self, cell):
        """Return the files of the folder of a cell; the newest is last. The things of one file hold only the last."""
        files, last = self.list_files(cell), 0 if cell.command == "accept" else LAST
        names = [name for name, _raw in files]
        name, raw = files[-1]
        if cell.fault == "newest":
            files[-1] = name, change_text(raw)
        elif cell.fault in ("position", "torn"):
            files[-1] = name, change_position(raw, b": '9'" if cell.fault == "position" else b" 9")
        elif cell.fault == "newer":
            files[-1] = name, self._sign_anew(raw)
        elif cell.fault == "half":
            files[-1] = name, raw[: raw.index(b"\nstate-out:") - 20 if b"\nstate-out:" in raw else len(raw) // 3]
        elif cell.fault == "cutcopy":
            files.append(("copy.yaml", raw[: raw.index(b"\nstate-out:") - 20]))
        elif cell.fault == "draft":
            files.append((f"{last + 1:04d}.draft.yaml", self._read_draft()))
        elif cell.fault == "two":
            other = self._propose_again(raw) if last == 0 else self._sign_second(raw)
            files.append(("other.yaml", other))
        elif cell.fault == "middle":
            at = names.index("0004.yaml")
            files[at] = names[at], turn_die(files[at][1])
        elif cell.fault == "gap":
            del files[names.index("0004.yaml")]
        if cell.fault in ("middle", "gap") and cell.thing in ONE:
            files[-1] = name, self._spoil_block(raw, cell.fault)
        if cell.block == "without":
            files = [(name, sofar.cut_block(raw)) for name, raw in files]
        return files

    def _read_draft(self):
        return next(self.folder.glob("*.draft.yaml")).read_bytes()

    def _sign_anew(self, raw):
        """Return a turn as a later program writes it, with the block of the turn."""
        message = messages.read_message(raw, "turn")
        content = {**message.content, "kursk-pbem": "2"}
        return self._emit(content, message) + raw[len(sofar.cut_block(raw)) :]

    def _emit(self, content, message):
        armour = keys.load_key(self.demo / message.sender / "me").sign(sshsig.NAMESPACE, canon(content))
        return messages.emit_message(content, armour, message.state).encode()

    def _sign_second(self, raw):
        """Return another message of the same number, with the block."""
        record = SimpleNamespace(paths=letters(self.demo / "german"))
        second = falsified(self.demo, record, LAST, noted()).encode()
        return second + raw[len(sofar.cut_block(raw)) :]

    def _propose_again(self, raw):
        message = messages.read_message(raw, "turn")
        return self._emit({**message.content, "nonce": "ab" * 32}, message)

    def _spoil_block(self, raw, fault):
        """Return a turn whose block lacks message 4 or holds another one."""
        before = [messages.read_message(path.read_bytes(), path.name) for path in letters(self.demo / "german")][:-1]
        if fault == "gap":
            del before[4]
        else:
            before[4] = messages.read_message(turn_die(before[4].document.raw), "4")
        return earlier.attach(sofar.cut_block(raw).decode(), before).encode()


def _add_block(files):
    """Return the forfeit with the game and the receipt below."""
    read = [messages.read_message(raw, name) for name, raw in files[:-2]]
    receipt = papers.read_paper(files[-2][1], files[-2][0])
    return earlier.attach(sofar.cut_block(files[-1][1]).decode(), read, [receipt]).encode()


def change_text(raw):
    """Return a turn with one changed letter of its commitment, or of its nonce."""
    at = raw.index(b"\ncommit:") + 12
    return raw[:at] + (b"0" if raw[at : at + 1] != b"0" else b"1") + raw[at + 1 :]


def change_position(raw, value):
    """Return a turn with another turn of the game in the position below the signature."""
    return re.sub(rb"(\nstate:\n(?s:.*?)\n  turn): '[0-9]+'", rb"\g<1>" + value, raw)


def turn_die(raw):
    """Return message 4 with another die."""
    match = re.search(rb"(?m)^(dice:\n  [^\n]*: ')([1-6])'$", raw)
    return raw[: match.start(2)] + str(int(match[2]) % 6 + 1).encode() + raw[match.end(2) :]


def lay(cell, files, here):
    """Write a thing into a folder; return the word to type. Standard input is replaced."""
    name, raw = files[-1]
    name = "turn.yaml" if name[0] in "0o" and "draft" not in name else name
    if cell.thing in ONE:
        if cell.thing == "link":
            return link.make_link([re.sub(rb"\nstate:\n(?s:.*)", b"\n", sofar.cut_block(raw))])
        if cell.thing == "stdin":
            sys.stdin = io.TextIOWrapper(io.BytesIO(raw))
            return "-"
        place = here / {"mail": "mail.eml"}.get(cell.thing, "0000.yaml" if cell.fault == "named0" else name)
        place.write_bytes(raw if cell.thing == "file" else _mail(name, raw))
        return place.name
    if cell.fault in ("named0", "below"):
        received = [(f"{int(name[:4]):04d}.yaml", raw) for name, raw in files[::2]]
        whole = [
            (f"game/{name}", turn_die(raw) if cell.fault == "below" and name[:4] == "0004" else raw)
            for name, raw in files
        ]
        files = [*received, *whole]
    if cell.thing == "zip":
        (here / "thing.zip").write_bytes(packed.pack_zip(*files))
        return "thing.zip"
    if cell.thing == "mbox":
        (here / "box").write_bytes(packed.pack_mbox(*(_mail(name, raw) for name, raw in files)))
        return "box"
    top = here / "thing" / ("inner" if cell.thing == "nested" else ".")
    for name, raw in files:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(raw)
    return "thing"


def _mail(name, raw):
    return attached(letter("Hello,\n\nsee below.\n"), raw, name=name).as_bytes()


def run_at(home, words):
    """Run a command at a private folder."""
    before = os.environ["KURSK_HOME"]
    os.environ["KURSK_HOME"] = str(home)
    try:
        return run(words)
    finally:
        os.environ["KURSK_HOME"] = before
