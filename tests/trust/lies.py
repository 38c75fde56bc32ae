"""The lies that test all auditors: the change, the game, and the fault that each auditor must find.

Three auditors read a folder in the form for auditors: the ``program``; the ``second``, a complete implementation of
the protocol (second_auditor.py); and the ``short`` script, docs/verify_game.py. A :class:`Lie` says which file must be
named with which fault. If an auditor may find another fault or none, the lie says so, with the reason.

The lies are in ``lies_played`` (the demonstration, by players with their own keys), ``lies_sampled`` (the samples of
the protocol: a referee's dice, proposals, papers) and tests/vectors (the tampered samples).
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
"""The games for lies. The rules of the samples do not exist, so the program checks only their chain."""
WITH_RULES = (DEMO, REFEREED)
NEEDS_RULES = "it takes the rules, and this looks at the chain alone"


@dataclass(frozen=True)
class Found:
    """A found fault and its file; ``canonical``: the file is unreadable, ``rules``: an illegal order."""

    file: str
    fault: str


@dataclass(frozen=True)
class Leaves:
    """The auditor finds no fault, for a good reason."""

    why: str


Verdict = Found | Leaves


@dataclass(frozen=True)
class Lie:
    """A lie. ``tell`` changes the desk; ``found`` is the fault to find, except by the auditors in ``but``."""

    name: str
    on: str
    tell: Callable[[Desk], object]
    found: Verdict
    but: Mapping[str, Verdict] = field(default_factory=dict)

    def by(self, auditor: str) -> Verdict:
        """Return the verdict due from an auditor."""
        return self.but.get(auditor, self.found)


class Desk:
    """A game to forge with all its keys; ``said`` holds the contents to change and sign again."""

    def __init__(
        self, folder: Path, source: Path | None, signers: Mapping[str, Signer], demo: Path | None = None
    ) -> None:
        self.folder, self.signers, self.demo = folder, signers, demo
        folder.mkdir(parents=True, exist_ok=True)
        for path in source.glob("*.json*") if source else ():
            shutil.copyfile(path, folder / path.name)
        self.said = [json.loads(path.read_bytes()) for path in folders.message_files(folder)] if source else []

    def forge(self, k: int, by: str = "", **changes: Any) -> None:
        """Change message k (None removes a field) and sign it; delete the later messages."""
        self.put(k, by, **changes)
        self.cut(k + 1)

    def put(self, k: int, by: str = "", **changes: Any) -> str:
        """Change message k and keep the later messages; return its id."""
        content = {**self.said[k], **{name.replace("_", "-"): value for name, value in changes.items()}}
        content = {name: value for name, value in content.items() if value is not None}
        self.said[k] = content
        return self.sign(folders.archive_path(self.folder, k), content, by or content["from"])

    def sign(self, path: Path, content: Mapping[str, Any], by: str) -> str:
        """Write a file and its signature; return its id."""
        signed = messages.signed_bytes(content)
        path.write_bytes(signed)
        armour = self.signers[by].sign(sshsig.NAMESPACE, signed)
        folders.signature_path(path).write_text(armour, encoding="ascii", newline="")
        return sha256_hex(signed)

    def cut(self, k: int) -> None:
        """Delete message k and the later messages, with their receipts."""
        for number in range(k, len(self.said)):
            folders.archive_path(self.folder, number).unlink(missing_ok=True)
            folders.signature_path(folders.archive_path(self.folder, number)).unlink(missing_ok=True)
            for path in self.folder.glob(f"receipt-{number:04}.*"):
                path.unlink()


LIES: list[Lie] = []
"""The lies of the modules loaded so far; :func:`table` returns all lies."""


def lie(
    where: int | str, fault: str, on: str = DEMO, **but: Verdict
) -> Callable[[Callable[[Desk], object]], Callable[[Desk], object]]:
    """Register a function as a lie with a fault in message ``where``, or in a file of this name."""

    def enter(tell: Callable[[Desk], object]) -> Callable[[Desk], object]:
        known = {name.replace("_", "-"): verdict for name, verdict in but.items()}
        LIES.append(Lie(tell.__name__, on, tell, Found(file_of(where), fault), known))
        return tell

    return enter


def file_of(where: int | str) -> str:
    return f"{where:04}.json" if isinstance(where, int) else where


def list_lies() -> tuple[Lie, ...]:
    """Return all lies."""
    for name in ("lies_played", "lies_sampled"):
        import_module(f"trust.{name}")
    return (*LIES, *map(make_lie, tampered_samples()))


def tampered_samples() -> list[dict[str, Any]]:
    """Return the entries of tests/vectors: replaced or removed files of a sample, the message and the fault."""
    files = (json.loads((VECTORS / name).read_text(encoding="utf-8")) for name in ("vectors.json", "kept.json"))
    return [entry for found in files for entry in found["tampered"]]


def make_lie(entry: Mapping[str, Any]) -> Lie:
    """Return an entry of tests/vectors as a lie."""

    def tell(desk: Desk) -> None:
        for file, text in entry["replace"].items():
            (desk.folder / file).write_text(text, encoding="utf-8", newline="")
        for file in entry["remove"]:
            (desk.folder / file).unlink()

    receipt = next((file.removesuffix(".sig") for file in entry["replace"] if file.startswith("receipt")), "")
    found: Verdict = Found(receipt or file_of(int(entry["message"])), entry["fault"])
    if entry["needs-rules"] == "yes":
        found = Leaves(NEEDS_RULES)
    gap = {SHORT: Found("0007.json", "chain")}  # the script names the message in its place
    return Lie(entry["name"], entry["sample"], tell, found, gap if entry["name"] == "message-dropped" else {})


def source_of(on: str) -> Path | None:
    """Return the sample of a lie, or None."""
    return VECTORS / on if on.startswith("sample-") else None


def signers_of_samples() -> Mapping[str, Signer]:
    return SIGNERS


# Small changes


def change_hash(hex_: str) -> str:
    """Return a different hash."""
    return ("1" if hex_[0] == "0" else "0") + hex_[1:]


def replace_entry(mapping: Mapping[str, Any], label: str, value: Any) -> Any:
    """Return a mapping with a changed entry."""
    return {**copy.deepcopy(dict(mapping)), label: value}
