"""The cache of read files: limited by bytes, the latest files stay."""

from kursk_pbem.formats import files


def make_counting_reader():
    """Return a caching reader, and the list of names really read."""
    anew = []
    return files.cache_reader(lambda raw, name: anew.append(name) or raw), anew


def test_the_small_files_of_hundreds_of_games_are_read_once():
    """Bug: the cache held 64 files of any size, so a round of post over more games read every file again."""
    reads, anew = make_counting_reader()
    for _round in range(2):
        for number in range(1000):
            assert reads(b"game", str(number)) == b"game"
    assert len(anew) == 1000


def test_no_more_is_remembered_than_there_is_room_for():
    reads, anew = make_counting_reader()
    half = files._REMEMBERED // files._SMALL // 2
    for number in range(4 * half):
        reads(b"x" * files._SMALL, str(number))
        reads(b"often", "often")
    assert anew.count("often") == 1
    del anew[:]
    reads(b"x" * files._SMALL, str(4 * half - 1))
    assert anew == []
    reads(b"x" * files._SMALL, "0")
    assert anew == ["0"]


def test_large_files_drive_out_no_others():
    reads, anew = make_counting_reader()
    reads(b"small", "small")
    for number in range(200):
        reads(b"x" * (files._SMALL + 1), str(number % 2))
    reads(b"small", "small")
    assert len(anew) == 201
