"""``python -m kursk_pbem`` is the command ``kursk``."""

from kursk_pbem.cli import main

main()
