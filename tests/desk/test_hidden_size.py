"""Sealed choices must fit into the next message, together with orders (4.2)."""

import pytest

from kursk_pbem.desk.draft import drafts
from kursk_pbem.errors import FileError


def test_more_than_the_next_message_could_show_is_not_sealed(table):
    desk = table.due.desk
    text = drafts.render_draft(desk, bare=True)
    long = [f"r-{'x' * 90}" for _ in range(800)]
    listed = "".join(f"      - {each}\n" for each in long)
    text += f"seal:\n  plans/1:\n    b1:\n      losses:\n{listed}"
    draft = drafts.read_draft(desk, text.replace("seal: {", "# {").encode("ascii"), "0001.draft.yaml")
    with pytest.raises(FileError, match="more than 65536 bytes"):
        drafts.check_draft(desk, draft)
