"""Data for other programs: written into a file, or printed as they are. Text for people goes through ``common.say``."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli.common import on_terminal, plain, say
from kursk_pbem.game import folders

if TYPE_CHECKING:
    from pathlib import Path

force_option = click.option("--force", is_flag=True, help="Replace an existing, different file.")


def hand_over(text: str, output: Path | None = None, *, force: bool = False, quiet: bool = False) -> bool:
    """Write data into ``output`` (a file), but never over different content. Without a file, print the data.

    Return whether the file is new or changed. Printed data have the same bytes as the file, except on a terminal, where
    characters that could mislead a reader are made safe (T29).
    """
    if output is not None:
        written = folders.write(output, text, force=force)
        say(f"{'wrote' if written else 'unchanged:'} {output}", quiet=quiet)
        return written
    if isinstance(sys.stdout, io.TextIOWrapper) and not on_terminal():
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    say((plain(text) if on_terminal() else text).removesuffix("\n"), styled=True, whole=True)
    return False
