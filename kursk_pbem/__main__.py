"""The command ``kursk``, as ``python -m kursk_pbem``."""

from kursk_pbem.cli import main

main()
