"""OpenClaw: its transcripts in files and in its database, and what is installed into it."""
