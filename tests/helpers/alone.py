"""Turn files without the game so far below them, as in addresses and from older programs."""

from pathlib import Path

from kursk_pbem.trust import sofar


def cut_blocks(*paths):
    """Remove the block of each file, and of each turn file of a folder."""
    for path in paths:
        if path.is_dir():
            cut_blocks(*path.glob("[0-9][0-9][0-9][0-9].yaml"))
        else:
            Path(path).write_bytes(sofar.cut_block(path.read_bytes()))
