"""The names that the user knows of temporary files: a game inside a mailbox or an archive is laid out as a folder."""

from __future__ import annotations

from kursk_pbem.errors import KurskError, Where

names: dict[str, str] = {}
"""Temporary paths of the current command, and the names that the user knows."""


def rename(text: str) -> str:
    """Return a text with the user's names for temporary paths."""
    for path in sorted(names, key=len, reverse=True):
        text = text.replace(path, names[path])
    return text


def rename_error(error: KurskError) -> KurskError:
    """Return an error with the user's names for temporary paths."""
    error.message = rename(error.message)
    error.where = error.where and Where(rename(error.where.file), error.where.line)
    return error
