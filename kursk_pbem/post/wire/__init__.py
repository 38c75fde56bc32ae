"""Mail servers: the account, the password, IMAP for fetching, SMTP for sending, and returned letters."""
