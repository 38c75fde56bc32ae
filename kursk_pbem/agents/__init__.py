"""Tools for an assistant at a player's desk: ``kursk mcp``. Only ``server.py`` needs the extra ``agents``."""
