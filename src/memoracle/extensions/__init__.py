"""What can be taken away: each folder registers what it brings in its `EXTENSION`."""
