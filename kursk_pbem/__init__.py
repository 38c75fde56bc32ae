"""kursk-pbem: an umpire for Kursk board wargames played by mail."""

__version__ = "1.0.0"
