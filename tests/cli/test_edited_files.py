"""Files that people edit are read as editors save them: byte order marks, UTF-16, CRLF, letters of every language."""

import pytest
from helpers.commands import refused, well

from kursk_pbem.game import folders, keyring
from kursk_pbem.post.referee import terms
from kursk_pbem.post.wire import account
from kursk_pbem.trust import keys

NOTE = "Grüße an Björn, \u0416\u0443\u043a\u043e\u0432 und \U0001f600"
SAVED = {
    "UTF-8": lambda text: text.encode("utf-8"),
    "byte order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16 of Windows": lambda text: text.replace("\n", "\r\n").encode("utf-16"),
    "UTF-16 big": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-16 without mark": lambda text: text.encode("utf-16-le"),
    "CRLF and mark": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
}


@pytest.fixture(params=SAVED.values(), ids=SAVED.keys())
def saved(request):
    """Return a way in which an editor saves a text."""
    return request.param


def noted(draft, saved):
    """Return the draft with a note, and with a comment in the same letters."""
    draft.write_bytes(saved(f"{draft.read_text('ascii')}# für Björn\nnote: {NOTE}\n"))


def test_a_draft_is_checked_and_signed_however_it_was_saved(capsys, game, draft, saved):
    noted(draft, saved)
    assert NOTE in well(capsys, "check", draft)
    well(capsys, "sign", draft, "--yes")
    assert folders.read_message(game / "0008.yaml").content["note"] == NOTE
    assert (game / "0008.yaml").read_bytes().isascii()


def test_orders_are_written_into_such_a_draft_and_keep_its_comments(capsys, draft, saved):
    noted(draft, saved)
    before = draft.read_bytes()
    well(capsys, "order", draft, "wait")
    text = draft.read_bytes().decode("utf-8")
    assert "# für Björn" in text
    assert NOTE in text
    well(capsys, "order", draft, "undo")
    assert draft.read_bytes().decode("utf-8").replace("\r", "") == (
        before.decode("utf-16" if before[:1] in (b"\xff", b"\xfe") else "utf-16-le" if b"\0" in before else "utf-8-sig")
    ).replace("\r", "")


def test_a_slip_in_such_a_draft_is_named_with_its_line(capsys, draft, saved):
    draft.write_bytes(saved(f"# für Björn\nnota: {NOTE}\n{draft.read_text('ascii')}"))
    assert f"{draft}:2: " in refused(capsys, 2, "check", draft)


def test_letters_stay_out_of_what_is_adjudicated(capsys, draft):
    draft.write_bytes(draft.read_bytes().replace(b"type: turn", "type: türn".encode()))
    assert "U+00FC in 't\\xfcrn'; only plain ASCII is allowed here" in refused(capsys, 2, "check", draft)


def test_what_nobody_sees_is_refused_in_a_comment_too(capsys, draft):
    line = draft.read_bytes().count(b"\n") + 1
    draft.write_bytes(draft.read_bytes() + "# good\u2028note: bad\n".encode())
    assert f"{draft}:{line}: in column 7 is U+2028, an invisible" in refused(capsys, 2, "check", draft)


def test_a_draft_in_latin_1_is_to_be_saved_as_utf_8(capsys, draft):
    draft.write_bytes(draft.read_bytes() + "note: Grüße\n".encode("latin-1"))
    assert "the byte 0xfc, no letter in UTF-8; save the file as UTF-8" in refused(capsys, 2, "check", draft)


def test_signed_files_stay_strict(capsys, game):
    path = game / "0007.yaml"
    path.write_bytes(path.read_bytes().decode("ascii").encode("utf-8-sig"))
    assert "byte order mark" in refused(capsys, 2, "status", game)


def test_a_signed_file_in_a_folder_is_not_to_be_repaired(capsys, game):
    """Bug: 'verify' of a folder advised to keep one of two keys, and of a file to ask for it again."""
    path = game / "0007.yaml"
    path.write_bytes(path.read_bytes().replace(b"seq: '7'\n", b"seq: '7'\nseq: '7'\n", 1))
    for thing in (game, path):
        said = refused(capsys, 2, "verify", thing)
        assert "the key 'seq' occurs twice" in said
        assert "keep one" not in said
        assert "ask the writer to send the turn again" in said


def test_a_policy_is_taken_however_it_was_saved(capsys, tmp_path, game, saved):
    path = tmp_path / "policy.yaml"
    path.write_bytes(saved("# für Björn\nstand-fast: always\n"))
    assert "wrote" in well(capsys, "policy", game, path)
    assert "stand-fast: always" in well(capsys, "policy", game)


def test_a_public_key_is_read_however_it_was_saved(tmp_path, saved):
    keys.generate_key_pair(tmp_path / "boris", bytes(range(32)))
    path = tmp_path / "boris.pub"
    text = " ".join(path.read_text("ascii").split()[:2])
    path.write_bytes(saved(f"{text} Björn\n"))
    assert keys.read_public(path) == text
    assert keyring.read_comment(path) == "Björn"


def test_account_and_terms_are_read_however_they_were_saved(tmp_path, saved):
    (tmp_path / "post").mkdir()
    for name, text in (
        ("account.toml", '# für Björn\naddress = "anna@example.org"\ngames = "Spiele für Björn"\n'),
        ("referee.toml", "# für Björn\ndays = 7\n"),
    ):
        (tmp_path / "post" / name).write_bytes(saved(text))
        (tmp_path / "post" / name).chmod(0o600)
    assert str(account.load_account(tmp_path).games) == "Spiele für Björn"
    assert terms.load_terms(tmp_path).days == 7


def test_the_rules_of_a_tournament_are_read_however_they_were_saved(capsys, tmp_path, monkeypatch, saved):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    keys.generate_key_pair(tmp_path / "me", bytes(range(32)))
    words = ("tournament", "new", tmp_path / "cup", "--system", "battle-for-kursk/citadel", "--round-robin")
    well(capsys, *words)
    form = tmp_path / "cup" / "rules.yaml"
    text = form.read_text("ascii")
    title = next(line for line in text.splitlines() if line.startswith("title:"))
    form.write_bytes(saved(text.replace(title, "title: Pokal für Björn")))
    assert "Pokal für Björn" in well(capsys, *words[:3], "--key", tmp_path / "me", "--yes")
