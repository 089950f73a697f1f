"""Truth (an append-only journal, notes, transcripts, an audit log): files on a volume, written durably under a lock."""
