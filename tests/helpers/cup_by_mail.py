"""A whole tournament by mail; the tests may kill the director. Everything depends on the seed."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from datetime import timedelta

from helpers import crash_play, postal
from helpers.mailbags import letter
from helpers.postmen import Faults, Member, PostOffice, run_in_child
from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.turn import play
from kursk_pbem.game import folders
from kursk_pbem.kernel.state import OVER
from kursk_pbem.post.mailbox import post_folder
from kursk_pbem.post.round import early_turns
from kursk_pbem.post.tournaments import entries
from kursk_pbem.post.wire import account
from kursk_pbem.tournament import letters, private
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.papers.store import LOG, PAPERS

TICK = timedelta(hours=6)
REMINDED = re.compile(rb"\[kursk ([0-9a-f]{8})\] [^\r\n]*Reminder: your message ([0-9]+)")
UNBEGUN = re.compile(rb"Reminder: board ([0-9a-z-]+) must have begun")
LATE = re.compile(rb"game ([0-9a-f]{8}): message ([0-9]+) came late")
BOSS = "boss@example.test"
DEATHS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)


class Cup:
    """A tournament of ``players``, directed and refereed by one mailbox; the director is killed ``kills`` times.

    ``lazy``: (name, game) -> the first message that the player does not write; no player resigns in the game.
    ``asleep``: players who do not read their mail. ``over_for``: (name, game) with a finished game at the desk.
    ``tells``: a function called with a line each day.
    """

    def __init__(self, root, time, *, players, kills=0, seed=1, moves=4, faults=None, tells=None):
        self.time, self.dice, self.deaths = time, random.Random(seed), random.Random(seed + 1)
        self.office = PostOffice(root, time, faults or Faults(seed=seed))
        self.root, self.moves, self.kills, self.tells = root, moves, kills, tells or str
        self.ref = Member(postal.make_friends(root, "ref")[0], self.office, director=True)
        self.ref.terms(7, director=BOSS)
        post_folder.write_file(account.account_path(self.ref.friend.home), f'address = "{self.ref.address}"\n'.encode())
        self.players = {}
        for number in range(1, players + 1):
            self.comes(f"p{number:02d}")
        self.typed, self.figures, self.bad = [], Counter(), []
        self.lazy, self.asleep, self.over_for = {}, set(), set()
        self.read, self.passed = (0, None), []

    def comes(self, name):
        """Add a player with a desk and the addresses of the director and all players."""
        player = Member(postal.make_friends(self.root, name)[0], self.office)
        player.knows(self.ref, *self.players.values())
        for other in self.players.values():
            other.knows(player)
        self.players[name] = player
        return player

    @property
    def folder(self):
        return self.ref.friend.place / "cup"

    def book(self):
        """Return the log's content, read again only if the number of papers changed."""
        papers = sum(len(post_folder.list_names(self.folder / name)) for name in (LOG, PAPERS))
        if papers != self.read[0]:
            self.read = papers, reading.read_folder(self.folder)
        return self.read[1]

    def first_board(self):
        """Return the game of the board of two players, its proposer and the other player."""
        game = self.book().boards["1-1"].game
        proposer, other = sorted(self.players.values(), key=lambda player: not player.friend.folder(game).is_dir())
        return game, proposer, other

    def direct(self, *words, status=0):
        """Run a command of the director, killed several times before it succeeds; return the output."""
        self.typed.append(" ".join(map(str, words)))
        for _attempt in range(4):
            if self.figures["killed"] < self.kills and "new" not in words:
                self.figures["killed"] += kill_command(self.ref.friend, words, self.deaths)
        return self.ref.friend.kursk(*words, status=status)

    def round_of_post(self):
        """Run a round of the mailbox, sometimes killed first."""
        if self.figures["killed"] < self.kills and self.deaths.random() < 0.3:
            self.figures["killed"] += self.ref.dies(lambda: self.deaths.choice(DEATHS))
        self._note(self.ref.post())

    def _note(self, day):
        errors = [outcome.error for game in day.games for outcome in game.outcomes if outcome.error is not None]
        said = [str(error) for error in (*errors, *day.faults)]
        self.bad += [text for text in said if "its game is over" not in text]
        self.figures["too late"] += sum("its game is over" in text for text in said)
        self.figures["reminders"] += sum("reminded" in line for line in day.done)

    # Begin of a tournament

    def new(self, *words, edit=None):
        """Write and sign the rules as the director."""
        self.direct("tournament", "new", "cup", "--round", 90, *words)
        form = self.folder / "rules.yaml"
        text = form.read_text(encoding="ascii")
        for old, new in (edit or {}).items():
            assert old in text, old
            text = text.replace(old, new)
        form.write_text(text, encoding="ascii")
        self.direct("tournament", "new", "cup", "--yes")

    def take_entries(self):
        """Enter all players by mail; the director acknowledges the entries and confirms the addresses."""
        for name, player in self.players.items():
            rules = self.folder / "log" / "0000.yaml"
            player.friend.kursk("tournament", "enter", rules, name, "--yes")
            player.post()
        tournament = self.book().id
        self.until(lambda _book: len(list(entries.list_papers(self.ref.friend.home, tournament))) == len(self.players))
        self.direct("tournament", "inbox")
        self.direct("people", "confirm", "--all", "--yes")

    def enter(self):
        """Enter all players by mail, close the field and pair the first round."""
        self.take_entries()
        self.direct("tournament", "close")
        self.opened()

    def opened(self):
        """Let days pass until all players opened in the draw; then pair the round."""
        self.until(lambda book: (draw := find_open_draw(book)) is not None and len(draw.openings) == len(draw.entries))
        self.direct("tournament", "pair")

    def next_round(self):
        """Record results and the field of the next draw; then all players open, and the director pairs the round."""
        self.direct("tournament", "pair")
        self.opened()

    # Time

    def days(self, number):
        for _tick in range(number * 4):
            self.tick()

    def until(self, holds, most=60):
        """Let time pass until the book satisfies a condition."""
        for _tick in range(most * 4):
            if holds(self.book()):
                return
            self.tick()
        raise AssertionError(f"nothing came of it in {most} days; left are {self._left()}")

    def _left(self):
        """Return the entrants without an opening, and the names of unfinished boards."""
        if not (self.folder / LOG).is_dir():
            return []
        book = self.book()
        draw = find_open_draw(book)
        entries = [entry for entry in draw.entries if entry not in draw.openings] if draw is not None else []
        boards = [board.name for board in book.undecided() if not (board.game and self._ended(board.game))]
        return [*(book.entrants[entry].name for entry in entries), *boards]

    def over(self, *but):
        """Let days pass until every game of the round ended, except for some boards."""

        def ended(book):
            boards = [board for board in book.of_round(book.round) if board.name not in but and not board.decided]
            return all(board.game and self._ended(board.game) for board in boards)

        self.until(ended)

    def _ended(self, game):
        folder = self.folder / "games" / folders.folder_name(game)
        last = folders.read_message(folders.message_files(folder)[-1])  # a player's after a turn without dice
        return (last.state or {}).get("stage") == OVER or last.type == "resign" or (folder / "forfeit.yaml").exists()

    def tick(self):
        """Let some hours pass: people read their mail and play, then the mailbox runs its round."""
        self.time.now += TICK
        for name, player in self.players.items():
            if name not in self.asleep and self.dice.random() < 0.6:
                self._visit(name, player)
        self.round_of_post()
        for _arrived, raw in self.office.take(BOSS):
            self._lets_pass(raw)
        silent, chair = {game for _name, game in self.lazy}, self.ref.session.referee
        for missed in [one for one in chair.list_overdue() if one.seat.game[:8] in silent] if silent else ():
            chair.forfeit(missed)
        if self.time.now.hour == 0 and self.tells is not str:
            self.tells(self._today())

    def _today(self):
        """Return a line of progress."""
        day = "day {days}: {mails} mails, {commands} commands, killed {killed}".format_map(self.facts())
        return f"{day}, {self.minutes():.1f} min of CPU; left are {' '.join(self._left())}"

    @staticmethod
    def minutes():
        """Return the CPU time of this process and its killed children, in minutes."""
        return sum(os.times()[:4]) / 60

    def _lets_pass(self, raw):
        """Let late messages pass as the director, if the message was delayed in transit."""
        for late in LATE.findall(raw):
            if late not in self.passed:
                self.passed.append(late)
                self.direct("referee", "pass", late[0].decode())

    def _visit(self, name, player):
        """Read the mail as a player, sign the due messages, and mail them."""
        before = self.figures["turns"]
        box, records = self.office.boxes.get(player.address, ()), private.list_records(player.friend.home)
        if there := [raw for arrives, raw in box if arrives <= self.time.now]:
            self._note(player.post())
            self._reminded(player, there)
            if not self.book().rules.refereed:
                player.friend.kursk("tournament", "propose")
                before = -1
        elif self.dice.random() < 0.1 or any(letters.list_unsent(own.letters) for own in records):
            self._note(player.post())
        for short in early_turns.list_games(player.friend.home):
            with player.friend.sitting():
                run(["accept", short])  # the command refuses judged games, and games missing from the copy of the log
        for own in player.friend.records():
            self._turn(name, player, own.game)
        if self.figures["turns"] > before:
            self._note(player.post())

    def _reminded(self, player, there):
        """Mail a reminded message again by hand if the player wrote the message before."""
        for raw in there:
            if (unbegun := UNBEGUN.search(raw)) is not None:
                self._proposes_again(player, unbegun[1].decode())
            if (said := REMINDED.search(raw)) is None:
                continue
            known = (own.game for own in player.friend.records() if own.game.startswith(said[1].decode()))
            if not (game := next(known, "")):
                continue
            path = folders.message_path(player.friend.folder(game), int(said[2]))
            if path.exists():
                self.figures["by hand"] += 1
                self.office.put(letter(path.read_bytes(), player.address, f"Re: [kursk {game[:8]}]"), self.ref.address)

    def _proposes_again(self, player, board):
        """Mail the proposal again, as the reminder says."""
        for own in player.friend.records():
            head = folders.read_message(folders.message_path(player.friend.folder(own.game), 0))
            if head.mapping("tournament").get("board") == board:
                self.figures["proposed again"] += 1
                player.friend.kursk("outbox", "--again", f"{own.game[:8]}/0")
                player.post()

    def _turn(self, name, player, game):
        if (name, game) in self.over_for:
            return
        desk = player.friend.desk(game)
        if desk.game.over:
            self.over_for.add((name, game))
        if not desk.mine or desk.seq >= self.lazy.get((name, game[:8]), 1 << 30):
            return
        rng = random.Random(f"{game}{desk.seq}")
        lively = all(short != game[:8] for _name, short in self.lazy)
        if lively and desk.seq > self.moves and desk.seq >= desk.game.chain.first_offer and rng.random() < 0.5:
            play.sign_message(desk, drafts.make_resignation(desk), None)
        elif player.friend.sign(game, rng) is None:
            return
        self.figures["turns"] += 1

    def falls_silent(self, board, seq):
        """Let the second side of a board stop at message ``seq``; return its number."""
        self.until(lambda book: book.boards[board].game)
        book = self.book()
        number = list(book.boards[board].sides.values())[1]
        self.lazy[book.entrant(number).name, book.boards[board].game[:8]] = seq
        return number

    def withdraws(self, name):
        self.players[name].friend.kursk("tournament", "withdraw", "--yes")
        self.players[name].post()

    def stands_in(self, name, number):
        """Offer a new player as stand-in for a number; the player has the published papers."""
        player = self.comes(name)
        player.friend.kursk("tournament", "stand-in", self.folder, number, name)
        player.post()

    def facts(self):
        """Return the counts of mails, commands, kills and days."""
        self.figures["mails"] = self.office.carried
        self.figures["commands"] = len(self.typed)
        self.figures["days"] = int(clock.read_monotonic() // 86400)
        self.figures["let pass"] = len(self.passed)
        self.figures["lost"] = self.office.faults.counts["lost"]
        return dict(sorted(self.figures.items()))


def kill_command(person, words, deaths):
    """Run a command in a child process that dies at a drawn system call; return whether the child died."""

    def work():
        with person.sitting():
            crash_play.kill(at)
            run([str(word) for word in words])

    at = deaths.choice(DEATHS)
    status = run_in_child(work)
    assert status in (0, crash_play.KILLED), (words, status)
    return status == crash_play.KILLED


def announced(root, time, *words, players=2, terms=None):
    """Return a tournament with signed rules that were not mailed yet."""
    cup = Cup(root, time, players=players)
    if terms:
        path = cup.ref.friend.home / "post" / "referee.toml"
        path.write_text(path.read_text(encoding="utf-8").replace(*terms), encoding="utf-8")
    cup.new("--round-robin", "--system", "hex-toy/fords", *words)
    return cup


def enters(cup, name="p01"):
    """Enter a player and run a round of the mailbox a day later."""
    player = cup.players[name]
    player.friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", name, "--yes")
    player.post()
    cup.time.now += timedelta(days=1)
    return cup.ref.post()


def close_field(cup, *silent):
    """Close the field and wait a day; all but the silent players open, and their mails wait for the director."""
    cup.direct("people", "confirm", "--all", "--yes")
    cup.direct("tournament", "close")
    cup.ref.sits()
    cup.ref.post()
    cup.time.now += timedelta(days=1)
    for name in (name for name in cup.players if name not in silent):
        cup.players[name].post()


def pair_first_round(cup, *silent):
    """Close the field, let all but the silent players open, and pair the first round."""
    close_field(cup, *silent)
    cup.time.now += timedelta(days=1)
    cup.ref.post()


def relay_proposals(cup):
    """After ``paired``: tell the players their boards; the proposals wait in the director's mailbox."""
    cup.direct("tournament", "pair")
    cup.ref.post()
    cup.time.now += timedelta(days=1)
    for player in cup.players.values():
        player.post()
        player.friend.kursk("tournament", "propose")
        player.post()
    cup.time.now += timedelta(days=1)
