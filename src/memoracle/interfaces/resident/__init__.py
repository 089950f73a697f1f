"""A process per root that stays warm behind a local socket: never needed, only quicker."""
