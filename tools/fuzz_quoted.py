"""Target ``quoted``: a player's mail with their own turn, whole or damaged, around what an opponent wrote.

Whatever is quoted, and however: a whole turn is found, or the mail is told to be damaged; a damaged one is found where
a repair fits its signature, or refused, or told. Nothing is passed by in silence (T48).
"""

from __future__ import annotations

import html
import random
from collections.abc import Callable
from email.message import EmailMessage

from fuzzing import Watch, Wrong

from kursk_pbem.errors import TrustError
from kursk_pbem.post import sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.trust import keys, messages, slip, sshsig
from kursk_pbem.trust.messages import Message

STRANGER = keys.from_seed(b"q" * 32)
WHOLE, DAMAGED = "whole", "damaged"
ADDRESS = "boris@example.test"
HOW = ("attached", "attached", "below", "above", "above", "forwarded", "shown", "both")
LOST = ("end", "signature", "cut", "middle", "letter", "line")
WORDS = (
    "kursk-pbem:",
    "kursk-pbem: '1'",
    "seq: '3'",
    "type: turn",
    sshsig.BEGIN,
    sshsig.END,
    "U1NIU0lHAAAA",
    "state:",
    "  a: b",
    "",
    " ",
    "signature: |",
    "note: |",
    "Content-Transfer-Encoding: base64",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable",
    "--xx",
    "<pre>",
    "</p>",
    "<br>",
    "<!--",
    "=",
    "&#39;",
    "From x",
)


class Quoted:
    """Mails of a player who owes a message of a game; ``turns``: its messages, from the first on."""

    name, suffix = "quoted", ".eml"

    def __init__(self, turns: list[bytes], owed: int = 3) -> None:
        read = [messages.read(raw, "") for raw in turns]
        self.own, self.message = turns[owed], read[owed]
        self.key = str(read[0].mapping("keys")[self.message.sender])
        self.game = str(self.message.content["game"])
        before = [each.decode("ascii") for each in turns[:owed]]
        self.pieces = [*(f"{word}\n" for word in WORDS), f"game: {self.game}\n", *before]
        claim = f"kursk-pbem: '1'\ngame: {self.game}\nseq: '3'\nfrom: {self.message.sender}\n"
        ended = f"signature: |\n  {sshsig.BEGIN}\n  U1NIU0lHAA\n  {sshsig.END}\n"
        self.pieces += [claim, claim + ended, claim + f"{sshsig.END}\n", *(each[:-90] for each in before)]
        for each in (self.message, read[owed - 1]):
            for changed in ({}, {"game": "ab" * 32}, {"seq": "9"}):
                content = {**each.content, **changed}
                text = messages.mailed(content, STRANGER.sign(sshsig.NAMESPACE, messages.signed_bytes(content)), None)
                self.pieces += [text, text.replace("\n", f"\nstate:\n  {claim.replace(chr(10), chr(10) + '  ')}\n", 1)]
        self.pieces.append(slip.emit(slip.card(self.key, "a@example.test", 1, STRANGER)))

    def make(self, rng: random.Random) -> bytes:
        own = rng.choice((self.own, self.damaged(rng)))
        made = EmailMessage()
        made["X-Own"] = WHOLE if own == self.own else DAMAGED
        made["From"], made["Subject"] = ADDRESS, f"Re: [kursk {self.game[:8]}] x"
        made["Message-ID"] = f"<{rng.randrange(10**9)}@example.test>"
        quoted = "".join(rng.choice(self.pieces) * rng.choice((1, 1, 2, 20)) for _ in range(rng.choice((0, 1, 2, 5))))
        marked = _marked(rng, quoted)
        self.put(rng, made, own.decode("ascii"), quoted, marked)
        for number, part in enumerate(made.walk()):
            if part.is_multipart() and part.get_content_maintype() == "multipart":
                part.set_boundary(f"=={number}==")  # otherwise the library makes one up
        raw = made.as_bytes()
        return raw.replace(b"\n", b"\r\n") if rng.random() < 0.2 else raw

    @staticmethod
    def put(rng: random.Random, made: EmailMessage, own: str, quoted: str, marked: str) -> None:
        """Write a mail: the own turn in one of several places."""
        how, coding = rng.choice(HOW), rng.choice(("quoted-printable", "base64"))
        texts = {"above": f"{own}\n\nYou wrote:\n{marked}", "below": f"You wrote:\n{marked}\n\n{own}\n"}
        texts |= {"both": texts["above"], "shown": "Hello.\n"}
        made.set_content(texts.get(how, f"Hello.\n\n{marked}\n"), cte=coding)
        if how in ("shown", "both") or rng.random() < 0.3:
            words = f"<p>{_lines(own)}</p>" if how in ("shown", "both") else "<p>Hello.</p>"
            below = rng.choice((_lines, html.escape, str))(quoted)
            made.add_alternative(f"<html>{words}<blockquote><pre>\n{below}</pre></blockquote></html>", subtype="html")
        if how == "attached":
            made.add_attachment(own.encode(), maintype="application", subtype="octet-stream", filename="a.yaml")
        elif how == "forwarded":
            inner = EmailMessage()
            inner["From"], inner["Subject"] = ADDRESS, "mine"
            inner.set_content(own, cte=coding)
            made.add_attachment(inner)

    def damaged(self, rng: random.Random) -> bytes:
        """The own turn, of which something was lost; its first lines stand, or nobody could tell what it was."""
        text, lost = self.own, rng.choice(LOST)
        ends, at = text.index(b"  -----END"), rng.randrange(100, text.index(b"signature:"))
        if lost in ("end", "signature", "cut"):
            return text[: {"end": ends, "signature": text.index(b"signature:"), "cut": at}[lost]]
        if lost == "middle":
            return text[:at] + text[at + rng.randrange(5, 200) :]
        if lost == "letter":
            return text[:at] + (b"X" if text[at : at + 1] != b"X" else b"Y") + text[at + 1 :]
        lines = text.splitlines(keepends=True)
        out = rng.randrange(4, text[:ends].count(b"\n"))
        return b"".join(lines[:out] + lines[out + 1 :])

    def judge(self, raw: bytes, watch: Watch) -> str:
        with watch.step("a mail is sorted"):
            held = sorting.read([Mail(raw, "mail.eml")], events=True)
        there = [piece.turn for piece in held.games.get(self.game, []) if piece.turn.seq == self.message.seq]
        if any(turn.id == self.message.id and self.fits(turn) for turn in there):
            return "found"
        if held.found.told:
            return f"told, {Mail(raw, '').header('X-Own')}"
        if any(not self.fits(turn) for turn in there):
            return "refused"
        raise Wrong("the turn in a mail is passed by, and nobody is told")

    def fits(self, turn: object) -> bool:
        """Whether it is a message that its player signed."""
        if not isinstance(turn, Message):
            return False
        try:
            sshsig.verify(self.key, sshsig.NAMESPACE, turn.signed, turn.armour or "")
        except TrustError:
            return False
        return True


def _lines(text: str) -> str:
    return html.escape(text).replace("\n", "<br>\n")


def _marked(rng: random.Random, text: str) -> str:
    """What mail programs make of what they quote."""
    ways: tuple[Callable[[str], str], ...] = (str, lambda line: f"> {line}", lambda line: f">> {line}", "    {}".format)
    way = rng.choice(ways)
    return "\n".join(map(way, text.split("\n")))
