"""Sealed values stay with the owner until their message."""

import re

from rulesets.battle_for_kursk.first_turn import ENGAGE, OPENING, ORDERS

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts, editors
from kursk_pbem.desk.own import desks
from kursk_pbem.game import folders
from kursk_pbem.trust import commit


def without_comments(path):
    text = path.read_text(encoding="utf-8")
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def holders(word, *places):
    """Return the files with a word, except comments and files of drafts."""
    found = re.compile(rf"(?<![a-z-]){re.escape(word)}(?![a-z-])")
    files = [path for place in places for path in place.rglob("*") if path.is_file()]
    return sorted(
        path.name
        for path in files
        if path.suffixes != [".draft", ".txt"] and path.name != editors.NAME and found.search(without_comments(path))
    )


def test_a_sealed_posture_is_nowhere_but_with_its_owner_until_it_is_shown(table):
    german, russian = table.german, table.russian
    hidden = {"posture": "pause", "reaction": "yes"}
    assert holders("pause", german.place, russian.place) == []
    russian.fill({**OPENING, "seal": {"posture/turn-1": hidden}})
    assert holders("pause", german.place, russian.folder) == ["0001.draft.yaml"]
    letter = table.mail(russian.sign(), "german")
    german.take(letter)
    assert holders("pause", german.place, russian.folder, russian.place / "inbox") == []
    assert holders("pause", russian.home) == ["0001.json"]
    text = letter.read_text(encoding="ascii")
    for posture in ("pause", "reposition", "deploy", "engage"):  # and guessing fails
        for reaction in ("yes", "no"):
            value = {"posture": posture, "reaction": reaction}
            guess = commit.choice_hash(german.desk.game.chain.nonce, 1, "posture/turn-1", bytes(16), value)
            assert guess.hex() not in text

    german.fill({"choice": {"posture/turn-1": ENGAGE}})  # still waiting
    russian.take(table.mail(german.sign(), "russian"))
    assert holders("pause", german.place, russian.folder) == []
    german.take(table.mail(russian.sign(), "german"))
    assert "0003.yaml" in holders("pause", german.place)


def test_plans_are_nowhere_but_with_their_owner_until_the_dice(begun):
    table, german, russian = begun, begun.german, begun.russian
    german.fill(ORDERS)
    words = ("if-supplied", "away 2713", "advance", "losses")
    everywhere = (german.folder, russian.place)
    letter = table.mail(german.sign(), "russian")
    for word in words[:2]:
        assert holders(word, *everywhere) == []
        assert holders(word, german.home) == ["0002.json"]
    russian.take(letter)
    table.turn({"policy": {"stand-fast": "always"}})
    for word in words[:2]:
        assert holders(word, *everywhere) == []
    assert not any(word in letter.read_text(encoding="ascii") for word in words)
    table.turn({})
    for word in words[:2]:
        assert "0004.yaml" in holders(word, *everywhere)


def test_open_plans_are_shown_at_once_where_asked_for(begun):
    german = begun.german
    path = german.fill(ORDERS)
    checked = drafts.check_draft(
        german.desk, drafts.read_draft(german.desk, path.read_bytes(), str(path)), open_plans=True
    )
    message = folders.read_message(german.sign(checked))
    assert message.mapping("orders")["battles"][0]["advance"] == ["g-46-pz if-supplied"]
    assert "secret" not in message.content


def test_the_next_opening_is_in_no_file_before_its_message(declared):
    table = declared
    for player in (table.german, table.russian):
        own = player.desk.own
        chain = player.desk.game.chain
        for k in (3, 4):
            if chain.writer(k) != own.side:
                continue
            opening = desks.derive_opening(chain, own.secret, k)
            assert commit.commit_to_opening(chain.nonce, k, opening) == chain.commitments[k]
            assert holders(opening.hex(), table.root) == []


def test_check_and_sign_show_in_plain_words_what_is_sealed(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(ORDERS)
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    hidden = "Hidden, only its hash is sent:\n  The plans of message 2: ponyri (retreat away 2713; losses g-47-pz"
    for command in (["check"], ["sign", "--open-plans", "--yes"]):
        assert run([*command, str(path)]) == 0
        assert (hidden in capsys.readouterr().out) == (command == ["check"])
