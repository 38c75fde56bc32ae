"""Games on this machine: found by a part of a name, listed, completed, looked at as of a message."""
