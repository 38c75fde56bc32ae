"""Games on this machine: search, lists, completion and views."""
