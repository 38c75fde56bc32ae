"""An auditor's work on game files: verify, prove a fraud, export an archive."""
