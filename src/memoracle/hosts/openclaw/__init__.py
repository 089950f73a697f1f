"""OpenClaw: its transcripts in files and in its database, and how it is set up."""
