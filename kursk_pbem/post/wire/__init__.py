"""Mail servers: the account, the password, IMAP for fetching, SMTP for sending, and post that goes on by itself."""
