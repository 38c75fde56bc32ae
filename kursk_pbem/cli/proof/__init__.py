"""The commands that prove: verify games, convict of fraud, write archives."""
