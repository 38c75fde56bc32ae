"""Invitations and answers as signed forms (docs/formats.md 5.6): hostile forms are refused."""

import re

import pytest
from helpers.mailbags import letter

from kursk_pbem.errors import FileError, KurskError
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.game import inbox
from kursk_pbem.trust import invitation, keys, link, messages, reader, sshsig
from kursk_pbem.trust.invitation import NAMESPACE

ANNA, BORIS = keys.from_seed(b"a" * 32), keys.from_seed(b"b" * 32)
CONTENT = {
    "type": "invitation",
    "name": "Anna M\u00fcller",
    "time": "2026-11-01T10:00:00Z",
    "until": "2026-12-01T10:00:00Z",
    "ruleset": {"id": "battle-for-kursk", "version": "2"},
    "scenario": {"id": "battle-for-kursk/citadel", "sha256": "0" * 64},
    "options": {},
    "dice-from": "players",
    "side": "either",
    "note": "Evenings,\nplease",
}


def emit(content, armour):
    return "\n".join([*yaml_lines(content), *messages.emit_signature(armour), ""])


ANSWER = {"type": "answer", "name": "Boris", "time": "2026-11-02T10:00:00Z", "invitation": "1" * 64}


def test_an_invitation_is_found_in_a_file_a_mail_and_a_link():
    made = invitation.sign_invitation(CONTENT, ANNA)
    raw = made.emit().encode("ascii")
    assert made.content == {"kursk-invitation": "1", **CONTENT, "key": ANNA.public}
    for text in (raw, letter(raw), letter(raw, how="quoted"), link.make_link([raw]).encode()):
        (found,) = reader.read_thing(text, "a text").invitations
        assert (found.id, found.content, found.fingerprint) == (made.id, made.content, sshsig.fingerprint(ANNA.public))
        assert reader.read_thing(text, "a text").turns == ()
    with pytest.raises(FileError, match="an invitation or an answer, not a turn; 'kursk inbox FILE' shows"):
        inbox.read(raw, "a text")
    answer = invitation.sign_invitation(ANSWER, BORIS)
    both = reader.read_thing(answer.emit().encode() + raw, "both").invitations
    assert [found.id for found in both] == [answer.id, made.id]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (CONTENT | {"until": "2026-12-01T10:00:01Z"}, "at most 30 days later"),
        (CONTENT | {"until": CONTENT["time"]}, "ends after its time"),
        (CONTENT | {"until": "2026-11-31T10:00:00Z"}, "no valid time"),
        (CONTENT | {"invitation": "1" * 64}, "an invitation holds no field 'invitation'"),
        (CONTENT | {"commit": "1" * 64}, "the key 'commit' is not known here"),
        ({name: CONTENT[name] for name in CONTENT if name != "side"}, "an invitation must hold side"),
        (CONTENT | {"name": "Anna\nkursk-pbem: '1'"}, "a name in one line, at most 40 characters"),
        (CONTENT | {"name": "Anna\u202e"}, r"U\+202E"),
        (CONTENT | {"note": "x" * 501}, "at most 500 characters"),
        (CONTENT | {"referee": "ssh-ed25519 " + "A" * 68}, "has not the form of ssh-keygen"),
        (CONTENT | {"dice-from": "me"}, "'players' or 'referee'"),
        (ANSWER | {"until": "2026-11-12T10:00:00Z"}, "an answer holds no field 'until'"),
        (ANSWER | {"invitation": "1"}, "a hash"),
        (ANSWER | {"type": "card"}, "'invitation' or 'answer'"),
        (ANSWER | {"kursk-invitation": "2"}, "has form 2, and this release reads form 1: it needs a newer program"),
    ],
)
def test_a_wrong_form_is_refused(content, why):
    content = {"kursk-invitation": "1", **content, "key": ANNA.public}
    armour = ANNA.sign(NAMESPACE, messages.signed_bytes(content))
    with pytest.raises(KurskError, match=why):
        invitation.read_invitation(emit(content, armour).encode("ascii"), "a file")


def test_a_signature_by_another_key_namespace_or_text_is_refused():
    raw = invitation.sign_invitation(CONTENT, ANNA).emit()
    content = {"kursk-invitation": "1", **CONTENT, "key": ANNA.public}
    signed = messages.signed_bytes(content)
    forged = [
        raw.replace("either", "german"),
        raw.replace(ANNA.public, BORIS.public),
        emit(content, BORIS.sign(NAMESPACE, signed)),
        emit(content, ANNA.sign(sshsig.NAMESPACE, signed)),
        emit(content, ""),
        re.sub(r"  -----END SSH SIGNATURE-----\n", "", raw),
    ]
    for text in forged:
        reading = reader.read_thing(text.encode("ascii"), "a file")
        assert not reading.anything
        assert "ask for it again" in str(reading.faults[0])
