"""One set of lies by which all auditors are judged: what is false, on which game, and what each of them must find.

Three auditors look at a folder in the form for auditors: the ``program``; the ``second``, a complete implementation of
the protocol (second_auditor.py); and the ``short`` script, docs/verify_game.py. A :class:`Lie` says which file must be
named for which fault; where an auditor finds it elsewhere, or may leave it, that stands beside it with the reason.

The lies stand in ``lies_played`` (on the demonstration, by players with their own keys), ``lies_sampled`` (on the
samples of the protocol: a referee's dice, proposals, papers) and tests/vectors (the tampered samples).
"""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from helpers.signing_desk import SIGNERS, VECTORS
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game import folders
from kursk_pbem.trust import messages, sshsig
from kursk_pbem.trust.keys import Signer

PROGRAM, SECOND, SHORT = "program", "second", "short"
AUDITORS = (PROGRAM, SECOND, SHORT)
DEMO, REFEREED = "demonstration", "a game with a referee's dice"
PLAYERS, REFEREE, NOTHING = "sample-players", "sample-referee", "nothing"
"""What a lie is told on. The rules of the samples' game are nowhere: the program looks at their chain alone."""
WITH_RULES = (DEMO, REFEREED)
NEEDS_RULES = "it takes the rules, and this looks at the chain alone"


@dataclass(frozen=True)
class Found:
    """The fault that is found, and in which file; ``canonical`` is what cannot be read, ``rules`` an illegal order."""

    file: str
    fault: str


@dataclass(frozen=True)
class Leaves:
    """The auditor finds nothing, and why it may."""

    why: str


Verdict = Found | Leaves


@dataclass(frozen=True)
class Lie:
    """One lie. ``tell`` changes the desk; ``found`` is what an auditor must find if ``but`` does not say otherwise."""

    name: str
    on: str
    tell: Callable[[Desk], object]
    found: Verdict
    but: Mapping[str, Verdict] = field(default_factory=dict)

    def by(self, auditor: str) -> Verdict:
        """What an auditor must make of it."""
        return self.but.get(auditor, self.found)


class Desk:
    """A game as all who signed it might forge it: ``said`` holds its contents, to be changed and signed anew."""

    def __init__(
        self, folder: Path, source: Path | None, signers: Mapping[str, Signer], demo: Path | None = None
    ) -> None:
        self.folder, self.signers, self.demo = folder, signers, demo
        folder.mkdir(parents=True, exist_ok=True)
        for path in source.glob("*.json*") if source else ():
            shutil.copyfile(path, folder / path.name)
        self.said = [json.loads(path.read_bytes()) for path in folders.message_files(folder)] if source else []

    def forge(self, k: int, by: str = "", **changes: Any) -> None:
        """Change message k (None takes a field away) and sign it; the later ones go."""
        self.put(k, by, **changes)
        self.cut(k + 1)

    def put(self, k: int, by: str = "", **changes: Any) -> str:
        """The same, and the later ones stay. Its id."""
        content = {**self.said[k], **{name.replace("_", "-"): value for name, value in changes.items()}}
        content = {name: value for name, value in content.items() if value is not None}
        self.said[k] = content
        return self.sign(folders.archive_path(self.folder, k), content, by or content["from"])

    def sign(self, path: Path, content: Mapping[str, Any], by: str) -> str:
        """Write a file and its signature. Its id."""
        signed = messages.signed_bytes(content)
        path.write_bytes(signed)
        armour = self.signers[by].sign(sshsig.NAMESPACE, signed)
        folders.signature_path(path).write_text(armour, encoding="ascii", newline="")
        return sha256_hex(signed)

    def cut(self, k: int) -> None:
        """Message k and the later ones go, and what a referee signed for them."""
        for number in range(k, len(self.said)):
            folders.archive_path(self.folder, number).unlink(missing_ok=True)
            folders.signature_path(folders.archive_path(self.folder, number)).unlink(missing_ok=True)
            for path in self.folder.glob(f"receipt-{number:04}.*"):
                path.unlink()


LIES: list[Lie] = []
"""The table, as far as its modules have been read: :func:`table` has all of it."""


def lie(
    where: int | str, fault: str, on: str = DEMO, **but: Verdict
) -> Callable[[Callable[[Desk], object]], Callable[[Desk], object]]:
    """Put a function into the table: it tells a lie that is found at message ``where``, or in a file of that name."""

    def enter(tell: Callable[[Desk], object]) -> Callable[[Desk], object]:
        known = {name.replace("_", "-"): verdict for name, verdict in but.items()}
        LIES.append(Lie(tell.__name__, on, tell, Found(file_of(where), fault), known))
        return tell

    return enter


def file_of(where: int | str) -> str:
    return f"{where:04}.json" if isinstance(where, int) else where


def table() -> tuple[Lie, ...]:
    """All lies."""
    for name in ("lies_played", "lies_sampled"):
        import_module(f"helpers.{name}")
    return (*LIES, *map(tampered, tampered_samples()))


def tampered_samples() -> list[dict[str, Any]]:
    """The entries of tests/vectors: files of a sample replaced or removed, the message and the fault."""
    entries: list[dict[str, Any]] = json.loads((VECTORS / "vectors.json").read_text(encoding="utf-8"))["tampered"]
    return entries


def tampered(entry: Mapping[str, Any]) -> Lie:
    """One of them as a lie."""

    def tell(desk: Desk) -> None:
        for file, text in entry["replace"].items():
            (desk.folder / file).write_text(text, encoding="utf-8", newline="")
        for file in entry["remove"]:
            (desk.folder / file).unlink()

    receipt = next((file.removesuffix(".sig") for file in entry["replace"] if file.startswith("receipt")), "")
    found: Verdict = Found(receipt or file_of(int(entry["message"])), entry["fault"])
    if entry["needs-rules"] == "yes":
        found = Leaves(NEEDS_RULES)
    gap = {SHORT: Found("0007.json", "chain")}  # it names the one in its place
    return Lie(entry["name"], entry["sample"], tell, found, gap if entry["name"] == "message-dropped" else {})


def source_of(on: str) -> Path | None:
    """The sample that a lie is told on, if it is one."""
    return VECTORS / on if on in (PLAYERS, REFEREE) else None


def signers_of_samples() -> Mapping[str, Signer]:
    return SIGNERS


# Small changes


def other(hex_: str) -> str:
    """Another hash."""
    return ("1" if hex_[0] == "0" else "0") + hex_[1:]


def changed(mapping: Mapping[str, Any], label: str, value: Any) -> Any:
    """The same mapping with another entry."""
    return {**copy.deepcopy(dict(mapping)), label: value}
