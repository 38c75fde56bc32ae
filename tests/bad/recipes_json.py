"""The form for auditors with wrong canonical JSON or wrong signatures (protocol 3.1, 3.4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from bad.bad_desk import Bad, Base
from bad.bad_text import Change, rewrite, swap
from kursk_pbem.trust import sshsig

AT, COMMAND = "archive 8", "verify"


def _make_signature(name: str, text: Callable[[Base], str]) -> Callable[[Base], Mapping[str, bytes]]:
    return lambda base: {f"{name}.sig": text(base).encode("utf-8")}


def make_archived(name: str, change: Change) -> tuple[str, Bad]:
    """Return message 4 in canonical form, changed, with its old good signature."""
    beside = _make_signature(name, lambda base: str(base.read[4].armour))
    return name, Bad(COMMAND, AT, lambda base: change(base.read[4].signed), beside=beside)


def write_otherwise(name: str, change: Callable[[Any], Any], **options: Any) -> tuple[str, Bad]:
    """Return message 4 with another content or by another JSON writer, and signed in this form."""

    def made(base: Base) -> bytes:
        content = change(base.content(4))
        form = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False, **options}
        return json.dumps(content, **form).encode("utf-8")

    def beside(base: Base) -> Mapping[str, bytes]:
        return {f"{name}.sig": base.signers["german"].sign(sshsig.NAMESPACE, made(base)).encode("ascii")}

    return name, Bad(COMMAND, AT, made, beside=beside)


def with_signature(name: str, text: Callable[[Base], str]) -> tuple[str, Bad]:
    """Return the correct message 4 with another signature."""
    return name, Bad(COMMAND, AT, lambda base: base.read[4].signed, beside=_make_signature(name, text))


def set_(**fields: Any) -> Callable[[Any], Any]:
    return lambda content: {**content, **{key.replace("_", "-"): value for key, value in fields.items()}}


def write_unchanged(content: Any) -> Any:
    return content


FILES: dict[str, Bad] = dict(
    (
        make_archived("blank-after-a-comma.json", lambda text: text.replace(b",", b", ", 1)),
        make_archived("blank-at-the-end.json", lambda text: text + b" "),
        make_archived("newline-at-the-end.json", lambda text: text + b"\n"),
        make_archived("byte-order-mark.json", lambda text: b"\xef\xbb\xbf" + text),
        make_archived("utf-16.json", lambda text: text.decode("utf-8").encode("utf-16")),
        make_archived("latin-1.json", swap('"from":"german"', b'"from":"german","note":"Gr\xfc\xdfe"')),
        make_archived("key-twice.json", swap('"from":"german"', '"from":"german","from":"german"')),
        make_archived("key-twice-inside.json", swap('"izyum/combat":"1"', '"izyum/combat":"1","izyum/combat":"6"')),
        make_archived("keys-in-another-order.json", swap('"seq":"4"', '"zeq":"4"')),
        make_archived("number.json", swap('"seq":"4"', '"seq":4')),
        make_archived("fraction.json", swap('"seq":"4"', '"seq":4.0')),
        make_archived("true.json", swap('"from":"german"', '"from":true')),
        make_archived("null.json", swap('"from":"german"', '"from":null')),
        make_archived("not-a-number.json", swap('"seq":"4"', '"seq":NaN')),
        make_archived("infinity.json", swap('"seq":"4"', '"seq":-Infinity')),
        make_archived("escaped-letter.json", swap('"from":"german"', r'"from":"germ\u0061n"')),
        make_archived("escaped-slash.json", swap('"izyum/combat"', r'"izyum\/combat"')),
        make_archived("escape-of-half-a-letter.json", swap('"from":"german"', r'"from":"german\ud800"')),
        make_archived("control-character.json", swap('"from":"german"', b'"from":"ger\x01man"')),
        make_archived("single-quotes.json", lambda text: text.replace(b'"', b"'")),
        make_archived("comma-at-the-end.json", lambda text: text[:-1] + b",}"),
        make_archived("comment.json", lambda text: b"/* mine */" + text),
        make_archived("cut-off.json", lambda text: text[: len(text) // 2]),
        make_archived("empty.json", rewrite("")),
        make_archived("list.json", lambda text: b"[" + text + b"]"),
        make_archived("text.json", rewrite('"turn"')),
        make_archived("two.json", lambda text: text + text),
        make_archived("too-deep.json", swap('"from":"german"', '"from":' + "[" * 13 + '"x"' + "]" * 13)),
        make_archived("brackets.json", rewrite("[" * 9000)),
        make_archived("too-long.json", rewrite('{"note":"' + "x" * 262_144 + '"}')),
        make_archived("text-too-long.json", swap('"from":"german"', '"from":"german","note":"' + "x" * 4097 + '"')),
        make_archived("yaml.json", rewrite("kursk-pbem: '1'\ntype: turn\n")),
        write_otherwise("indented.json", write_unchanged, indent=1),
        write_otherwise("letters-escaped.json", set_(note="\u0423"), ensure_ascii=True),
        write_otherwise("keys-not-sorted.json", write_unchanged, sort_keys=False),
        write_otherwise("signature-inside.json", set_(signature="mine")),
        write_otherwise("position-inside.json", set_(state={"type": "state"})),
        write_otherwise("field-unknown.json", set_(win="yes")),
        write_otherwise("field-wrong.json", set_(seq="four")),
        write_otherwise("letter-in-a-field.json", set_(waive="\u0423")),
        write_otherwise("override-in-a-note.json", set_(note="\u202e")),
        write_otherwise("line-end-in-a-field.json", set_(waive="a\nb")),
        with_signature("signature-of-another.json", lambda base: str(base.read[2].armour)),
        with_signature(
            "signature-of-the-other-side.json",
            lambda base: base.signers["russian"].sign(sshsig.NAMESPACE, base.read[4].signed),
        ),
        with_signature("signature-for-git.json", lambda base: base.signers["german"].sign("git", base.read[4].signed)),
        with_signature("signature-empty.json", lambda _base: ""),
        with_signature("signature-in-other-letters.json", lambda base: str(base.read[4].armour).replace("A", "\u0410")),
        with_signature("signature-twice.json", lambda base: str(base.read[4].armour) * 2),
        ("signature-missing.json", Bad(COMMAND, AT, lambda base: base.read[4].signed)),
    )
)
