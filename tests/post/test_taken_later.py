"""A turn that this desk cannot take now, by a full disk or missing data, is kept for the next round."""

import errno
import shutil

import pytest
from helpers.mailbags import sends
from rulesets import toys

from kursk_pbem.formats import data
from kursk_pbem.game import disk, folders


def fill_disk(patch, folder, _release):
    """Make every write below a folder fail."""
    real = disk._write_temporary

    def full(place, raw):
        if str(place).startswith(str(folder)):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(place, raw)

    patch.setattr(disk, "_write_temporary", full)


def correct_scenario(patch, _folder, release):
    """Use a release with a corrected scenario and without the old data."""
    shutil.copytree(toys.FOLDERS["hex-toy"] / "scenarios" / "hex-toy/fords", release / "hex-toy/fords")
    with (release / "hex-toy/fords/tables.yaml").open("a", encoding="ascii") as table:
        table.write("corrected: 'yes'\n")
    patch.setenv(data.SEARCH_PATH, str(release))


SAID = {fill_disk: "No space left on device", correct_scenario: "hex-toy/fords"}


@pytest.mark.parametrize("harm", SAID, ids=["full disk", "missing data"])
def test_T48_a_turn_that_cannot_be_taken_is_taken_the_next_time(posted, tmp_path, monkeypatch, harm):
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    sends(boris, game, imap)
    with monkeypatch.context() as patch:
        harm(patch, anna.folder(game), tmp_path / "release")
        anna.kursk("post", "-q", status=2, told=SAID[harm])
    anna.kursk("post", "-q")
    assert anna.desk(game).seq == 2
    assert folders.draft_path(anna.folder(game), 2).exists()
