"""Games of programs against each other, and rules questions. Only ``quiz.py`` needs no extra ``agents``."""
