"""What an auditor reads: signatures, commitments, messages, the chain. Knows no rules."""
