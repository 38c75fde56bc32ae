"""What an auditor does with the files of games: verify them, prove a fraud, export an archive."""
