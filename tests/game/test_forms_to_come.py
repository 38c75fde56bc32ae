"""Future signed forms (docs/formats.md 5.6): the refusal names the release with a reader."""

import pytest
from helpers import finished_games, registry
from helpers.mailbags import letter

from kursk_pbem.errors import FileError
from kursk_pbem.game import inbox
from kursk_pbem.trust import mail

PIN = f"ruleset:\n  package: {{name: kursk-donets, release: '1.4', sha256: '{'0' * 64}'}}\n"


def test_a_pinned_package_is_refused_by_the_release_that_reads_it():
    path = finished_games.folder_of(registry.kit(), "moscow") / "0000.yaml"
    raw = path.read_text("ascii").replace("ruleset:\n", PIN).encode("ascii")
    said = "the rules of this game come from a separate package; only release 0.3 or newer reads such games"
    with pytest.raises(FileError, match=f"^a.yaml:\\d+: {said}"):
        inbox.read(raw, "a.yaml")
    (fault,) = mail.survey_mail(letter(raw), "a mail").faults
    assert str(fault) == f"a mail: {said}"
